import { statSync } from 'node:fs';
import { requestIdMs, requestIdText } from '#src/core/base/request-id.ts';
import type { LogFile } from '../file/log-file.ts';
import { fileExtentOf, usedBytesOf } from './file-extent.ts';

/** How much a log holds. */
export interface LogSize {
  /** From the oldest to the newest, those included that were deleted in between. */
  readonly checks: number;
  /** What is in the file, without the room that is free in it. */
  readonly usedBytes: number;
  /** Of the write-ahead log. */
  readonly walBytes: number;
  /** When its oldest check began, in milliseconds since the Unix epoch; null where there is none. */
  readonly oldestMs: number | null;
}

/** Reads the size from the two ends of the log, the header of its file and the system: it takes as long for a large one. */
export function logSizeOf({ database, path }: Pick<LogFile, 'database' | 'path'>): LogSize {
  const extent = fileExtentOf(database);
  const oldest = database
    .query<{ id: Uint8Array }, [number]>('select request_id as id from checks where id = ?')
    .get(extent.oldestId);
  return {
    checks: extent.checks,
    usedBytes: usedBytesOf(extent),
    walBytes: statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0,
    oldestMs: oldest === null ? null : requestIdMs(requestIdText(oldest.id)),
  };
}
