import { Database } from 'bun:sqlite';
import { accessSync, constants } from 'node:fs';
import { asStoreError } from './fault.ts';
import { writeFailure } from './write-failure.ts';

/** How long a connection waits for another process's lock. Ours are held for milliseconds. */
const BUSY_TIMEOUT_MS = 5000;

/** What is left of a write-ahead log that begins anew. Under load it never grows beyond, and is not cut back and forth. */
const JOURNAL_SIZE_LIMIT_BYTES = 32 * 1024 * 1024;

/**
 * Pages that a connection holds at most. A log is written at its end and read from there, and whatever else is asked for
 * the system keeps in memory anyhow: more would be a second copy, which grows for an hour before it is full.
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
    // SQLite would open a file that it may not write for reading, and fail with the first check.
    accessSync(path, constants.R_OK | constants.W_OK);
    database = new Database(path, { readwrite: true, create: false, strict: true });
    configure(database);
    // The first read of the file itself: says whether it is a database at all.
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
