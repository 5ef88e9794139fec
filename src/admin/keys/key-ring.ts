import type { Clock } from '#src/core/base/clock.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import { type FollowedFile, followFile, stampOf } from '#src/core/base/files/followed-file.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { type ApiKey, isExpired, keyFileIn, keyOf, readKeyFile } from './api-key.ts';

/** The active keys. Disposing of it ends looking for others. */
export interface KeyRing extends Disposable {
  /** Returns the key of a secret; null if there is none, or it has expired. */
  find(secret: string): ApiKey | null;
  /** Returns the key whose secret has a digest (`secret_sha256`); null if there is none, or it has expired. */
  withDigest(digest: string): ApiKey | null;
  /** Returns true if no key exists; false if the keys cannot be read. */
  isEmpty(): boolean;
  /** The file of the keys. */
  readonly file: FollowedFile;
  /** Returns true if the keys were unreadable at startup and ever since: then there are none. */
  hasNeverBeenRead(): boolean;
}

/**
 * Reads the keys, and again whenever their file changes. If it cannot be read, no key is accepted at a start, and later those
 * before stay active; the operator is notified.
 */
export function openKeyRing(dataDir: string, clock: Clock, logger: Pick<Logger, 'info' | 'error'>): KeyRing {
  const path = keyFileIn(dataDir);
  // Before the file is read, so that no change of it goes unseen.
  const stamp = stampOf(path);
  let keys: readonly ApiKey[] | null = null;
  let problem: string | null = null;
  try {
    keys = readKeyFile(dataDir);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    problem = error.message;
    logger.error('file.unusable', { file: 'keys', problem });
  }
  const file = followFile({
    path,
    since: { stamp, problem },
    apply() {
      keys = readKeyFile(dataDir);
      logger.info('keys.reread', { keys: keys.length });
    },
    onProblem: (error) =>
      logger.error('keys.kept', error instanceof OperationError ? { problems: error.problems } : { error }),
  });
  const unlessExpired = (key: ApiKey | null) => (key && !isExpired(key, clock.now()) ? key : null);
  return {
    find: (secret) => unlessExpired(keyOf(secret, keys ?? [])),
    withDigest: (digest) => unlessExpired((keys ?? []).find((key) => key.secret_sha256 === digest) ?? null),
    isEmpty: () => keys?.length === 0,
    file,
    hasNeverBeenRead: () => keys === null,
    [Symbol.dispose]: () => file[Symbol.dispose](),
  };
}
