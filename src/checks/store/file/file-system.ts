import { statfsSync } from 'node:fs';

/** Returns the free space of a path's file system for this user, in whole percent, rounded down. */
export function freeDiskPercent(path: string): number {
  const { bavail, blocks } = statfsSync(path);
  return blocks === 0 ? 0 : Math.floor((100 * bavail) / blocks);
}

/** Returns the free space of a path's file system for this user, in bytes. */
export function freeDiskBytes(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}

/** Bounds of the floor: 5 % of a large disk is more than any log needs, of a small one too little. */
const MAX_FLOOR_BYTES = 1024 ** 3;
const MIN_FLOOR_BYTES = 16 * 1024 ** 2;

/**
 * Returns how many bytes are missing to `percent` of free space, bounded to 16 MiB and 1 GiB; 0 if none are, and for 0
 * percent.
 */
export function missingDiskBytes(path: string, percent: number): number {
  if (percent === 0) return 0;
  const { bavail, blocks, bsize } = statfsSync(path);
  const floor = Math.max(MIN_FLOOR_BYTES, Math.min((blocks * bsize * percent) / 100, MAX_FLOOR_BYTES));
  return Math.max(0, floor - bavail * bsize);
}

/** File system types (statfs(2), Linux `magic.h`) without reliable locks and shared memory. */
const NETWORK_FILE_SYSTEMS = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x01021997, '9p'],
]);

/** Returns the network file system of a path; null if it is on none of the known ones. */
export function networkFileSystem(path: string): string | null {
  return NETWORK_FILE_SYSTEMS.get(statfsSync(path).type >>> 0) ?? null;
}

/** Free inodes below which files cannot be created before long: logs, keys, lists and backups need a few dozen. */
const MIN_INODES = 100;

/** Room on the disk of a data directory. */
interface DiskRoom {
  /** Lacking thing; null if nothing is. */
  readonly lacks: 'bytes' | 'inodes' | null;
  /** The figures, as a sentence. */
  readonly text: string;
}

/** Returns the room on the disk of a data directory, above a floor in percent. */
export function diskRoom(dataDir: string, floor: number): DiskRoom {
  const { files, ffree } = statfsSync(dataDir);
  // File systems without a fixed number of inodes report none.
  if (files > 0 && ffree < MIN_INODES) {
    return { lacks: 'inodes', text: `${ffree} of ${files} inodes are free, so that no files can be created.` };
  }
  const lacks = missingDiskBytes(dataDir, floor) > 0 ? 'bytes' : null;
  return { lacks, text: `${freeDiskPercent(dataDir)} % of the disk is free.` };
}
