import { chmodSync, mkdirSync } from 'node:fs';
import type { Logger } from '#src/core/base/logger.ts';
import { StoreError } from '../store-error.ts';
import { faultOf } from './fault.ts';
import { networkFileSystem } from './file-system.ts';

/** Makes a data directory that is missing, for this user alone. Throws StoreError where that is not possible. */
export function makePrivateDirectory(path: string, logger: Logger): void {
  try {
    if (mkdirSync(path, { recursive: true, mode: 0o700 }) !== undefined) chmodSync(path, 0o700);
  } catch (cause) {
    const { code = 'not_accessible', matter = 'the system refuses it' } = faultOf(cause) ?? {};
    throw new StoreError(code, `The data directory ${path} cannot be made: ${matter}. Choose another: --data-dir.`, {
      cause,
    });
  }
  const network = networkFileSystem(path);
  if (network) {
    logger.warn('log.on_network', { dataDir: path, network, advice: 'keep the logs on a disk of this machine' });
  }
}
