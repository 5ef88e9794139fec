import { watchFile } from '#src/base/changed-file.ts';
import type { Clock } from '#src/base/clock.ts';
import type { Logger } from '#src/base/logger.ts';
import { type ApiKey, isExpired, keyOf } from './api-key.ts';
import { keyFileIn, readKeyFile } from './key-file.ts';

/** The keys that are in force. Disposing of it ends looking for others. */
export interface KeyRing extends Disposable {
  /** The key of a secret; null where there is none, or it has expired. */
  find(secret: string): ApiKey | null;
}

/**
 * Reads the keys, and again whenever their file changes. Where it cannot be read then, those before stay in force, and the
 * operator is told.
 *
 * @throws SettingsError where the file that is there now cannot be used.
 */
export function openKeyRing(dataDir: string, clock: Clock, logger: Pick<Logger, 'info' | 'error'>): KeyRing {
  // Before the file is read, so that no change of it goes unseen.
  const watch = watchFile(keyFileIn(dataDir), () => {
    try {
      keys = readKeyFile(dataDir);
      logger.info('keys.reread', { keys: keys.length });
    } catch (error) {
      logger.error('keys.kept', { error });
    }
  });
  let keys = readKeys();

  function readKeys(): readonly ApiKey[] {
    try {
      return readKeyFile(dataDir);
    } catch (error) {
      watch[Symbol.dispose]();
      throw error;
    }
  }

  return {
    find(secret) {
      const key = keyOf(secret, keys);
      return key && !isExpired(key, clock.now()) ? key : null;
    },
    [Symbol.dispose]: () => watch[Symbol.dispose](),
  };
}
