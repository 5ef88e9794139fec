import { expect, test } from 'bun:test';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { followFile, stampOf } from '#src/core/base/files/followed-file.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

function followed(path: string) {
  const seen: string[] = [];
  const problems: unknown[] = [];
  const file = followFile({
    path,
    since: { stamp: stampOf(path), problem: null },
    apply: () => void seen.push(readFileSync(path, 'utf8')),
    onProblem: (error) => problems.push(error),
  });
  return { file, seen, problems, [Symbol.dispose]: () => file[Symbol.dispose]() };
}

test('applies each version of a file once', async () => {
  await using directory = temporaryDirectory();
  const path = join(directory.path, 'file');
  using one = followed(path);
  await one.file.checkNow();
  expect(one.seen).toEqual([]);
  writeFileSync(path, 'first');
  expect(await one.file.checkNow()).toEqual({ stamp: stampOf(path), problem: null });
  await one.file.checkNow();
  expect(one.seen).toEqual(['first']);
});

test('reports an unreadable file once, and applies it once it is readable', async () => {
  await using directory = temporaryDirectory();
  const path = join(directory.path, 'file');
  using one = followed(path);
  mkdirSync(path);
  expect((await one.file.checkNow()).problem).toContain('EISDIR');
  for (let look = 0; look < 5; look++) await one.file.checkNow();
  expect(one.problems).toHaveLength(1);
  rmSync(path, { recursive: true });
  writeFileSync(path, 'well');
  expect((await one.file.checkNow()).problem).toBeNull();
  expect(one.seen).toEqual(['well']);
});

test('returns a stamp for an inaccessible file instead of throwing', async () => {
  await using directory = temporaryDirectory();
  const path = join(directory.path, 'file');
  writeFileSync(path, '');
  expect(stampOf(join(path, 'below'))).toBe('ENOTDIR');
  expect(stampOf(join(directory.path, 'none'))).toBe('');
});
