import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '#src/app/config.ts';
import { backupKeyToMake, noteKeyCopy } from '#src/parts/backup/archive/backup-mac.ts';
import { examineBackupKey } from '#src/parts/backup/examine-backup-key.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

test('doctor advises until a copy of this key of backups is noted', async () => {
  await using directory = temporaryDirectory();
  const { values } = readConfig({ flags: { 'data-dir': [directory.path] }, environment: {}, file: null });
  const path = join(directory.path, 'backup.key');
  const state = async () => (await examineBackupKey(values)).map((finding) => finding.state);
  expect(await state()).toEqual([]);
  const key = await backupKeyToMake(values);
  expect(await state()).toEqual(['advice']);
  noteKeyCopy(path, 'that of another key', 0);
  expect(await state()).toEqual(['advice']);
  noteKeyCopy(path, key?.id ?? '', 0);
  expect(await state()).toEqual(['ok']);
  writeFileSync(`${path}.copied`, '{"key":');
  expect(await state()).toEqual(['advice']);
  writeFileSync(path, 'too short');
  expect(await state()).toEqual(['fault']);
});
