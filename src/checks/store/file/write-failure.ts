import { closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { codeOf } from './fault.ts';

/** What SQLite writes or reserves at once: at most the shared memory beside a write-ahead log, which it needs even to read. */
const TRIED_BYTES = 32 * 1024;

/** What the system says where it is not the disk that fails. */
const TELLING = /^(?:EFBIG|EDQUOT|ENOSPC|EROFS)$/;

/**
 * What kept SQLite from writing to a log. Of a quota that is used up, of a limit on the size of files, and of a full disk
 * where it makes its shared memory (`SQLITE_IOERR_SHMSIZE`), it says what it says of a broken disk, and keeps the system's word to itself. So the same is tried in a file beside the log, at the place
 * where the log ends. The error itself where it is another, or where that tells no more.
 */
export function writeFailure(path: string, error: unknown): unknown {
  if (!/^SQLITE_IOERR(?!_(?:SHORT_)?READ)/.test(codeOf(error))) return error;
  const beside = `${path}.trial`;
  try {
    const file = openSync(beside, 'w', 0o600);
    try {
      const zeros = new Uint8Array(TRIED_BYTES);
      const end = Math.max(sizeOf(path), sizeOf(`${path}-wal`));
      // What does not fit is cut short first, and refused then.
      for (let at = 0; at < TRIED_BYTES; ) at += writeSync(file, zeros, at, TRIED_BYTES - at, end + at);
    } finally {
      closeSync(file);
      rmSync(beside, { force: true });
    }
    return error;
  } catch (cause) {
    return TELLING.test(codeOf(cause)) ? cause : error;
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
