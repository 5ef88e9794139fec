import { existsSync, renameSync } from 'node:fs';

/** Renames a file that is not a database, and what belongs to it, and says how it is called now. */
export function keepAside(path: string, nowMs: number): string {
  const stamp = new Date(nowMs).toISOString().replace(/[-:.]/g, '');
  const aside = `${path}.damaged-${stamp}`;
  // The file itself goes last: until then the next start finds the same damage and tries again.
  for (const suffix of ['-shm', '-wal', '']) {
    if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
  }
  return aside;
}
