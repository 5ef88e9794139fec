import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { perform } from '#src/admin/audit/act.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { createBackupAct, DOWNLOAD_BACKUP } from '#src/parts/host/backup/backup-acts.ts';
import { backupName } from '#src/parts/host/backup/backup-folder.ts';
import { runBackup } from '#src/parts/host/backup/run-backup.ts';
import { backupFolderOf } from '#src/parts/monitoring/open-alerts.ts';
import type { BackupOperations } from '#src/service/server/admin/backup-routes.ts';
import { type ConsoleService, consolePlace } from './console-service.ts';

/** Returns the backup operations of the console. A stop cancels a running backup, which leaves no file. */
export function consoleBackups(service: ConsoleService & { readonly stopping: AbortSignal }): BackupOperations {
  const folder = () => backupFolderOf(service.running());
  // The archive package is loaded on demand.
  const files = () => import('#src/parts/host/backup/list-backups.ts');
  return {
    async list() {
      const { backupsIn } = await files();
      const found = await backupsIn(folder());
      return found.map(({ file, bytes, about, complete }) => ({
        ...{ name: file, created_at: about.made_at, bytes, complete, version: about.version, checks: about.checks },
      }));
    },
    async schedule() {
      const { backup_at, backup_dir, backup_keep } = service.running();
      return { at: backup_at, dir: backup_dir, keep: backup_keep };
    },
    create: (by) =>
      service.heavy.run(async () => {
        const name = backupName(systemClock.now());
        const path = join(folder(), name);
        mkdirSync(folder(), { recursive: true, mode: 0o700 });
        const write = (file: string) => runBackup(file, service.running(), service.stopping);
        await perform(createBackupAct<void>(), { ...consolePlace(service), write }, by, path);
        return name;
      }),
    async open(by, name) {
      const { findBackup } = await files();
      const found = await findBackup(folder(), name);
      return found && (await perform(DOWNLOAD_BACKUP, consolePlace(service), by, found.path));
    },
  };
}
