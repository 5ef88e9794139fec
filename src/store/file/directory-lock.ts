import { Database } from 'bun:sqlite';
import { StoreError } from '../store-error.ts';
import { asStoreError, faultOf, isDamage } from './fault.ts';
import { makePrivateFile } from './private-file.ts';

/** Holds the data directory for one serving process. */
export interface DirectoryLock extends Disposable {}

/**
 * Takes the lock of a data directory: an exclusive transaction on a file of its own, which the kernel drops with the
 * process, however that ends. It writes nothing, so that a full disk is no hindrance.
 *
 * @throws StoreError `locked` where another process serves from the directory, else the fault of the file
 */
export function lockDirectory(dataDir: string): DirectoryLock {
  const path = `${dataDir}/serve.lock`;
  let database: Database | null = null;
  try {
    makePrivateFile(path);
    database = new Database(path, { readwrite: true });
    database.run('pragma journal_mode = memory');
    database.run('begin exclusive');
  } catch (error) {
    database?.close();
    throw refusal(dataDir, path, error);
  }
  const held = database;
  return { [Symbol.dispose]: () => held.close() };
}

function refusal(dataDir: string, path: string, cause: unknown): unknown {
  if (faultOf(cause)?.code === 'busy') {
    return new StoreError(
      'locked',
      `Another lurecheck serves from ${dataDir}. Stop it first, or give this one its own --data-dir.`,
      { cause },
    );
  }
  if (isDamage(cause)) {
    return new StoreError('damaged', `${path} must be an empty file. Delete it, unless another lurecheck serves.`, {
      cause,
    });
  }
  return asStoreError(path, cause);
}
