import { expect, test } from 'bun:test';
import { createRandom } from '#test/support/random.ts';
import { ENOUGH_ROUNDS, quantileOf, spreadOf } from './statistics.ts';

test('the median is the middle value, or the mean of the two middle values', () => {
  expect(spreadOf([3, 1, 2]).median).toBe(2);
  expect(spreadOf([4, 1, 3, 2]).median).toBe(2.5);
  expect(() => spreadOf([])).toThrow(RangeError);
});

test('the interval contains all values if they are few, and otherwise excludes equally many on both sides', () => {
  expect(spreadOf([1, 2, 3])).toEqual({ median: 2, low: 1, high: 3 });
  const upTo = (count: number) => spreadOf(Array.from({ length: count }, (_, i) => i + 1));
  // The ranks of the sign test's table at 5 %, two-sided.
  expect(upTo(ENOUGH_ROUNDS)).toMatchObject({ low: 1, high: 6 });
  expect(upTo(9)).toMatchObject({ low: 2, high: 8 });
  expect(upTo(20)).toMatchObject({ low: 6, high: 15 });
  expect(upTo(100)).toMatchObject({ low: 40, high: 61 });
});

test('the interval contains the true median in at least 95 of 100 measurements', () => {
  const random = createRandom(12);
  // Skewed, as times are.
  const measure = () => spreadOf(Array.from({ length: 9 }, () => -Math.log(1 - random.next())));
  const held = Array.from({ length: 2000 }, measure).filter(({ low, high }) => low <= Math.LN2 && high >= Math.LN2);
  expect(held.length / 2000).toBeGreaterThan(0.95);
});

test('a quantile is a measured value', () => {
  const sorted = Array.from({ length: 1000 }, (_, i) => i + 1);
  expect([0, 0.5, 0.99, 0.999, 1].map((share) => quantileOf(sorted, share))).toEqual([1, 500, 990, 999, 1000]);
});
