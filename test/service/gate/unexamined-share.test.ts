import { expect, test } from 'bun:test';
import { MINUTE_MS } from '#src/core/base/clock.ts';
import { createUnexaminedShare } from '#src/service/gate/unexamined-share.ts';
import { createHeldClock } from '#test/support/held-clock.ts';

test('reports a share above 1 % within ten minutes, and nothing of what came before', () => {
  const clock = createHeldClock();
  const share = createUnexaminedShare(clock);
  expect(share.excess()).toBeNull();
  for (let count = 0; count < 99; count++) share.count(false);
  share.count(true);
  expect(share.excess()).toBeNull();
  clock.nowMs += MINUTE_MS;
  share.count(true);
  expect(share.excess()).toBeCloseTo(2 / 101);
  clock.nowMs += 9 * MINUTE_MS;
  expect(share.excess()).toBe(1);
  clock.nowMs += MINUTE_MS;
  expect(share.excess()).toBeNull();
});
