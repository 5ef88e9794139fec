import { expect, test } from 'bun:test';
import { HOUR_MS } from '#src/core/base/clock.ts';
import { createRecentSums } from '#src/core/base/recent-sums.ts';

test('counts of 24 hours are summed, whole hours expire, and a clock that is set back loses none', () => {
  const clock = { nowMs: 1000.5 * HOUR_MS, now: () => clock.nowMs };
  const sums = createRecentSums<'gate' | 'mail'>(clock.now, HOUR_MS, 24);
  sums.count('gate');
  clock.nowMs += 23 * HOUR_MS;
  sums.count('gate');
  sums.count('mail');
  expect([sums.sumOf('gate'), sums.sumOf('mail'), sums.sinceMs()]).toEqual([2, 1, 1000.5 * HOUR_MS]);
  clock.nowMs -= 2 * HOUR_MS;
  sums.count('gate');
  expect(sums.sumOf('gate')).toBe(3);
  clock.nowMs += 3 * HOUR_MS;
  expect([sums.sumOf('gate'), sums.sinceMs()]).toEqual([2, 1001 * HOUR_MS]);
});
