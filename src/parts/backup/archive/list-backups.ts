import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type BackupAbout, MANIFEST_FILE } from './backup-format.ts';
import { readBackupAbout } from './read-backup.ts';

/** Bytes in a block of a tar archive (POSIX ustar), of which headers and contents are made. */
const BLOCK = 512;

/**
 * Returns true if a backup is complete up to its manifest and end. It reads only the headers of files, so that listing
 * large backups on slow media is fast; only `readBackup` verifies their contents.
 */
async function isComplete(path: string): Promise<boolean> {
  await using file = await open(path);
  const { size } = await file.stat();
  let isManifest = false;
  for (let at = 0; at + BLOCK <= size; ) {
    const header = await blockAt(file, at);
    if (header.every((byte) => byte === 0)) return isManifest;
    isManifest = header.toString('latin1', 0, 100).replace(/\0.*$/s, '') === MANIFEST_FILE;
    at += BLOCK + Math.ceil(sizeIn(header) / BLOCK) * BLOCK;
  }
  return false;
}

async function blockAt(file: FileHandle, at: number): Promise<Buffer> {
  const { buffer } = await file.read(Buffer.alloc(BLOCK), 0, BLOCK, at);
  return buffer;
}

/** Octal digits; from 8 GiB on a number in binary behind a set bit, as GNU tar and tar-stream write it. */
function sizeIn(header: Buffer): number {
  if ((header[124] ?? 0) & 0x80) return Number(header.readBigUInt64BE(128));
  return Number.parseInt(header.toString('latin1', 124, 136), 8) || 0;
}

/** A backup in a folder. */
interface ListedBackup {
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
