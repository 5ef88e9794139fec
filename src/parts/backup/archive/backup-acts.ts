import { basename } from 'node:path';
import type { ActPlace, OperatorAct } from '#src/admin/audit/act.ts';
import type { BackupAbout } from './backup-format.ts';
import type { RestoredBackup, RestoreOptions } from './restore-backup.ts';

/** An installation, and how it writes a backup to a file that does not exist. */
export interface BackupPlace<Written> extends ActPlace {
  readonly write: (path: string) => Promise<Written>;
}

const OF_BACKUPS = { scope: 'admin', input: null, files: [] } as const;

/** Creates a backup at a path. */
export function createBackupAct<Written>() {
  return {
    name: 'backup.create',
    ...OF_BACKUPS,
    isHeavy: true,
    prepare: async (path) => path,
    audit: (path) => ({ subject: basename(path) }),
    commit: async (path, { write }) => await write(path),
  } as const satisfies OperatorAct<string, string, Written, BackupPlace<Written>>;
}

/** Opens a backup for a client of the console. */
export const DOWNLOAD_BACKUP: OperatorAct<string, string, Bun.BunFile> = {
  name: 'backup.download',
  ...OF_BACKUPS,
  prepare: async (path) => path,
  audit: (path) => ({ subject: basename(path) }),
  commit: async (path) => Bun.file(path),
};

/** A backup to restore, and the result once it is restored. */
interface RestoreDraft {
  readonly path: string;
  readonly options: RestoreOptions;
  restored: RestoredBackup | null;
}

/** Restores a backup to the data directory, which gets the audit log of the backup with it. */
export const RESTORE_BACKUP: OperatorAct<Omit<RestoreDraft, 'restored'>, RestoreDraft, BackupAbout> = {
  name: 'backup.restore',
  ...OF_BACKUPS,
  isRecordedAfter: true,
  prepare: async (backup) => ({ ...backup, restored: null }),
  audit({ restored }) {
    const { made_at = null, machine = null } = restored?.about ?? {};
    return { subject: null, detail: { made_at, machine, origin: restored?.origin ?? null } };
  },
  async commit(draft, { dataDir }) {
    const { restoreBackup } = await import('./restore-backup.ts');
    draft.restored = await restoreBackup(draft.path, dataDir, draft.options);
    return draft.restored.about;
  },
};
