import { INSTALLED_BACKUP_KEY, INSTALLED_DATA_DIR } from '#src/core/base/files/installation.ts';
import { idsOf, permissionsAt } from './file-facts.ts';
import type { SystemChange } from './system-change.ts';

/** Former place of the key of backups. */
const FORMER = `${INSTALLED_DATA_DIR}/backup.key`;

/** Plans the key of backups in the folder of settings, which outlives the data: a new one, or the former one, moved. */
export function planBackupKey(root: string): SystemChange {
  const path = INSTALLED_BACKUP_KEY;
  if (permissionsAt(root, path) !== null) return { kind: 'same', path };
  return { kind: 'key', path, from: permissionsAt(root, FORMER) === null ? null : FORMER };
}

/** Returns true if the user exists who has to read the key. */
export const hasServiceUser = (root: string): boolean => idsOf(root, 'root:lurecheck') !== null;
