import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { upgradeBackup } from '#src/checks/store/file/backup.ts';
import { MIGRATIONS } from '#src/checks/store/file/migrate.ts';
import { VISIBILITIES } from '#src/core/base/visibility.ts';
import { BackupError } from '#src/parts/backup/archive/backup-format.ts';
import { isTooNew, undoUpgrade } from '#src/parts/host/upgrade/undo-upgrade.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { logContents } from './log-contents.ts';

const schema = MIGRATIONS.length;

/**
 * A data directory that a newer version has migrated, by statements of its own, after five checks in each log, and that has
 * logged seven more since; with the copies of that moment, and a backup from before.
 */
function migrated(folder: string, statement = 'create table of_a_later_version (id integer)') {
  const [dataDir, backup] = [join(folder, 'data'), join(folder, 'before.backup')];
  const child = Bun.spawnSync([process.execPath, join(import.meta.dir, 'migrate-child.ts'), folder, statement]);
  if (!child.success) throw new Error(child.stderr.toString());
  const before: unknown = JSON.parse(child.stdout.toString());
  const pathOf = (visibility: string) => join(dataDir, `${visibility}.sqlite`);
  return { dataDir, pathOf, before, order: { dataDir, schema, backup, nowMs: Date.UTC(2026, 0, 31) } };
}

test.each(['copy', 'backup'] as const)(
  'logs that a newer version migrated are restored from the %s, with every check logged since',
  async (source) => {
    await using directory = temporaryDirectory();
    const { dataDir, pathOf, before, order } = migrated(directory.path);
    if (source === 'backup') for (const one of VISIBILITIES) rmSync(upgradeBackup(pathOf(one), schema));
    expect(isTooNew(dataDir, schema)).toBe(true);
    const undone = await undoUpgrade(order);
    expect(undone).toEqual(
      VISIBILITIES.map((visibility) => ({
        visibility,
        source,
        carried: 7,
        missing: 0,
        aside: `${pathOf(visibility)}.newer-20260131T000000000Z`,
      })),
    );
    expect([isTooNew(dataDir, schema), await undoUpgrade(order)]).toEqual([false, []]);
    expect(JSON.parse(JSON.stringify(await logContents(dataDir)))).toEqual(before);
    for (const { aside } of undone) {
      using newer = new Database(aside);
      expect(newer.query('select count(*) as n from checks').get()).toEqual({ n: 12 });
    }
  },
);

test('counts checks of a newer format, which stay in the newer file', async () => {
  await using directory = temporaryDirectory();
  const { dataDir, order } = migrated(directory.path, 'alter table checks rename column record to packed');
  expect((await undoUpgrade(order)).map(({ carried, missing }) => [carried, missing])).toEqual([
    [0, 7],
    [0, 7],
  ]);
  const { public: kept, notices } = await logContents(dataDir);
  expect([kept.length, notices.join()]).toEqual([5, expect.stringContaining('7 checks')]);
});

test('restores nothing and changes nothing while a service runs, or without a copy', async () => {
  await using directory = temporaryDirectory();
  const { dataDir, order, pathOf } = migrated(directory.path);
  for (const one of VISIBILITIES) rmSync(upgradeBackup(pathOf(one), schema));
  const files = readdirSync(dataDir).toSorted();
  expect(undoUpgrade({ ...order, backup: null })).rejects.toBeInstanceOf(BackupError);
  expect(undoUpgrade({ ...order, backup: join(directory.path, 'none') })).rejects.toBeInstanceOf(BackupError);
  const lock = new Database(join(dataDir, 'serve.lock'));
  lock.run('begin exclusive');
  expect(undoUpgrade(order)).rejects.toMatchObject({ code: 'locked' });
  lock.close();
  expect([readdirSync(dataDir).toSorted(), isTooNew(dataDir, schema)]).toEqual([files, true]);
  expect(existsSync(pathOf('public'))).toBe(true);
});
