import { closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { StoreError, type StoreErrorCode } from '../store-error.ts';

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

/** Why a file of the data directory cannot be used. */
export interface Fault {
  readonly code: Exclude<
    StoreErrorCode,
    'locked' | 'older_version' | 'newer_version' | 'unknown_history' | 'database' | 'wrong_database'
  >;
  /** The problem, as the end of a sentence. */
  readonly matter: string;
  /** Remedy, as sentences. */
  readonly remedy: string;
}

const OF_DAMAGE =
  'Start lurecheck serve, or let it run: it sets the file aside and copies its readable checks into a new one.';

/**
 * Faults by the codes of SQLite (https://sqlite.org/rescode.html) and of the system (errno(3)); the first match
 * applies.
 */
const FAULTS: readonly (readonly [codes: RegExp, fault: Fault])[] = [
  [
    /^ENOENT$/,
    {
      code: 'not_found',
      matter: 'the file is missing',
      remedy: 'A service creates it at its first start; --data-dir names another data directory.',
    },
  ],
  [
    /^(ENOSPC|SQLITE_FULL)$/,
    { code: 'disk_full', matter: 'the disk is full', remedy: 'Free disk space, or choose another data directory.' },
  ],
  [
    /^EDQUOT$/,
    {
      code: 'disk_full',
      matter: 'the disk quota of this user is exhausted',
      remedy: 'Free disk space, raise the quota, or choose another data directory.',
    },
  ],
  [
    /^EFBIG$/,
    {
      code: 'file_too_large',
      matter: 'the file has reached the size limit of this process',
      remedy: 'Raise the limit (ulimit -f, LimitFSIZE), or keep checks for fewer days (retention_days).',
    },
  ],
  [
    /^EROFS$/,
    {
      code: 'read_only',
      matter: 'the file system is read-only',
      remedy: 'Mount it read-write, or choose another data directory.',
    },
  ],
  [
    /^(EISDIR|ENOTDIR|EEXIST)$/,
    {
      code: 'not_accessible',
      matter: 'the path is not a regular file or folder',
      remedy: 'Move it elsewhere, or choose another data directory.',
    },
  ],
  [
    /^(EACCES|EPERM|SQLITE_CANTOPEN|SQLITE_READONLY|SQLITE_PERM)/,
    {
      code: 'not_accessible',
      matter: 'permission denied',
      remedy: 'Give this user the right to read and write it, or choose another data directory.',
    },
  ],
  [
    /^(EIO|SQLITE_IOERR)/,
    {
      code: 'io_error',
      matter: 'the disk reports an error',
      remedy: "The system's log has more; mend the disk, or choose another data directory.",
    },
  ],
  [
    /^ETIMEDOUT$/,
    {
      code: 'io_error',
      matter: 'the disk does not answer',
      remedy: "The system's log may say why; mend the disk, or choose another data directory.",
    },
  ],
  [
    /^SQLITE_(BUSY|LOCKED|PROTOCOL)/,
    { code: 'busy', matter: 'another process has locked it', remedy: 'End that process, and try again.' },
  ],
  [/^SQLITE_NOTADB/, { code: 'not_a_database', matter: 'file is not a database', remedy: OF_DAMAGE }],
  [/^SQLITE_CORRUPT/, { code: 'damaged', matter: 'the file is damaged', remedy: OF_DAMAGE }],
];

/** Returns the fault behind an error of SQLite, Drizzle or the file system; null for any other error. */
export function faultOf(error: unknown): Fault | null {
  const code = codeOf(error);
  return FAULTS.find(([codes]) => codes.test(code))?.[1] ?? null;
}

/** Codes of the system that say nothing of lurecheck's files: the disk of any file may be full or broken. */
const OF_DISKS = /^(ENOSPC|EDQUOT|EFBIG|EROFS|EIO)$/;

/** Returns what keeps a disk from taking what is written; null for an error of another kind. */
export function systemProblem(error: unknown): Pick<Fault, 'matter' | 'remedy'> | null {
  const fault = error instanceof StoreError || !OF_DISKS.test(codeOf(error)) ? null : faultOf(error);
  return fault && { matter: `${fault.matter} (${codeOf(error)})`, remedy: fault.remedy };
}

/** Recreates an error that occurred elsewhere, for instance in another thread. */
export function failureOf(message: string, code: string | null): Error {
  return Object.assign(new Error(message), { code: code ?? '' });
}

/** Returns true if an error says that the file itself is damaged, which cannot be repaired in place. */
export function isDamage(error: unknown): boolean {
  const code = error instanceof StoreError ? error.code : faultOf(error)?.code;
  return code === 'damaged' || code === 'not_a_database';
}

/** Converts an error into a StoreError that names the file and the remedy; returns other errors unchanged. */
export function asStoreError(path: string, error: unknown): unknown {
  if (error instanceof StoreError) return error;
  const fault = faultOf(error);
  if (!fault) return error;
  return new StoreError(fault.code, describe(path, fault, codeOf(error)), { cause: error });
}

function describe(path: string, { code, matter, remedy }: Fault, systemCode: string): string {
  switch (code) {
    case 'not_found':
      return `No log at ${path}. ${remedy}`;
    case 'damaged':
      return `${path} is damaged. ${remedy}`;
    case 'not_a_database':
      return `${path}: ${matter}. ${remedy}`;
    default:
      return `${path} cannot be opened for writing: ${matter} (${systemCode}). ${remedy}`;
  }
}

/** Returns the code of an error by SQLite or the system, also if Drizzle wraps it; empty if there is none. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if (error instanceof StoreError) return codeOf(error.cause);
  if ('code' in error) return String(error.code);
  return codeOf(error.cause);
}
