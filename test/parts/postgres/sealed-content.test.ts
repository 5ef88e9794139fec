import { expect, test } from 'bun:test';
import { StoreError } from '#src/checks/store/store-error.ts';
import { createContentSeal } from '#src/parts/postgres/shared-documents.ts';

test('opens sealed content only if it is unchanged, with its key, name and version', () => {
  const seal = createContentSeal(Buffer.alloc(32, 1));
  const content = seal.seal(Buffer.from('a secret ü'), 'keys', 7);
  expect(content.toString('latin1')).not.toContain('secret');
  expect(seal.open(content, 'keys', 7).toString()).toBe('a secret ü');
  expect(() => createContentSeal(Buffer.alloc(32, 2)).open(content, 'keys', 7)).toThrow(StoreError);
  expect(() => seal.open(content, 'lists', 7)).toThrow(StoreError);
  expect(() => seal.open(content, 'keys', 8)).toThrow(StoreError);
  for (const at of [0, 12, content.length - 1]) {
    const changed = Buffer.from(content);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => seal.open(changed, 'keys', 7)).toThrow(StoreError);
  }
  expect(() => seal.open(content.subarray(0, 5), 'keys', 7)).toThrow(StoreError);
});
