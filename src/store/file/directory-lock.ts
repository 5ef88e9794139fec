import { Database } from 'bun:sqlite';
import { StoreError } from '../store-error.ts';
import { asStoreError } from './database.ts';
import { makePrivateFile } from './private-file.ts';

/** Holds the data directory for one serving process. */
export interface DirectoryLock extends Disposable {}

/**
 * Takes the lock of a data directory: an exclusive transaction on a file of its own, which the kernel drops with the
 * process, however that ends.
 *
 * @throws StoreError `locked` where another process serves from the directory
 */
export function lockDirectory(dataDir: string): DirectoryLock {
  const path = `${dataDir}/serve.lock`;
  const database = openLock(path);
  try {
    database.run('begin exclusive');
  } catch (error) {
    database.close();
    throw new StoreError(
      'locked',
      `Another lurecheck serves from ${dataDir}. Stop it first, or give this one its own --data-dir.`,
      { cause: error },
    );
  }
  return { [Symbol.dispose]: () => database.close() };
}

function openLock(path: string): Database {
  try {
    makePrivateFile(path);
    return new Database(path, { readwrite: true });
  } catch (error) {
    throw asStoreError(path, error);
  }
}
