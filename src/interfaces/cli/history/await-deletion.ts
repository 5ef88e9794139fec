import type { Deletion } from '#src/checks/store/deletions/deletion.ts';
import { type LocalLog, openLocalLog } from '#src/checks/store/local-log.ts';
import { StoreError } from '#src/checks/store/store-error.ts';
import { systemClock } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import type { Visibility } from '#src/core/base/visibility.ts';

const POLL_INTERVAL_MS = 100;

/** A service that restarts must find the lock of its directory free: nobody else takes it until it has had time to come back. */
const RETRY_INTERVAL_MS = 10_000;

/** So long nothing may happen. A large file takes minutes to be overwritten on a slow disk. */
const PATIENCE_MS = 300_000;

/** Where a deletion was asked for. */
export interface PendingDeletion {
  /** Open for reading. */
  readonly log: LocalLog;
  readonly dataDir: string;
  readonly visibility: Visibility;
  readonly id: number;
  readonly logger: Logger;
}

/** What came of waiting for a deletion. */
export interface DeletionWait {
  /** As it stands; null where there is none. */
  readonly deletion: Deletion | null;
  /** Why it is not done, in sentences; null where it is, or where nobody knows. */
  readonly problem: string | null;
}

/** Below this a service may lack the room to delete in. */
const MIN_FREE_BYTES = 16 * 1024 * 1024;

/**
 * Waits until a deletion is done: by the service that runs, or where none does, by this process. It is not done where that
 * fails, where nothing has happened for minutes, or for seconds while the disk is full.
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
    await using own = await openLocalLog({ dataDir, access: 'serve', clock: systemClock, logger });
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
