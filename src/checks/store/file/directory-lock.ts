import { Database } from 'bun:sqlite';
import { chmodSync, mkdirSync } from 'node:fs';
import type { Logger } from '#src/core/base/logger.ts';
import { StoreError } from '../store-error.ts';
import { asStoreError, faultOf, isDamage } from './fault.ts';
import { networkFileSystem } from './file-system.ts';
import { makePrivateFile } from './secret-key.ts';

/** Lock of a data directory, held by the serving process. */
export interface DirectoryLock extends Disposable {}

/**
 * Locks a data directory through a lock file.
 *
 * @throws StoreError `locked` if another process serves from the directory, else the fault of the file
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

/** Creates a missing data directory for this user alone. Throws StoreError on failure. */
export function makePrivateDirectory(path: string, logger: Logger): void {
  try {
    if (mkdirSync(path, { recursive: true, mode: 0o700 }) !== undefined) chmodSync(path, 0o700);
  } catch (cause) {
    const { code = 'not_accessible', matter = 'the system refuses it' } = faultOf(cause) ?? {};
    throw new StoreError(
      code,
      `The data directory ${path} cannot be created: ${matter}. Choose another one: --data-dir.`,
      {
        cause,
      },
    );
  }
  const network = networkFileSystem(path);
  if (network) {
    logger.warn('log.on_network', { dataDir: path, network, advice: 'store the logs on a local disk' });
  }
}

/**
 * Holds a lock file until it is disposed of, by an exclusive transaction that the kernel drops with the process.
 * It writes nothing, so that a full disk does no harm. Throws SQLite's error, "busy" if another process still holds it
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
