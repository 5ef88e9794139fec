import { type FileExtent, usedBytesOf } from './file-extent.ts';

/** How large a log may be; 0 is no bound. */
export interface Bounds {
  readonly rows: number;
  /** Of the file and its write-ahead log together. */
  readonly bytes: number;
}

/** Who cuts a log back cuts off a part of it, not one check for each that comes in. */
const CUT = 1 / 32;

/** What the write-ahead log is left of a bound: as much as it may grow to, or a quarter where that is less. */
const WAL_BYTES = 32 * 1024 * 1024;
const WAL_PART = 1 / 4;

/** However little room there is, so many of the newest checks stay. */
const KEPT_CHECKS = 100;

/**
 * The id of the newest check that has to go, so that a log is within its bounds and gives `missingBytes` back; 0 where none
 * has. By rows, checks that were deleted out of order count until their neighbours have gone.
 */
export function lastBeyond(extent: FileExtent, { rows, bytes }: Bounds, missingBytes: number): number {
  const { checks, oldestId } = extent;
  const usedBytes = usedBytesOf(extent);
  const checksIn = (some: number) => Math.ceil((checks * some) / usedBytes);
  const tooMany = rows > 0 && checks > rows ? checks - Math.floor(rows * (1 - CUT)) : 0;
  const room = bytes - Math.min(WAL_BYTES, bytes * WAL_PART);
  const tooLarge = bytes > 0 && usedBytes > room ? checksIn(usedBytes - room * (1 - CUT)) : 0;
  const wanted = Math.min(Math.max(tooLarge, checksIn(missingBytes)), checks - KEPT_CHECKS);
  const due = Math.max(tooMany, wanted, 0);
  return due === 0 ? 0 : oldestId + due - 1;
}
