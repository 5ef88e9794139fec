import { basename } from 'node:path';
import type { ActPlace, OperatorAct } from '#src/admin/audit/act.ts';

/** An installation, and how it writes a backup to a file that does not exist. */
export interface BackupPlace<Written> extends ActPlace {
  readonly write: (path: string) => Promise<Written>;
}

const OF_BACKUPS = { scope: 'admin', input: null, files: [] } as const;

/** Creates a backup. */
export function createBackupAct<Written>(): OperatorAct<string, string, Written, BackupPlace<Written>> {
  return {
    name: 'backup.create',
    ...OF_BACKUPS,
    prepare: async (path) => path,
    audit: (path) => ({ subject: basename(path) }),
    commit: async (path, { write }) => await write(path),
  };
}

/** Opens a backup for a client of the console. */
export const DOWNLOAD_BACKUP: OperatorAct<string, string, Bun.BunFile> = {
  name: 'backup.download',
  ...OF_BACKUPS,
  prepare: async (path) => path,
  audit: (path) => ({ subject: basename(path) }),
  commit: async (path) => Bun.file(path),
};
