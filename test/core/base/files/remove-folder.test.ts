import { expect, test } from 'bun:test';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { removeFolder } from '#src/core/base/files/remove-folder.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

test('a folder goes even if somebody else removes a part of it meanwhile', async () => {
  for (let round = 0; round < 12; round++) {
    await using directory = temporaryDirectory();
    const folder = `${directory.path}/browser`;
    for (let at = 0; at < 12; at++) {
      mkdirSync(`${folder}/profile/${at}`, { recursive: true });
      for (const name of 'abcdefgh') writeFileSync(`${folder}/profile/${at}/${name}`, '');
    }
    await Promise.all([
      rm(`${folder}/profile`, { recursive: true, force: true }).catch(() => {}),
      removeFolder(folder),
    ]);
    expect(existsSync(folder)).toBe(false);
  }
  await removeFolder('/no/such/folder');
});
