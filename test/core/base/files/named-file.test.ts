import { expect, test } from 'bun:test';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { readNamedFile } from '#src/core/base/files/named-file.ts';
import { SettingsError } from '#src/core/base/settings/setting-source.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

async function problemOf(path: string): Promise<string> {
  const error = await readNamedFile('the_list', path).catch((reason: unknown) => reason);
  if (!(error instanceof SettingsError)) throw error;
  return error.message;
}

test('a file that a setting names is read as text', async () => {
  await using directory = temporaryDirectory();
  const path = join(directory.path, 'list, one.txt');
  await Bun.write(path, 'bücher.example\n');
  expect(await readNamedFile('the_list', path)).toBe('bücher.example\n');
});

test('an unreadable file is reported with its setting, its path and the reason', async () => {
  await using directory = temporaryDirectory();
  const at = (...names: string[]) => join(directory.path, ...names);
  await Bun.write(at('file'), '');
  await symlink(at('round'), at('round'));
  expect(await Promise.all([at('none'), at('file', 'none'), at(), at('round')].map(problemOf))).toEqual([
    `the_list is "${at('none')}", which does not exist`,
    `the_list is "${at('file', 'none')}", which does not exist`,
    `the_list is "${at()}", which is a folder`,
    `the_list is "${at('round')}", which cannot be read (ELOOP)`,
  ]);
});
