import type { Logger } from '#src/core/base/logger.ts';
import { VISIBILITIES, type Visibility } from '#src/core/base/visibility.ts';
import { asStoreError } from '../file/fault.ts';
import type { LogFile } from '../file/log-file.ts';
import { writeFailure } from '../file/write-failure.ts';
import { countMessages } from '../messages/remove-messages.ts';
import { newestIdOf } from '../read/find-checks.ts';
import type { Eraser } from '../upkeep/eraser.ts';
import { runEvery } from '../upkeep/run-every.ts';
import { allDeletions, type Deletion, findDeletion, insertDeletion, pendingDeletions } from './deletion.ts';
import type { DeletionTarget } from './deletion-target.ts';
import { findMatching } from './find-matching.ts';
import { removalOf } from './remove-matching.ts';

/** Deletions requested by the operator, and their append-only record. */
export interface Deletions {
  /** Counts the checks that a deletion would remove. */
  count(visibility: Visibility, meant: DeletionTarget): number;
  /**
   * Requests a deletion, durably; the serving process carries it out. Returns its id. Throws StoreError if the request
   * cannot be stored, for instance on a full disk; nothing is deleted then.
   */
  ask(visibility: Visibility, meant: DeletionTarget): number;
  /**
   * Carries out the pending deletions without leaving a trace in any file. Resolves with those that are done now. Only
   * with access `serve`. Throws StoreError if the file fails, for instance on a full disk; the next call continues.
   */
  finish(visibility: Visibility): Promise<readonly Deletion[]>;
  /** Returns a deletion by id; null if unknown. */
  find(visibility: Visibility, id: number): Deletion | null;
  /** Returns all deletions, oldest first. */
  all(visibility: Visibility): readonly Deletion[];
  /** Returns the keyed hash of a target for the record. */
  hashOf(wanted: string): Buffer;
}

/** Dependencies of {@link createDeletions}. */
export interface DeletionTools {
  readonly erase: Eraser['erase'];
  readonly hashOf: (wanted: string) => Buffer;
  readonly now: () => number;
}

/** Creates the deletions of both logs. */
export function createDeletions(
  logs: Readonly<Record<Visibility, LogFile>>,
  { erase, hashOf, now }: DeletionTools,
): Deletions {
  async function finishOne(log: LogFile, id: number): Promise<Deletion | null> {
    await erase(log.visibility, () => {
      const deletion = findDeletion(log, id);
      return deletion && removalOf(log, deletion, now);
    });
    return findDeletion(log, id);
  }

  return {
    count(visibility, meant) {
      const log = logs[visibility];
      const found = findMatching(log, meant, newestIdOf(log)).reduce((sum, ids) => sum + ids.length, 0);
      return found + countMessages(log, meant);
    },
    ask(visibility, meant) {
      const log = logs[visibility];
      try {
        return log.database.transaction(() => insertDeletion(log, meant, hashOf(meant.wanted), now())).immediate();
      } catch (error) {
        throw asStoreError(log.path, writeFailure(log.path, error));
      }
    },
    async finish(visibility) {
      const log = logs[visibility];
      const done: Deletion[] = [];
      try {
        for (const id of pendingDeletions(log)) {
          const deletion = await finishOne(log, id);
          if (deletion?.doneAtMs != null) done.push(deletion);
        }
      } catch (error) {
        throw asStoreError(log.path, writeFailure(log.path, error));
      }
      return done;
    },
    find: (visibility, id) => findDeletion(logs[visibility], id),
    all: (visibility) => allDeletions(logs[visibility]),
    hashOf,
  };
}

/** Poll interval: the command that requests a deletion waits two seconds for it. */
const POLL_MS = 1000;

/** Carries out deletions that other processes requested or a previous run left, until it is disposed of. */
export function runPendingDeletions(
  { deletions }: { readonly deletions: Pick<Deletions, 'finish'> },
  logger: Logger,
): Disposable {
  return runEvery(
    POLL_MS,
    async () => {
      for (const visibility of VISIBILITIES) {
        for (const { removed } of await deletions.finish(visibility)) {
          logger.info('log.deleted', { visibility, removed });
        }
      }
    },
    (error) => logger.error('log.delete_failed', { error }),
  );
}
