import { expect, test } from 'bun:test';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { planBackupKey } from '#src/parts/host/installation/plan-install.ts';
import { applyChange } from '#src/parts/host/installation/system-change.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const KEY = '/etc/lurecheck/backup.key';
const FORMER = '/var/lib/lurecheck/backup.key';

/** A tree with the user of the service. */
function hostIn(root: string): void {
  for (const folder of ['/etc/lurecheck', dirname(FORMER)]) mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, '/etc/passwd'), 'lurecheck:x:977:976::/:/\n');
  writeFileSync(join(root, '/etc/group'), 'lurecheck:x:976:\n');
}

const isRoot = process.geteuid?.() === 0;

test.if(isRoot)('the key of backups is created beside the settings, once, for root and the service', async () => {
  await using directory = temporaryDirectory();
  const root = directory.path;
  hostIn(root);
  await applyChange(planBackupKey(root), root);
  const { mode, uid, gid, size } = statSync(join(root, KEY));
  expect([mode & 0o777, uid, gid, size]).toEqual([0o640, 0, 976, 32]);
  expect(planBackupKey(root)).toEqual({ kind: 'same', path: KEY });
});

test.if(isRoot)('a key in the data directory is moved, and nothing else is taken for one', async () => {
  await using directory = temporaryDirectory();
  const root = directory.path;
  hostIn(root);
  const former = new Uint8Array(32).fill(7);
  for (const lay of [
    () => writeFileSync(join(root, FORMER), 'too short'),
    () => mkdirSync(join(root, FORMER)),
    () => {
      writeFileSync(join(root, 'secret'), former);
      symlinkSync(join(root, 'secret'), join(root, FORMER));
    },
  ]) {
    lay();
    await expect(applyChange(planBackupKey(root), root)).rejects.toThrow();
    expect(existsSync(join(root, KEY))).toBe(false);
    rmSync(join(root, FORMER), { recursive: true });
  }
  writeFileSync(join(root, FORMER), former);
  await applyChange(planBackupKey(root), root);
  expect([readFileSync(join(root, KEY)), existsSync(join(root, FORMER))]).toEqual([Buffer.from(former), false]);
});
