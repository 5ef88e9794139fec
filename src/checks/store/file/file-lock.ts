import { Database } from 'bun:sqlite';
import { makePrivateFile } from './private-file.ts';

/**
 * Holds a file that is there for nothing else, until it is disposed of: by an exclusive transaction, which the kernel drops
 * with the process, however that ends. It writes nothing, so that a full disk is no hindrance. Throws what SQLite throws,
 * "busy" where another process holds it.
 */
export function lockFile(path: string): Disposable {
  makePrivateFile(path);
  const database = new Database(path, { readwrite: true });
  try {
    database.run('pragma journal_mode = memory');
    database.run('begin exclusive');
  } catch (error) {
    database.close();
    throw error;
  }
  return { [Symbol.dispose]: () => database.close() };
}
