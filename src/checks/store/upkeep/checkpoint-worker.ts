import type { Database } from 'bun:sqlite';
import { fdatasyncSync, openSync } from 'node:fs';
import { openDatabase } from '../file/database.ts';
import { codeOf, failureOf } from '../file/fault.ts';
import { writeFailure } from '../file/write-failure.ts';
import type { AnyFileTask, FileAnswer } from './file-thread.ts';
import { findResidue, wipeResidue } from './residue.ts';

declare const self: Worker;

/** Writers wait for its readers while the write-ahead log is reset, so the timeout is short. */
const BUSY_TIMEOUT_MS = 20;

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
 * Checkpoints commits into the file, and returns the length of the write-ahead log. A reader in the way only leaves
 * more for the next round.
 */
function checkpoint(path: string, mode: 'passive' | 'restart'): number {
  const state = databaseAt(path).query<{ log: number }, []>(`pragma wal_checkpoint(${mode})`).get();
  return state?.log ?? 0;
}

/**
 * Checkpoints and syncs. SQLite syncs the file only with the last commit, while writers wait; syncing here leaves
 * little for then.
 */
function checkpointAndSync(path: string): number {
  const walPages = checkpoint(path, 'passive');
  fdatasyncSync(descriptorOf(path));
  return walPages;
}

/** Never closed: closing any descriptor of a file drops this process's SQLite locks on it (POSIX). */
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

/** Truncates the write-ahead log, which still holds deleted content. Unlike a restart, this must succeed. */
function truncate(path: string): void {
  const state = databaseAt(path).query<{ busy: number }, []>('pragma wal_checkpoint(truncate)').get();
  if (state?.busy !== 0) throw failureOf('another process is reading the log', 'SQLITE_BUSY');
}

/**
 * Overwrites residue. The content must neither be in the write-ahead log nor in another connection's cache: a
 * checkpoint moves everything into the file first, and a commit without changes makes the others read again.
 */
function wipe(path: string, pages: readonly number[]): void {
  const database = databaseAt(path);
  const version = dataVersion(database);
  const state = database.query<{ busy: number }, []>('pragma wal_checkpoint(restart)').get();
  if (state?.busy !== 0) throw failureOf('another process is reading the log', 'SQLITE_BUSY');
  const overwrite = database.transaction(() => {
    if (dataVersion(database) !== version) throw failureOf('another process writes to the log', 'SQLITE_BUSY');
    wipeResidue(descriptorOf(path), pages);
    rewriteHeader(database);
  });
  overwrite.immediate();
}

/** Returns a number that changes with each commit of another connection. */
function dataVersion(database: Database): number {
  return database.query<{ data_version: number }, []>('pragma data_version').get()?.data_version ?? 0;
}

/** Rewrites a header field with its own value, which is a commit like any other. */
function rewriteHeader(database: Database): void {
  const version = database.query<{ user_version: number }, []>('pragma user_version').get()?.user_version ?? 0;
  database.run(`pragma user_version = ${version}`);
}

function tryToWrite(path: string): void {
  const database = databaseAt(path);
  database.transaction(() => rewriteHeader(database)).immediate();
}

const DONE: FileAnswer = { problem: null, code: null, walPages: 0, residue: null };

function answer(task: AnyFileTask): FileAnswer {
  try {
    switch (task.kind) {
      case 'checkpoint':
        return { ...DONE, walPages: checkpointAndSync(task.path) };
      case 'restart':
        return { ...DONE, walPages: checkpoint(task.path, 'restart') };
      case 'truncate':
        truncate(task.path);
        return DONE;
      case 'quick_check':
        quickCheck(task.path);
        return DONE;
      case 'find_residue':
        return { ...DONE, residue: findResidue(descriptorOf(task.path), task.fromPage) };
      case 'wipe_residue':
        wipe(task.path, task.pages);
        return DONE;
      case 'trial':
        tryToWrite(task.path);
        return DONE;
    }
  } catch (thrown) {
    const error = writeFailure(task.path, thrown);
    return { ...DONE, problem: error instanceof Error ? error.message : String(error), code: codeOf(error) || null };
  }
}

self.onmessage = (event: MessageEvent<AnyFileTask | 'close'>) => {
  if (event.data === 'close') {
    for (const database of databases.values()) database.close();
    self.postMessage(DONE);
    return;
  }
  self.postMessage(answer(event.data));
};
