import { expect, test } from 'bun:test';
import { createCache } from '#src/network/egress/budget/cache.ts';

const still = { now: () => 0, monotonicMs: () => 0 };

test('a cache evicts the oldest entries and retains those in use', () => {
  const cache = createCache<number>(100, still);
  cache.set('kept', -1, 1000);
  for (let i = 0; i < 10_000; i++) {
    cache.set(String(i), i, 1000);
    expect(cache.get('kept')).toBe(-1);
  }
  const remembered = Array.from({ length: 10_000 }, (_, i) => cache.get(String(i))).filter(
    (value) => value !== undefined,
  );
  expect(remembered.length).toBeLessThanOrEqual(100);
  expect(remembered.at(-1)).toBe(9999);
});

test('a cache entry expires after its lifetime, and is not stored if the lifetime is 0', () => {
  let nowMs = 0;
  const cache = createCache<string>(10, { now: () => 0, monotonicMs: () => nowMs });
  cache.set('a', 'value', 10);
  cache.set('b', 'value', 0);
  expect([cache.get('a'), cache.get('b')]).toEqual(['value', undefined]);
  nowMs = 10;
  expect(cache.get('a')).toBeUndefined();
});
