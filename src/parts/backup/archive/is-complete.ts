import { type FileHandle, open } from 'node:fs/promises';
import { MANIFEST_FILE } from './backup-format.ts';

/** Bytes in a block of a tar archive (POSIX ustar), of which headers and contents are made. */
const BLOCK = 512;

/**
 * Returns true if a backup is complete up to its manifest and end. It reads only the headers of files, so that listing
 * large backups on slow media is fast; only `readBackup` verifies their contents.
 */
export async function isComplete(path: string): Promise<boolean> {
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
