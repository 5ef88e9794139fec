import { expect, test } from 'bun:test';
import { FNV_BASIS, fnvHash, fnvStep, mixHash } from '#src/core/base/fnv.ts';

test('hashes match the values that the authors of FNV-1a publish', () => {
  const known = { '': 0x811c9dc5, a: 0xe40c292c, b: 0xe70c2de5, foobar: 0xbf9cf968 };
  for (const [text, hash] of Object.entries(known)) expect(fnvHash(text) >>> 0).toBe(hash);
});

test('a hash can be calculated step by step, and for a part of a text', () => {
  let hash = FNV_BASIS;
  for (const letter of 'foobar') hash = fnvStep(hash, letter.charCodeAt(0));
  expect(hash).toBe(fnvHash('foobar'));
  expect(fnvHash('a foobar', 2)).toBe(hash);
  expect(fnvHash('a foobar b', 2, 8)).toBe(hash);
});

test('mixed hashes remain distinct, and one bit changes half of the others', () => {
  const mixed = new Set(Array.from({ length: 50_000 }, (_, i) => mixHash(i)));
  expect(mixed.size).toBe(50_000);
  let changed = 0;
  for (let i = 0; i < 1000; i++) changed += (mixHash(i) ^ mixHash(i ^ 1)).toString(2).replace(/[^1]/g, '').length;
  for (const value of mixed) expect(value).toBeGreaterThanOrEqual(0);
  expect(changed / 1000).toBeGreaterThan(12);
});
