import { statfsSync } from 'node:fs';

/** Free space for this user on the file system of a path, in whole percents, rounded down. */
export function freeDiskPercent(path: string): number {
  const { bavail, blocks } = statfsSync(path);
  return blocks === 0 ? 0 : Math.floor((100 * bavail) / blocks);
}

/** Free space for this user on the file system of a path. */
export function freeDiskBytes(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}
