import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import { upgradeBackup } from '#src/checks/store/file/backup.ts';
import { MIGRATIONS } from '#src/checks/store/file/migrate.ts';
import { VISIBILITIES } from '#src/core/base/visibility.ts';
import { backupKeyToMake } from '#src/parts/backup/archive/backup-mac.ts';
import { createBackup } from '#src/parts/backup/archive/create-backup.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { logContents } from './log-contents.ts';
import { openLog } from './open-log.ts';

/**
 * Does to a data directory what a newer version would: for `undo-upgrade.test.ts`, as a process of its own, since what one has
 * open it lets go of at its end. Logs five checks into each log, makes the copies of an upgrade and a backup, logs seven more,
 * prints all that can be read, and migrates by the statements given.
 */
const [folder = '', ...statements] = process.argv.slice(2);
const dataDir = join(folder, 'data');
const pathOf = (visibility: string) => join(dataDir, `${visibility}.sqlite`);

{
  await using log = await openLog(dataDir);
  const add = async (count: number) => {
    for (const visibility of VISIBILITIES) {
      for (let n = 0; n < count; n++) await log.append(sampleRecord({ visibility, client: '192.0.2.1' }));
    }
  };
  await add(5);
  for (const one of VISIBILITIES) log.backUp(one, upgradeBackup(pathOf(one), MIGRATIONS.length));
  await createBackup(join(folder, 'before.backup'), {
    dataDir,
    log,
    key: await backupKeyToMake({ data_dir: dataDir, backup_key_file: null }),
    nowMs: 0,
  });
  await add(7);
}
process.stdout.write(JSON.stringify(await logContents(dataDir)));
for (const visibility of VISIBILITIES) {
  using database = new Database(pathOf(visibility));
  for (const statement of statements) database.run(statement);
  database.run(`pragma user_version = ${MIGRATIONS.length + 1}`);
}
