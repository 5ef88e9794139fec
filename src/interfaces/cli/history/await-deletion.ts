import type { Deletion } from '#src/checks/store/deletions/deletions.ts';
import { type LocalLog, openLocalLog } from '#src/checks/store/local-log.ts';
import { openPictureStore } from '#src/checks/store/pictures/picture-store.ts';
import { StoreError } from '#src/checks/store/store-error.ts';
import { systemClock } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import type { Visibility } from '#src/core/base/visibility.ts';

const POLL_INTERVAL_MS = 100;

/** Interval of attempts to lock the data directory, long enough that a restarting service gets the lock first. */
const RETRY_INTERVAL_MS = 10_000;

/** So long nothing may happen. A large file takes minutes to be overwritten on a slow disk. */
const PATIENCE_MS = 300_000;

/** A requested deletion, and its log. */
export interface PendingDeletion {
  /** Open for reading. */
  readonly log: LocalLog;
  readonly dataDir: string;
  readonly visibility: Visibility;
  readonly id: number;
  readonly logger: Logger;
}

/** Result of waiting for a deletion. */
export interface DeletionWait {
  /** The deletion in its current state; null if it does not exist. */
  readonly deletion: Deletion | null;
  /** Why it is unfinished, in sentences; null if it is finished or the reason is unknown. */
  readonly problem: string | null;
}

/** Below this a service may lack the room to delete in. */
const MIN_FREE_BYTES = 16 * 1024 * 1024;

/**
 * Waits until a deletion is done by the running service, or without one by this process. Gives up if that fails, if
 * there is no progress for minutes, or for seconds while the disk is full.
 */
export async function awaitDeletion(asked: PendingDeletion): Promise<DeletionWait> {
  const { log, visibility, id } = asked;
  let deletion = log.deletions.find(visibility, id);
  for (let idleMs = 0; idleMs < PATIENCE_MS && deletion?.doneAtMs === null; idleMs += POLL_INTERVAL_MS) {
    const { removed } = deletion;
    let problem: string | null = null;
    if (idleMs % RETRY_INTERVAL_MS === 0) problem = await finishUnlessServed(asked, idleMs > 0);
    else await Bun.sleep(POLL_INTERVAL_MS);
    deletion = log.deletions.find(visibility, id);
    if (problem !== null) return { deletion, problem };
    if (deletion?.removed !== removed) idleMs = 0;
  }
  return { deletion, problem: null };
}

/** Why it is not done: this process could not, or a service has not and seems to be unable to; null otherwise. */
async function finishUnlessServed(
  { log, dataDir, visibility, logger }: PendingDeletion,
  hasBeenIdle: boolean,
): Promise<string | null> {
  try {
    const opening = { dataDir, clock: systemClock, logger };
    // Removes the pictures of the checks alone: the bounds are those of the service.
    await using pictures = openPictureStore({ ...opening, bounds: { days: Infinity, bytes: Infinity } });
    await using own = await openLocalLog({ ...opening, access: 'serve', onRemoved: pictures.remove });
    await own.deletions.finish(visibility);
    return null;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    if (error.code !== 'locked') return error.message;
    const freeBytes = log.freeDiskBytes();
    if (!hasBeenIdle || freeBytes >= MIN_FREE_BYTES) return null;
    return `The disk of ${dataDir} has ${freeBytes} bytes left, too few for the running service to delete checks. Free disk space.`;
  }
}
