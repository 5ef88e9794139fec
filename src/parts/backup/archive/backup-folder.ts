import { readdirSync, statSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Names of scheduled backups: the moment in UTC, so that the order of names is that of time. */
const NAME = /^lurecheck-\d{8}T\d{6}Z\.backup$/;

/** The name of a scheduled backup that is begun now. */
export function backupName(nowMs: number): string {
  return `lurecheck-${new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, '')}.backup`;
}

/** Settings of scheduled backups. */
export interface BackupSettings {
  readonly data_dir: string;
  readonly backup_at: { readonly hour: number; readonly minute: number } | null;
  readonly backup_dir: string | null;
  readonly backup_keep: number;
}

/** Returns the folder of scheduled backups: `backup_dir`, or `backups` in the data directory. */
export function backupFolderOf({ backup_dir, data_dir }: Pick<BackupSettings, 'backup_dir' | 'data_dir'>): string {
  return backup_dir ?? join(data_dir, 'backups');
}

/** A backup that the schedule has made. */
export interface ScheduledBackup {
  readonly path: string;
  /** Completion time, in milliseconds since the Unix epoch. */
  readonly madeMs: number;
}

/** Returns the scheduled backups in a folder, latest first; none if there is no such folder. */
export function scheduledBackupsIn(folder: string): ScheduledBackup[] {
  return namesIn(folder)
    .filter((name) => NAME.test(name))
    .toSorted()
    .toReversed()
    .map((name) => join(folder, name))
    .flatMap((path) => {
      const found = statSync(path, { throwIfNoEntry: false });
      return found?.isFile() ? [{ path, madeMs: found.mtimeMs }] : [];
    });
}

/** Removes all scheduled backups but the latest `keep`; files with other names stay. */
export function removeOldBackups(folder: string, keep: number): void {
  for (const { path } of scheduledBackupsIn(folder).slice(keep)) unlinkSync(path);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
