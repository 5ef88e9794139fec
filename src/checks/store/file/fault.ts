import { StoreError, type StoreErrorCode } from '../store-error.ts';

/** What keeps a file of the data directory from being used. */
export interface Fault {
  readonly code: Exclude<
    StoreErrorCode,
    'locked' | 'older_version' | 'newer_version' | 'unknown_history' | 'database' | 'wrong_database'
  >;
  /** What is the matter, as the end of a sentence. */
  readonly matter: string;
  /** What the operator can do, in sentences. */
  readonly remedy: string;
}

const OF_DAMAGE = 'Restore a backup, or let lurecheck serve keep it aside and begin another.';

/** By the codes of SQLite (https://sqlite.org/rescode.html) and of the system (errno(3)); the first that matches holds. */
const FAULTS: readonly (readonly [codes: RegExp, fault: Fault])[] = [
  [
    /^ENOENT$/,
    { code: 'not_found', matter: 'it is not there', remedy: 'Name the data directory of the server: --data-dir.' },
  ],
  [
    /^(ENOSPC|SQLITE_FULL)$/,
    { code: 'disk_full', matter: 'the disk is full', remedy: 'Make room, or choose another data directory.' },
  ],
  [
    /^EDQUOT$/,
    {
      code: 'disk_full',
      matter: 'the quota of this user is used up',
      remedy: 'Make room, raise the quota, or choose another data directory.',
    },
  ],
  [
    /^EFBIG$/,
    {
      code: 'file_too_large',
      matter: 'the file has reached the size that this process may write',
      remedy: 'Raise the limit (ulimit -f, LimitFSIZE), or keep checks for fewer days (retention_days).',
    },
  ],
  [
    /^EROFS$/,
    {
      code: 'read_only',
      matter: 'the file system is read-only',
      remedy: 'Mount it for writing, or choose another data directory.',
    },
  ],
  [
    /^(EISDIR|ENOTDIR|EEXIST)$/,
    {
      code: 'not_accessible',
      matter: 'something else has its place',
      remedy: 'Move that elsewhere, or choose another data directory.',
    },
  ],
  [
    /^(EACCES|EPERM|SQLITE_CANTOPEN|SQLITE_READONLY|SQLITE_PERM)/,
    {
      code: 'not_accessible',
      matter: 'this user may not',
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
    { code: 'busy', matter: 'another process holds it', remedy: 'End that process, and try again.' },
  ],
  [/^SQLITE_NOTADB/, { code: 'not_a_database', matter: 'file is not a database', remedy: OF_DAMAGE }],
  [/^SQLITE_CORRUPT/, { code: 'damaged', matter: 'the file is damaged', remedy: OF_DAMAGE }],
];

/** What an error of SQLite, of Drizzle or of the file system says of the file; null where it says nothing of it. */
export function faultOf(error: unknown): Fault | null {
  const code = codeOf(error);
  return FAULTS.find(([codes]) => codes.test(code))?.[1] ?? null;
}

/** What went wrong elsewhere, in another thread for instance, as an error of this one. */
export function failureOf(message: string, code: string | null): Error {
  return Object.assign(new Error(message), { code: code ?? '' });
}

/** Whether an error says that the file itself is damaged, for which there is no cure in it. */
export function isDamage(error: unknown): boolean {
  const code = error instanceof StoreError ? error.code : faultOf(error)?.code;
  return code === 'damaged' || code === 'not_a_database';
}

/** The error as a sentence that names the file and says what to do; the error itself where it is not about the file. */
export function asStoreError(path: string, error: unknown): unknown {
  if (error instanceof StoreError) return error;
  const fault = faultOf(error);
  if (!fault) return error;
  return new StoreError(fault.code, describe(path, fault, codeOf(error)), { cause: error });
}

function describe(path: string, { code, matter, remedy }: Fault, systemCode: string): string {
  switch (code) {
    case 'not_found':
      return `There is no log at ${path}. ${remedy}`;
    case 'damaged':
      return `${path} is damaged. ${remedy}`;
    case 'not_a_database':
      return `${path}: ${matter}. ${remedy}`;
    default:
      return `${path} cannot be opened for writing: ${matter} (${systemCode}). ${remedy}`;
  }
}

/** What SQLite or the system call an error, also where Drizzle wraps it; empty where neither does. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if (error instanceof StoreError) return codeOf(error.cause);
  if ('code' in error) return String(error.code);
  return codeOf(error.cause);
}
