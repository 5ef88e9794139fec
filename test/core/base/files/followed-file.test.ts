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

test('takes up each version of a file once', async () => {
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

test('reports a file that cannot be read once, and takes it up when it can', async () => {
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

test('gives a stamp to a file that cannot be seen, instead of throwing', async () => {
  await using directory = temporaryDirectory();
  const path = join(directory.path, 'file');
  writeFileSync(path, '');
  expect(stampOf(join(path, 'below'))).toBe('ENOTDIR');
  expect(stampOf(join(directory.path, 'none'))).toBe('');
});
