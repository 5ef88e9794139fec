import { statSync } from 'node:fs';
import type { Clock } from '#src/base/clock.ts';
import type { Logger } from '#src/base/logger.ts';
import { type ApiKey, isExpired, keyOf } from './api-key.ts';
import { keyFileIn, readKeyFile } from './key-file.ts';

/** A revoked key holds no longer than that, and nobody waits longer for a new one. */
const LOOK_EVERY_MS = 1000;

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
  const path = keyFileIn(dataDir);
  let stamp = stampOf(path);
  let keys = readKeyFile(dataDir);

  function look(): void {
    const now = stampOf(path);
    if (now === stamp) return;
    stamp = now;
    try {
      keys = readKeyFile(dataDir);
      logger.info('keys.reread', { keys: keys.length });
    } catch (error) {
      logger.error('keys.kept', { error });
    }
  }

  const timer = setInterval(look, LOOK_EVERY_MS);
  timer.unref();
  return {
    find(secret) {
      const key = keyOf(secret, keys);
      return key && !isExpired(key, clock.now()) ? key : null;
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

/** What is another whenever the file was replaced; empty where there is none. */
function stampOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true });
  return found ? `${found.ino} ${found.mtimeNs} ${found.size}` : '';
}
