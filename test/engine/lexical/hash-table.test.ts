import { expect, test } from 'bun:test';
import { buildHashTable, lookUp } from '#src/engine/lexical/hash-table.ts';
import { createRandom } from '#src/training/data/random.ts';

test('returns the stored values, and 0 for other hashes', () => {
  const random = createRandom(11);
  const entries = new Map<number, number>();
  for (let i = 0; i < 5000; i++) entries.set(Math.floor(random() * 2 ** 32), 1 + (i % 255));
  const table = buildHashTable([...entries]);
  for (const [hash, value] of entries) expect(lookUp(table, hash)).toBe(value);
  for (let i = 0; i < 5000; i++) {
    const hash = Math.floor(random() * 2 ** 32);
    if (!entries.has(hash)) expect(lookUp(table, hash)).toBe(0);
  }
});

test('handles an empty table and a hash of 0', () => {
  expect(lookUp(buildHashTable([]), 12345)).toBe(0);
  expect(lookUp(buildHashTable([[0, 9]]), 0)).toBe(9);
});
