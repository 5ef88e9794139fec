import { type FileExtent, usedBytesOf } from './log-size.ts';

/** Bounds of a log; 0 is unlimited. */
export interface Bounds {
  readonly rows: number;
  /** Bytes of the file and its write-ahead log together. */
  readonly bytes: number;
}

/** Share of a log that is removed at once, instead of one check per new check. */
const CUT = 1 / 32;

/**
 * Part of a bound that is reserved for the write-ahead log: its maximum size, or a quarter of the bound if that is
 * less.
 */
const WAL_BYTES = 32 * 1024 * 1024;
const WAL_PART = 1 / 4;

/** Minimum number of newest checks that stay, however little space there is. */
const KEPT_CHECKS = 100;

/**
 * Returns the id of the latest check to remove, so that a log is within its bounds and frees `missingBytes`; 0 for
 * none. Given the extent of the checks of messages, it returns that of the latest message: the same share of both goes. By rows, checks that were deleted out of order count until their neighbours are removed.
 */
export function lastBeyond(
  extent: Omit<FileExtent, 'newestId' | 'freePages' | 'messages'>,
  { rows, bytes }: Bounds,
  missingBytes: number,
): number {
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
