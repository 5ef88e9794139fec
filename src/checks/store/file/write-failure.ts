import { closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { codeOf } from './fault.ts';

/**
 * Bytes of a trial write: the shared memory beside a write-ahead log, the most that SQLite reserves at once, even to
 * read.
 */
const TRIED_BYTES = 32 * 1024;

/** System codes that are more specific than SQLite's I/O error. */
const SPECIFIC = /^(?:EFBIG|EDQUOT|ENOSPC|EROFS)$/;

/**
 * Finds the system error behind a failed write to a log. SQLite reports an exceeded quota, a file size limit, and a
 * full disk while it creates its shared memory (`SQLITE_IOERR_SHMSIZE`) as an I/O error without the system's code. So
 * the same write is tried in a file beside the log, at the log's end. Returns the error itself if the trial gives no
 * more information.
 */
export function writeFailure(path: string, error: unknown): unknown {
  if (!/^SQLITE_IOERR(?!_(?:SHORT_)?READ)/.test(codeOf(error))) return error;
  const beside = `${path}.trial`;
  try {
    const file = openSync(beside, 'w', 0o600);
    try {
      const zeros = new Uint8Array(TRIED_BYTES);
      const end = Math.max(sizeOf(path), sizeOf(`${path}-wal`));
      // The first write may be partial; the next one fails.
      for (let at = 0; at < TRIED_BYTES; ) at += writeSync(file, zeros, at, TRIED_BYTES - at, end + at);
    } finally {
      closeSync(file);
      rmSync(beside, { force: true });
    }
    return error;
  } catch (cause) {
    return SPECIFIC.test(codeOf(cause)) ? cause : error;
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
