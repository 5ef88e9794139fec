import { expect, test } from 'bun:test';
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readJournal, writeJournal } from '#src/parts/host/upgrade/journal.ts';
import { digestOf } from '#src/parts/host/upgrade/released-file.ts';
import { hasEarlier, replaceProgram, restoreEarlier } from '#src/parts/host/upgrade/replace-program.ts';
import { upgradePaths } from '#src/parts/host/upgrade/upgrade-context.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

/** An executable, and one that was verified to replace it. */
async function preparedIn(folder: string) {
  const paths = upgradePaths(join(folder, 'lurecheck'));
  const program = join(paths.folder, 'program');
  mkdirSync(paths.folder, { mode: 0o700 });
  writeFileSync(paths.program, 'old', { mode: 0o755 });
  writeFileSync(program, 'new', { mode: 0o755 });
  const journal = {
    format: 1 as const,
    state: 'replacing' as const,
    begun_at: '2026-11-23T12:00:00.000Z',
    from: { version: '0.1.0', sha256: await digestOf(paths.program), schema: 1 },
    to: { version: '0.2.0', sha256: await digestOf(program) },
    services: [],
    reason: null,
  };
  const silent = async () => {};
  const context = { paths, patienceMs: 1, now: () => 0, say: silent, warn: silent };
  return {
    paths,
    journal,
    program,
    replace: () => replaceProgram({ program, journal, [Symbol.dispose]() {} }, context),
  };
}

test('the rollback of the previous upgrade is available until this upgrade has its own', async () => {
  await using directory = temporaryDirectory();
  const { paths, journal, program, replace } = await preparedIn(directory.path);
  // 0.0.9 was replaced by 0.1.0 before.
  writeFileSync(paths.previous, 'oldest', { mode: 0o755 });
  const before = { version: '0.0.9', sha256: await digestOf(paths.previous), schema: 1 };
  const earlier = { ...journal, state: 'upgraded', from: before, to: journal.from } as const;
  await writeJournal(paths, earlier);
  appendFileSync(program, 'x');
  await expect(replace()).rejects.toThrow('was changed after it was verified');
  expect([readFileSync(paths.previous, 'utf8'), readJournal(paths), hasEarlier(paths)]).toEqual([
    'oldest',
    earlier,
    false,
  ]);
  writeFileSync(program, 'new', { mode: 0o755 });
  await replace();
  expect(readFileSync(paths.previous, 'utf8')).toBe('old');
  // As after a new version that did not become ready.
  await restoreEarlier(paths);
  expect([readFileSync(paths.previous, 'utf8'), readJournal(paths), hasEarlier(paths)]).toEqual([
    'oldest',
    earlier,
    false,
  ]);
});

test('a verified executable replaces the old one, which stays beside it', async () => {
  await using directory = temporaryDirectory();
  const { paths, replace } = await preparedIn(directory.path);
  await replace();
  expect([paths.program, paths.previous].map((path) => readFileSync(path, 'utf8'))).toEqual(['new', 'old']);
});

test.each([
  ['changed', (program: string) => appendFileSync(program, 'x')],
  [
    'replaced',
    (program: string) => {
      writeFileSync(`${program}.evil`, 'evil', { mode: 0o755 });
      renameSync(`${program}.evil`, program);
    },
  ],
])('an executable that was %s after verification is not installed', async (_, attack) => {
  await using directory = temporaryDirectory();
  const { paths, program, replace } = await preparedIn(directory.path);
  attack(program);
  await expect(replace()).rejects.toThrow('was changed after it was verified');
  expect(readFileSync(paths.program, 'utf8')).toBe('old');
  expect([existsSync(paths.previous), existsSync(paths.journal)]).toEqual([false, false]);
});
