import type { Database } from 'bun:sqlite';
import { statSync } from 'node:fs';
import { requestIdMs, requestIdText } from '#src/core/base/request-id.ts';
import type { LogFile } from '../file/log-file.ts';
import { prepareNamed } from '../statements/prepare-named.ts';

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

/** Size of a log. */
export interface LogSize {
  /** From the oldest to the latest, including those that were deleted in between. */
  readonly checks: number;
  /** The same of messages. */
  readonly messages: number;
  /** Bytes in use in the file, without its free pages. */
  readonly usedBytes: number;
  /** Bytes of the write-ahead log. */
  readonly walBytes: number;
  /** Start of its oldest check, in milliseconds since the Unix epoch; null if there is none. */
  readonly oldestMs: number | null;
}

/** Reads the size from both ends of the log, the file header and the file system, in constant time. */
export function logSizeOf({ database, path }: Pick<LogFile, 'database' | 'path'>): LogSize {
  const extent = fileExtentOf(database);
  const oldest = prepareNamed(database, 'oldestCheck').get({});
  return {
    checks: extent.checks,
    messages: extent.messages.checks,
    usedBytes: usedBytesOf(extent),
    walBytes: statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0,
    oldestMs: oldest === null ? null : requestIdMs(requestIdText(oldest.request_id)),
  };
}

/** Extent of a log's file. */
export interface FileExtent {
  /** Ids of the oldest and the latest check; 0 if there is none. */
  readonly oldestId: number;
  readonly newestId: number;
  /** From the oldest to the latest, including those that were deleted in between. */
  readonly checks: number;
  /** The same of the checks of messages. */
  readonly messages: { readonly oldestId: number; readonly checks: number };
  readonly usedPages: number;
  readonly freePages: number;
  readonly pageBytes: number;
}

/** Reads the extent from both ends of the log and the file header. */
export function fileExtentOf(database: Database): FileExtent {
  const idOf = (name: 'oldestId' | 'newestId' | 'oldestMessageId' | 'newestMessageId') =>
    prepareNamed(database, name).get({})?.id ?? null;
  const [oldest, newest] = [idOf('oldestId'), idOf('newestId')];
  const [oldestMessage, newestMessage] = [idOf('oldestMessageId'), idOf('newestMessageId')];
  const freePages = numberOf(database, 'freelist_count');
  return {
    oldestId: oldest ?? 0,
    newestId: newest ?? 0,
    checks: oldest === null || newest === null ? 0 : newest - oldest + 1,
    messages: {
      oldestId: oldestMessage ?? 0,
      checks: oldestMessage === null || newestMessage === null ? 0 : newestMessage - oldestMessage + 1,
    },
    usedPages: numberOf(database, 'page_count') - freePages,
    freePages,
    pageBytes: numberOf(database, 'page_size'),
  };
}

/** Returns the bytes in use in the file, without its free pages. */
export function usedBytesOf({ usedPages, pageBytes }: Pick<FileExtent, 'usedPages' | 'pageBytes'>): number {
  return usedPages * pageBytes;
}

function numberOf(database: Database, pragma: 'page_count' | 'freelist_count' | 'page_size'): number {
  return Number(database.query(`pragma ${pragma}`).values()[0]?.[0]);
}
