import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { BackupAbout } from './backup-format.ts';
import { isComplete } from './is-complete.ts';
import { readBackupAbout } from './read-backup.ts';

/** A backup in a folder. */
export interface ListedBackup {
  /** Its name in the folder. */
  readonly file: string;
  readonly bytes: number;
  readonly about: BackupAbout;
  readonly complete: boolean;
}

/** Returns the backups in a folder, latest first; other files are skipped. None if there is no such folder. */
export async function backupsIn(folder: string): Promise<ListedBackup[]> {
  const files = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found = await Promise.all(
    files.filter((entry) => entry.isFile()).map(({ name }) => backupIn(folder, name).then((one) => (one ? [one] : []))),
  );
  return found.flat().toSorted((a, b) => b.about.made_at.localeCompare(a.about.made_at));
}

/** A name of a file, and of nothing in another folder; hidden ones are work in progress. */
const NAME = /^[A-Za-z0-9_][A-Za-z0-9._+=@-]{0,199}$/;

/** Returns a backup by its name in a folder; null if the name cannot be one, or is not that of a backup. */
export async function findBackup(folder: string, name: string): Promise<(ListedBackup & { path: string }) | null> {
  if (!NAME.test(name)) return null;
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  // A link could lead to a file that who made it may not read.
  if (!entries.some((entry) => entry.name === name && entry.isFile())) return null;
  const found = await backupIn(folder, name);
  return found && { ...found, path: join(folder, name) };
}

async function backupIn(folder: string, file: string): Promise<ListedBackup | null> {
  const path = join(folder, file);
  const about = await readBackupAbout(path).catch(() => null);
  return about === null ? null : { file, bytes: (await stat(path)).size, about, complete: await isComplete(path) };
}
