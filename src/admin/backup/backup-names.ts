import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

/** The key of the MACs of backups, which none of them may hold. */
export const BACKUP_KEY = 'backup.key';

/**
 * What belongs to one process, or follows from the logs, so that a service creates it again; and the databases, which
 * are copied in another way.
 */
const EXCLUDED =
  /^(?:serve\.|(?:public|private|feedback)\.|(?:retention|examined)\.clock$|audit\.lock$|backup\.key|\.)|\.new$/;

/** Scheduled backups, where the operator named no other folder for them. */
const SCHEDULED = 'backups/';

/** What a backup may call a file: what else lies in a data directory, none of ours put there. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/**
 * Returns the files of a data directory that a backup contains beside the logs, by their paths in it: keys, configured
 * brands, models, and whatever else is stored there in future.
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
