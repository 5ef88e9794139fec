import { existsSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';

/** Formats a moment for a file name. */
export function fileStamp(nowMs: number): string {
  return new Date(nowMs).toISOString().replace(/[-:.]/g, '');
}

const ASIDE = '.damaged-';

/** Renames an unusable file and its side files. Returns its new path. */
export function quarantineFile(path: string, nowMs: number): string {
  const aside = `${path}${ASIDE}${fileStamp(nowMs)}`;
  // The file itself is renamed last: until then the next start finds the same damage and retries.
  for (const suffix of ['-shm', '-wal', '']) {
    if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
  }
  return aside;
}

/** Returns the quarantined files of a data directory. */
export function quarantinedFilesIn(dataDir: string): string[] {
  return readdirSync(dataDir)
    .filter((name) => name.includes(ASIDE))
    .toSorted()
    .map((name) => join(dataDir, name));
}
