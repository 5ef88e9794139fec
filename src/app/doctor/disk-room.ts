import { statfsSync } from 'node:fs';
import { freeDiskPercent, missingDiskBytes } from '#src/checks/store/file/file-system.ts';

/** Free inodes below which files cannot be created before long: logs, keys, lists and backups need a few dozen. */
const MIN_INODES = 100;

/** Room on the disk of a data directory. */
export interface DiskRoom {
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
