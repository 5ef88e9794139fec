import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { audited } from '#src/admin/audit/audit-log.ts';
import { backupName } from '#src/admin/backup/backup-folder.ts';
import { runBackup } from '#src/admin/backup/run-backup.ts';
import { systemClock } from '#src/core/base/clock.ts';
import type { BackupOperations } from '#src/service/server/admin/backup-routes.ts';
import { backupFolderOf } from '../open-alerts.ts';
import type { ConsoleService } from './console-service.ts';

/** Returns the backup operations of the console. A stop cancels a running backup, which leaves no file. */
export function consoleBackups(service: ConsoleService & { readonly stopping: AbortSignal }): BackupOperations {
  const folder = () => backupFolderOf(service.running());
  // The archive package is loaded on demand.
  const files = () => import('#src/admin/backup/list-backups.ts');
  return {
    async list() {
      const { backupsIn } = await files();
      const found = await backupsIn(folder());
      return found.map(({ file, bytes, about, complete }) => ({
        ...{ name: file, created_at: about.made_at, bytes, complete, version: about.version, checks: about.checks },
      }));
    },
    schedule() {
      const { backup_at, backup_dir, backup_keep } = service.running();
      return { at: backup_at, dir: backup_dir, keep: backup_keep };
    },
    create: (by) =>
      service.heavy.run(async () => {
        const name = backupName(systemClock.now());
        const path = join(folder(), name);
        mkdirSync(folder(), { recursive: true, mode: 0o700 });
        const { data_dir: dataDir } = service.running();
        await audited(dataDir, by, { action: 'backup.create', subject: name }, () =>
          runBackup(path, service.running(), service.stopping),
        );
        return basename(path);
      }),
    async open(by, name) {
      const { findBackup } = await files();
      const found = await findBackup(folder(), name);
      if (found === null) return null;
      const { data_dir: dataDir } = service.running();
      return await audited(dataDir, by, { action: 'backup.download', subject: name }, async () => Bun.file(found.path));
    },
  };
}
