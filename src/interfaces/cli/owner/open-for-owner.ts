import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  constants,
  copyFileSync,
  fchownSync,
  fstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  rmSync,
  type Stats,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DirectoryOwner } from './named-files.ts';

const COPY_BYTES = 1024 * 1024;

/**
 * Opens a file, a stream or a folder with the rights of root; returns a path by which the owner of the data directory can read
 * it. What cannot be opened stays as it was named, so that the command reports it.
 */
export function openForOwner(path: string, owner: DirectoryOwner, dataDir: string): string {
  let file: number;
  try {
    // A FIFO without a writer would be waited for; the command waits for it as it always did.
    file = openSync(path, constants.O_RDONLY);
  } catch {
    return path;
  }
  const found = fstatSync(file);
  const byDescriptor = `/proc/self/fd/${file}`;
  if (found.isDirectory()) return copyFolder(path, owner);
  if (found.isFIFO() && isAnonymous(byDescriptor)) fchownSync(file, owner.uid, owner.gid);
  if (!found.isFile() || mayRead(found, owner)) return byDescriptor;
  return `/proc/self/fd/${copyFile(file, owner, dataDir)}`;
}

/** Returns true if a pipe has no name: no other process can open it, no matter who owns it. */
function isAnonymous(byDescriptor: string): boolean {
  return readlinkSync(byDescriptor).startsWith('pipe:[');
}

/**
 * Returns true if the owner may read a file: its descriptor is opened again by the rights of the file, regardless of
 * its folders.
 */
function mayRead({ mode, uid, gid }: Stats, owner: DirectoryOwner): boolean {
  if (uid === owner.uid) return (mode & 0o400) !== 0;
  return (mode & (gid === owner.gid ? 0o040 : 0o004)) !== 0;
}

/** Copies a file that only root may read to one without a name, which is gone with this process. */
function copyFile(from: number, { uid, gid }: DirectoryOwner, dataDir: string): number {
  const path = join(dataDir, `.in-${randomUUID()}`);
  const copy = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600);
  unlinkSync(path);
  fchownSync(copy, uid, gid);
  const buffer = new Uint8Array(COPY_BYTES);
  for (let read = readSync(from, buffer); read > 0; read = readSync(from, buffer)) {
    for (let written = 0; written < read; ) written += writeSync(copy, buffer, written, read - written);
  }
  return copy;
}

/** Copies the files of a folder, as of a model, which are few and small. */
function copyFolder(path: string, { uid, gid }: DirectoryOwner): string {
  const folder = mkdtempSync(join(tmpdir(), 'lurecheck-'));
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const copy = join(folder, entry.name);
    copyFileSync(join(path, entry.name), copy);
    chownSync(copy, uid, gid);
    chmodSync(copy, 0o600);
  }
  chownSync(folder, uid, gid);
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
