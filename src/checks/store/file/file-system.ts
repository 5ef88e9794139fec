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

/** A part of a large disk is more than any log needs to go on, and of a small one less. */
const MAX_FLOOR_BYTES = 1024 ** 3;
const MIN_FLOOR_BYTES = 16 * 1024 ** 2;

/**
 * What is missing on the file system of a path to `percent` of it, but 16 MiB at least and 1 GiB at most, in free bytes; 0
 * where nothing is, and for 0 percent.
 */
export function missingDiskBytes(path: string, percent: number): number {
  if (percent === 0) return 0;
  const { bavail, blocks, bsize } = statfsSync(path);
  const floor = Math.max(MIN_FLOOR_BYTES, Math.min((blocks * bsize * percent) / 100, MAX_FLOOR_BYTES));
  return Math.max(0, floor - bavail * bsize);
}

/** Types of file systems (statfs(2), Linux `magic.h`) on which locks and shared memory cannot be relied on. */
const NETWORK_FILE_SYSTEMS = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x01021997, '9p'],
]);

/** The network file system that a path lies on; null where it lies on none that is known. */
export function networkFileSystem(path: string): string | null {
  return NETWORK_FILE_SYSTEMS.get(statfsSync(path).type >>> 0) ?? null;
}
