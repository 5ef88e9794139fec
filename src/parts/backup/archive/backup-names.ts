import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

/** The key of the MACs of backups, which none of them may hold. */
export const BACKUP_KEY = 'backup.key';

/** Files of one process, files that a service derives from the logs, and databases, which are copied separately. */
const EXCLUDED =
  /^(?:serve\.|(?:public|private|feedback)\.|(?:retention|examined)\.clock$|audit\.lock$|backup\.key|\.)|\.new$/;

/** Default folder of scheduled backups. */
const SCHEDULED = 'backups/';

/** Allowed names of files in a backup; other files in a data directory are not the program's. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/**
 * Returns the paths of the files to back up besides the logs: keys, configured brands, models, and any file that is
 * added in future.
 */
export function filesBesideLogs(dataDir: string): string[] {
  return filesIn(dataDir, dataDir)
    .filter((name) => !EXCLUDED.test(name) && !name.startsWith(SCHEDULED))
    .toSorted();
}

function filesIn(root: string, folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (!NAME.test(entry.name)) return [];
    if (entry.isDirectory()) return filesIn(root, path);
    return entry.isFile() ? [relative(root, path)] : [];
  });
}
