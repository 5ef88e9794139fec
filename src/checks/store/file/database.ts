import { Database, constants as flags } from 'bun:sqlite';
import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { StoreError } from '../store-error.ts';
import { asStoreError, writeFailure } from './fault.ts';

/** Time that a connection waits for a lock of another process. lurecheck's own locks are held for milliseconds. */
const BUSY_TIMEOUT_MS = 5000;

/**
 * Size that a reset write-ahead log keeps. Under load it never grows beyond, so that it is not truncated and extended
 * in turns.
 */
const JOURNAL_SIZE_LIMIT_BYTES = 32 * 1024 * 1024;

/**
 * Page cache per connection, in KiB. A log is written and read at its end, and the system caches the rest: a larger
 * cache would be a second copy.
 */
const CACHE_KIB = 4 * 1024;

/**
 * Opens a log file with the settings that every connection of ours has. Commits reach the disk before they return
 * (`synchronous=FULL`), deleted content is overwritten, and no checkpoint runs on this connection.
 *
 * @throws StoreError with the code of its fault
 */
export function openDatabase(path: string): Database {
  let database: Database | null = null;
  try {
    // SQLite would open an unwritable file read-only and fail with the first check.
    accessSync(path, constants.R_OK | constants.W_OK);
    database = new Database(path, { readwrite: true, create: false, strict: true });
    configure(database);
    // The first read fails if the file is not a database.
    database.query('pragma schema_version').get();
    return database;
  } catch (error) {
    database?.close();
    throw asStoreError(path, writeFailure(path, error));
  }
}

/**
 * Opens a log file for reading. In a folder that this user may not write, or on a read-only file system, no file changes,
 * except for shared memory that this user may write.
 *
 * @throws StoreError with the code of its fault; `not_accessible` if commits cannot be read without writing
 */
export function openForReading(path: string): Database {
  return mayWrite(path) ? openDatabase(path) : openUnwritable(path);
}

function mayWrite(path: string): boolean {
  try {
    for (const place of [path, dirname(path)]) accessSync(place, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function openUnwritable(path: string): Database {
  let database: Database | null = null;
  try {
    accessSync(path, constants.R_OK);
    database = new Database(unwritableUri(path), flags.SQLITE_OPEN_READONLY | flags.SQLITE_OPEN_URI);
    configure(database);
    database.query('pragma schema_version').get();
    return database;
  } catch (error) {
    database?.close();
    throw asStoreError(path, error);
  }
}

/**
 * Returns a URI file name (https://sqlite.org/uri.html). SQLite reads a write-ahead log only if its shared memory exists or
 * can be created, as beside a running service and in a snapshot of one. A file without commits there needs neither, but a
 * service that starts while it is read is not noticed.
 */
function unwritableUri(path: string): string {
  const { href } = pathToFileURL(path);
  const [wal, shm] = ['-wal', '-shm'].map((suffix) => statSync(path + suffix, { throwIfNoEntry: false }));
  if (wal && shm) return href;
  if (!wal?.size) return `${href}?immutable=1`;
  throw new StoreError(
    'not_accessible',
    `${path}-wal may hold checks that cannot be read without writing beside it, because ${path}-shm is missing. Copy the data directory to where this user may write, and read the copy: --data-dir.`,
  );
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
