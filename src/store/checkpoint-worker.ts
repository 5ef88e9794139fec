import type { Database } from 'bun:sqlite';
import type { WorkerAnswer, WorkerTask } from './checkpointer.ts';
import { openDatabase } from './database.ts';

declare const self: Worker;

/** A write-ahead log this long is cut back even if a write has to wait a moment for it. */
const WAL_LIMIT_PAGES = 4096;

/** While the log is cut back, writers wait for its readers: not for long. */
const BUSY_TIMEOUT_MS = 20;

const databases = new Map<string, Database>();

function databaseAt(path: string): Database {
  const known = databases.get(path);
  if (known) return known;
  const database = openDatabase(path, { create: false });
  database.run(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
  databases.set(path, database);
  return database;
}

/** Moves what is committed into the file. A reader or writer in the way only means that the next round does more. */
function checkpoint(path: string): void {
  const database = databaseAt(path);
  const state = database.query<{ log: number }, []>('pragma wal_checkpoint(passive)').get();
  if ((state?.log ?? 0) > WAL_LIMIT_PAGES) database.query('pragma wal_checkpoint(truncate)').all();
}

/** The first problem that SQLite finds in a file; null where it is sound. */
function quickCheck(path: string): string | null {
  const found = databaseAt(path).query<{ quick_check: string }, []>('pragma quick_check(1)').get()?.quick_check;
  return found === 'ok' ? null : (found ?? 'quick_check gave no answer');
}

function answer(task: WorkerTask): WorkerAnswer {
  try {
    if (task.kind === 'checkpoint') {
      checkpoint(task.path);
      return { ...task, problem: null };
    }
    return { ...task, problem: quickCheck(task.path) };
  } catch (error) {
    return { ...task, problem: error instanceof Error ? error.message : String(error) };
  }
}

self.onmessage = (event: MessageEvent<WorkerTask | 'close'>) => {
  if (event.data !== 'close') {
    self.postMessage(answer(event.data));
    return;
  }
  for (const database of databases.values()) database.close();
  self.postMessage('closed');
};
