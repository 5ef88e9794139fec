import { better, broken, type Examination, well } from '#src/app/doctor/finding.ts';
import { StoreError } from '#src/checks/store/store-error.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import { INSTALLED_BACKUP_KEY, INSTALLED_DATA_DIR } from '#src/core/base/files/installation.ts';
import { backupKeyPath, backupKeyToVerify, keyCopiedAt } from '#src/parts/backup/archive/backup-mac.ts';

/** Reports the location of the key of backups, and whether it would be lost with this disk. */
export const examineBackupKey: Examination = async (config) => {
  const path = backupKeyPath(config);
  try {
    const key = await backupKeyToVerify(config);
    // The first backup creates it.
    if (key === null) return [];
    if (path !== INSTALLED_BACKUP_KEY && config.backup_key_file === null && config.data_dir === INSTALLED_DATA_DIR) {
      const text = `The key of backups lies in the data directory: ${path}.`;
      return [better('backup_key', text, 'lurecheck backup key, as root, moves it out of what it protects.')];
    }
    const copiedAt = keyCopiedAt(path, key.id);
    if (copiedAt !== null) return [well('backup_key', `Key ${key.id} of backups was copied on ${copiedAt}.`)];
    return [
      better(
        'backup_key',
        `No copy of the key of backups, ${path}, is noted: after the loss of this disk, no backup could be verified.`,
        'Store a copy away from this host and from the backups: lurecheck backup key FILE.',
      ),
    ];
  } catch (error) {
    if (!(error instanceof OperationError || error instanceof StoreError)) throw error;
    return [broken('backup_key', error.message, 'Put your copy of the key there.')];
  }
};
