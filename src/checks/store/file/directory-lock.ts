import { StoreError } from '../store-error.ts';
import { asStoreError, faultOf, isDamage } from './fault.ts';
import { lockFile } from './file-lock.ts';

/** Holds the data directory for one serving process. */
export interface DirectoryLock extends Disposable {}

/**
 * Takes the lock of a data directory, by a file of its own.
 *
 * @throws StoreError `locked` where another process serves from the directory, else the fault of the file
 */
export function lockDirectory(dataDir: string): DirectoryLock {
  const path = `${dataDir}/serve.lock`;
  try {
    return lockFile(path);
  } catch (error) {
    throw refusal(dataDir, path, error);
  }
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
