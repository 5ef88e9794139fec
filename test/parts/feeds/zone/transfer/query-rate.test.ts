import { expect, test } from 'bun:test';
import { createQueryRate } from '#src/parts/feeds/zone/open-zone.ts';
import { createHeldClock } from '#test/support/held-clock.ts';

test('each key may do something so often in a period, and again in the next', () => {
  const clock = createHeldClock();
  const may = createQueryRate(2, 1000, clock);
  const asked = () => ['a', 'a', 'b', 'a'].map(may);
  expect(asked()).toEqual([true, true, true, false]);
  clock.nowMs = 999;
  expect(may('a')).toBe(false);
  clock.nowMs = 1000;
  expect(asked()).toEqual([true, true, true, false]);
});
