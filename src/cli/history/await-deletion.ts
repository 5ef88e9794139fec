import { systemClock } from '#src/base/clock.ts';
import type { Logger } from '#src/base/logger.ts';
import type { Visibility } from '#src/base/visibility.ts';
import type { Deletion } from '#src/store/deletions/deletion.ts';
import { type LocalLog, openLocalLog } from '#src/store/local-log.ts';
import { StoreError } from '#src/store/store-error.ts';

const LOOK_EVERY_MS = 100;

/** A service that restarts must find the lock of its directory free: nobody else takes it until it has had time to come back. */
const TRY_EVERY_MS = 10_000;

/** So long nothing may happen. A large file takes minutes to be overwritten on a slow disk. */
const PATIENCE_MS = 300_000;

/** Where a deletion was asked for. */
export interface Asked {
  /** Open for reading. */
  readonly log: LocalLog;
  readonly dataDir: string;
  readonly visibility: Visibility;
  readonly id: number;
  readonly logger: Logger;
}

/**
 * Waits until a deletion is done: by the service that runs, or where none does, by this process. Resolves with it as it
 * stands; it is not done where nothing has happened for minutes.
 */
export async function awaitDeletion({ log, dataDir, visibility, id, logger }: Asked): Promise<Deletion | null> {
  let deletion = log.deletions.find(visibility, id);
  for (let idleMs = 0; idleMs < PATIENCE_MS && deletion?.doneAtMs === null; idleMs += LOOK_EVERY_MS) {
    if (idleMs % TRY_EVERY_MS === 0) await finishUnlessServed(dataDir, visibility, logger);
    else await Bun.sleep(LOOK_EVERY_MS);
    const { removed } = deletion;
    deletion = log.deletions.find(visibility, id);
    if (deletion?.removed !== removed) idleMs = 0;
  }
  return deletion;
}

async function finishUnlessServed(dataDir: string, visibility: Visibility, logger: Logger): Promise<void> {
  try {
    await using log = await openLocalLog({ dataDir, access: 'serve', clock: systemClock, logger });
    await log.deletions.finish(visibility);
  } catch (error) {
    if (!(error instanceof StoreError && error.code === 'locked')) throw error;
  }
}
