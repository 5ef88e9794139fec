import type { Database } from 'bun:sqlite';
import { fdatasyncSync, openSync, statSync } from 'node:fs';
import { openDatabase } from '../file/database.ts';
import { examineFile } from '../file/examine-file.ts';
import { codeOf, failureOf, writeFailure } from '../file/fault.ts';
import { withoutSync } from '../file/log-file.ts';
import type { LoggedMessage } from '../messages/stored-message.ts';
import { type DamagedLog, type FoundRows, readDamagedLog } from '../recovery/damaged-log.ts';
import type { LoggedCheck } from '../write/stored-check.ts';
import type { AnyFileTask, FileAnswer } from './file-thread.ts';
import { findResidue, wipeResidue } from './residue.ts';

declare const self: Worker;

/** Writers wait for its readers while the write-ahead log is reset, so the timeout is short. */
const BUSY_TIMEOUT_MS = 20;

const databases = new Map<string, Database>();
const descriptors = new Map<string, number>();
const inodes = new Map<string, number | undefined>();

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

function databaseAt(path: string): Database {
  const known = databases.get(path);
  if (known && inodes.get(path) === inodeOf(path)) return known;
  // A damaged file was set aside; its descriptor stays open, see descriptorOf.
  known?.close();
  descriptors.delete(path);
  inodes.set(path, inodeOf(path));
  const database = openDatabase(path);
  database.run(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
  databases.set(path, database);
  return database;
}

/** Length of a write-ahead log, and how much of it is in the file. */
interface LogExtent {
  readonly log: number;
  readonly checkpointed: number;
}

/** Checkpoints commits into the file. A reader in the way only leaves more for the next round. */
function checkpoint(path: string, mode: 'passive' | 'restart'): LogExtent {
  const state = databaseAt(path).query<LogExtent, []>(`pragma wal_checkpoint(${mode})`).get();
  return state ?? { log: 0, checkpointed: 0 };
}

/**
 * Checkpoints and syncs, and returns the length of the write-ahead log. SQLite syncs the file only with the last commit, while
 * writers wait; syncing here leaves little for then.
 */
function checkpointAndSync(path: string): number {
  const { log, checkpointed } = checkpoint(path, 'passive');
  fdatasyncSync(descriptorOf(path));
  if (log > 0 && log === checkpointed) beginLog(path);
  return log;
}

/** Moves the last commits into the file, and returns the length of the write-ahead log before. */
function restart(path: string): number {
  const { log } = checkpoint(path, 'restart');
  beginLog(path);
  return log;
}

/**
 * Writes the first commit of a log whose other ones are all in the file, without changes. SQLite syncs the header of the log
 * with it, for which the serving thread would wait.
 */
function beginLog(path: string): void {
  const database = databaseAt(path);
  try {
    withoutSync({ database }, () => database.transaction(() => rewriteHeader(database)).immediate());
  } catch (error) {
    // A commit of the service itself is first.
    if (codeOf(error) !== 'SQLITE_BUSY') throw error;
  }
}

/** Never closed: closing any descriptor of a file drops this process's SQLite locks on it (POSIX). */
function descriptorOf(path: string): number {
  const descriptor = descriptors.get(path) ?? openSync(path, 'r+');
  descriptors.set(path, descriptor);
  return descriptor;
}

/** The file whose rows are being read. */
let damaged: { readonly path: string; readonly log: DamagedLog } | null = null;

/** Rows per answer: the thread that copies them is busy for a few milliseconds. */
const ROWS_PER_ANSWER = 100;

function openDamaged(path: string): DamagedLog {
  damaged?.log[Symbol.dispose]();
  damaged = { path, log: readDamagedLog(path) };
  return damaged.log;
}

/** Returns the next rows of a damaged file; null at its end. */
function nextRows(path: string): FoundRows | null {
  const rows = { checks: [] as LoggedCheck[], messages: [] as LoggedMessage[] };
  const size = () => rows.checks.length + rows.messages.length;
  const log = damaged?.path === path ? damaged.log : openDamaged(path);
  while (size() < ROWS_PER_ANSWER) {
    const some = log.next();
    if (some === null) return size() > 0 ? rows : null;
    rows.checks.push(...some.checks);
    rows.messages.push(...some.messages);
  }
  return rows;
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

const DONE: FileAnswer = { problem: null, code: null, walPages: 0, residue: null, extent: null, rows: null };

function answer(task: AnyFileTask): FileAnswer {
  try {
    switch (task.kind) {
      case 'checkpoint':
        return { ...DONE, walPages: checkpointAndSync(task.path) };
      case 'restart':
        return { ...DONE, walPages: restart(task.path) };
      case 'truncate':
        truncate(task.path);
        return DONE;
      case 'quick_check':
        examineFile(databaseAt(task.path));
        return DONE;
      case 'scan_rows':
        return { ...DONE, extent: openDamaged(task.path).extent };
      case 'read_rows':
        return { ...DONE, rows: nextRows(task.path) };
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
