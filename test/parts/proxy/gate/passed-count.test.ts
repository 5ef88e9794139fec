import { expect, test } from 'bun:test';
import { MINUTE_MS } from '#src/core/base/clock.ts';
import { createPassedCount } from '#src/parts/proxy/gate/passed-count.ts';
import { createHeldClock } from '#test/support/held-clock.ts';

test('reports a share above 1 % within ten minutes, and nothing of what came before', () => {
  const clock = createHeldClock();
  const share = createPassedCount(clock, {
    code: 'milter_unexamined',
    items: 'mails',
    metric: 'mails_unexamined_total',
  });
  const notice = (percent: string) => {
    const what = `Of the mails within the last ten minutes, ${percent} % passed unexamined`;
    const args = { percent: Number(percent) };
    return [{ code: 'milter_unexamined', args, text: `${what}: mails_unexamined_total has the causes.` }] as const;
  };
  expect(share.notices()).toEqual([]);
  for (let count = 0; count < 99; count++) share.count(false);
  share.count(true);
  expect(share.notices()).toEqual([]);
  clock.nowMs += MINUTE_MS;
  share.count(true);
  expect(share.notices()).toEqual([...notice('2.0')]);
  expect(share.passed()).toEqual({ requests: 101, unexamined: 2 });
  clock.nowMs += 9 * MINUTE_MS;
  expect(share.notices()).toEqual([...notice('100')]);
  clock.nowMs += MINUTE_MS;
  expect(share.notices()).toEqual([]);
});
