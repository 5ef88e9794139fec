import { existsSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';

/** A moment as it stands in the name of a file. */
export function fileStamp(nowMs: number): string {
  return new Date(nowMs).toISOString().replace(/[-:.]/g, '');
}

const ASIDE = '.damaged-';

/** Renames a file that cannot be used, and what belongs to it, and says how it is called now. */
export function keepAside(path: string, nowMs: number): string {
  const aside = `${path}${ASIDE}${fileStamp(nowMs)}`;
  // The file itself goes last: until then the next start finds the same damage and tries again.
  for (const suffix of ['-shm', '-wal', '']) {
    if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
  }
  return aside;
}

/** The files of a data directory that were kept aside. */
export function keptAsideIn(dataDir: string): string[] {
  return readdirSync(dataDir)
    .filter((name) => name.includes(ASIDE))
    .toSorted()
    .map((name) => join(dataDir, name));
}
