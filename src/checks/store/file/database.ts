import { Database } from 'bun:sqlite';
import { accessSync, constants } from 'node:fs';
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
