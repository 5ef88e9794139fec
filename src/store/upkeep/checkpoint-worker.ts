import type { Database } from 'bun:sqlite';
import { fdatasyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { openDatabase } from '../file/database.ts';
import { codeOf, failureOf } from '../file/fault.ts';
import { writeFailure } from '../file/write-failure.ts';
import type { FileAnswer, FileTask } from './file-task.ts';

declare const self: Worker;

/** While the log is cut back, writers wait for its readers: not for long. */
const BUSY_TIMEOUT_MS = 20;

/** How long to wait for other checkpoints to end, and between two looks. */
const EMPTY_TIMEOUT_MS = 5000;
const EMPTY_RETRY_MS = 20;

const databases = new Map<string, Database>();
const descriptors = new Map<string, number>();

function databaseAt(path: string): Database {
  const known = databases.get(path);
  if (known) return known;
  const database = openDatabase(path);
  database.run(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
  databases.set(path, database);
  return database;
}

/**
 * Moves what is committed into the file, and says how long the log is. A reader in the way only means that the next round
 * does more.
 */
function checkpoint(path: string, mode: 'passive' | 'restart'): number {
  const state = databaseAt(path).query<{ log: number }, []>(`pragma wal_checkpoint(${mode})`).get();
  return state?.log ?? 0;
}

/**
 * SQLite syncs the file only with the last of the commits, and writers would have to hold still for all of that. So that
 * little is left for then, it is done here as well.
 */
function checkpointAndSync(path: string): number {
  const walPages = checkpoint(path, 'passive');
  fdatasyncSync(descriptorOf(path));
  return walPages;
}

/** Never closed: to close any descriptor of a file drops the locks that SQLite holds on it for this process (POSIX). */
function descriptorOf(path: string): number {
  const descriptor = descriptors.get(path) ?? openSync(path, 'r+');
  descriptors.set(path, descriptor);
  return descriptor;
}

/** Throws the first damage that SQLite finds in a file. */
function quickCheck(path: string): void {
  const found = databaseAt(path).query<{ quick_check: string }, []>('pragma quick_check(1)').get()?.quick_check;
  if (found !== 'ok') throw failureOf(found ?? 'quick_check gave no answer', 'SQLITE_CORRUPT');
}

/** SQLite waits for readers here, but not for another checkpoint. */
function emptyWal(database: Database): boolean {
  const checkpoint = database.query<{ busy: number }, []>('pragma wal_checkpoint(truncate)');
  for (let waitedMs = 0; waitedMs < EMPTY_TIMEOUT_MS; waitedMs += EMPTY_RETRY_MS) {
    if (checkpoint.get()?.busy === 0) return true;
    Bun.sleepSync(EMPTY_RETRY_MS);
  }
  return false;
}

/**
 * Deleting overwrites a row, but not the copies that stay behind when rows move to another page. Only a new file has
 * none. What is set aside meanwhile lies in the directory of the log, not in one that others can read.
 */
function vacuum(path: string): void {
  const database = databaseAt(path);
  database.run(`pragma temp_store_directory = '${dirname(path).replaceAll("'", "''")}'`);
  database.run('pragma temp_store = file');
  database.run(`pragma busy_timeout = ${EMPTY_TIMEOUT_MS}`);
  try {
    database.run('vacuum');
    database.run(`pragma busy_timeout = ${EMPTY_RETRY_MS}`);
    if (!emptyWal(database))
      throw new Error('another process reads the log, so what was deleted is in its WAL file yet');
  } finally {
    database.run(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
    database.run('pragma temp_store = memory');
  }
}

/** Sets a number of the header to what it is, which takes a commit like any other. */
function tryToWrite(path: string): void {
  const database = databaseAt(path);
  const rewrite = database.transaction(() => {
    const version = database.query<{ user_version: number }, []>('pragma user_version').get()?.user_version ?? 0;
    database.run(`pragma user_version = ${version}`);
  });
  rewrite.immediate();
}

function answer(task: FileTask): FileAnswer {
  const done = { problem: null, code: null, walPages: 0 };
  try {
    switch (task.kind) {
      case 'checkpoint':
        return { ...done, walPages: checkpointAndSync(task.path) };
      case 'restart':
        return { ...done, walPages: checkpoint(task.path, 'restart') };
      case 'quick_check':
        quickCheck(task.path);
        return done;
      case 'vacuum':
        vacuum(task.path);
        return done;
      case 'trial':
        tryToWrite(task.path);
        return done;
    }
  } catch (thrown) {
    const error = writeFailure(task.path, thrown);
    return { ...done, problem: error instanceof Error ? error.message : String(error), code: codeOf(error) || null };
  }
}

self.onmessage = (event: MessageEvent<FileTask | 'close'>) => {
  if (event.data === 'close') {
    for (const database of databases.values()) database.close();
    self.postMessage({ problem: null, code: null, walPages: 0 });
    return;
  }
  self.postMessage(answer(event.data));
};
