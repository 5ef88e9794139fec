import { Database } from 'bun:sqlite';
import { accessSync, constants } from 'node:fs';
import { StoreError } from '../store-error.ts';

/** How long a connection waits for another process's lock. Ours are held for milliseconds. */
const BUSY_TIMEOUT_MS = 5000;

/** What is left of a write-ahead log that begins anew. Under load it never grows beyond, and is not cut back and forth. */
const JOURNAL_SIZE_LIMIT_BYTES = 32 * 1024 * 1024;

const CACHE_KIB = 32 * 1024;

/**
 * Opens a log file with the settings that every connection of ours has. Commits reach the disk before they return
 * (`synchronous=FULL`), deleted content is overwritten, and no checkpoint runs on this connection.
 *
 * @throws StoreError `not_found` where the file is missing, `not_accessible`, `disk_full`, or `not_a_database`
 */
export function openDatabase(path: string): Database {
  let database: Database | null = null;
  try {
    // SQLite would open a file that it may not write for reading, and fail with the first check.
    accessSync(path, constants.R_OK | constants.W_OK);
    database = new Database(path, { readwrite: true, create: false, strict: true });
    configure(database);
    // The first read of the file itself: says whether it is a database at all.
    database.query('pragma schema_version').get();
    return database;
  } catch (error) {
    database?.close();
    throw asStoreError(path, error);
  }
}

function configure(database: Database): void {
  for (const pragma of [
    `busy_timeout = ${BUSY_TIMEOUT_MS}`,
    'synchronous = full',
    'foreign_keys = on',
    'secure_delete = on',
    'trusted_schema = off',
    'temp_store = memory',
    'wal_autocheckpoint = 0',
    `journal_size_limit = ${JOURNAL_SIZE_LIMIT_BYTES}`,
    `cache_size = -${CACHE_KIB}`,
  ]) {
    database.query(`pragma ${pragma}`).all();
  }
}

/** What SQLite or the file system says of a file, as a sentence that says what to do. */
export function asStoreError(path: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const options = { cause: error };
  if (code === 'ENOENT') {
    return new StoreError(
      'not_found',
      `There is no log at ${path}. Name the data directory of the server: --data-dir.`,
    );
  }
  if (code === 'SQLITE_NOTADB') {
    return new StoreError('not_a_database', `${path}: file is not a database.`, options);
  }
  if (code.startsWith('SQLITE_CORRUPT')) {
    return new StoreError(
      'damaged',
      `${path} is damaged. Stop lurecheck, move the file and those beside it elsewhere, and restore a backup.`,
      options,
    );
  }
  // SQLite needs 32 KiB of shared memory beside a log, even to read it.
  if (/^(ENOSPC|EDQUOT|SQLITE_FULL|SQLITE_IOERR_SHMSIZE)$/.test(code)) {
    return new StoreError(
      'disk_full',
      `${path} cannot be opened: the disk is full. Make room, or choose another data directory.`,
      options,
    );
  }
  if (/^(EACCES|EPERM|EROFS|EISDIR|ENOTDIR|SQLITE_CANTOPEN|SQLITE_READONLY|SQLITE_PERM)/.test(code)) {
    return new StoreError(
      'not_accessible',
      `${path} cannot be opened for writing (${code}). Give this user the right to read and write it, or choose another data directory.`,
      options,
    );
  }
  return error;
}
