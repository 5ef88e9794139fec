import { Database } from 'bun:sqlite';
import { makePrivateFile } from './private-file.ts';

/**
 * Holds a lock file until it is disposed of, by an exclusive transaction that the kernel drops with the process.
 * Nothing is written, so that a full disk does no harm. Throws SQLite's error, "busy" if another process still holds it
 * after `patienceMs`.
 */
export function lockFile(path: string, patienceMs = 0): Disposable {
  makePrivateFile(path);
  const database = new Database(path, { readwrite: true });
  try {
    database.run(`pragma busy_timeout = ${patienceMs}`);
    database.run('pragma journal_mode = memory');
    database.run('begin exclusive');
  } catch (error) {
    database.close();
    throw error;
  }
  return { [Symbol.dispose]: () => database.close() };
}
