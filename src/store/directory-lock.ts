import { Database } from 'bun:sqlite';
import { StoreError } from './store-error.ts';

/** Holds the data directory for one serving process. */
export interface DirectoryLock extends Disposable {}

/**
 * Takes the lock of a data directory: an exclusive transaction on a file of its own, which the kernel drops with the
 * process, however that ends.
 *
 * @throws StoreError `locked` where another process serves from the directory
 */
export function lockDirectory(dataDir: string): DirectoryLock {
  const database = new Database(`${dataDir}/serve.lock`, { create: true, readwrite: true });
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
