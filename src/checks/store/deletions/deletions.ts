import type { Visibility } from '#src/core/base/visibility.ts';
import { asStoreError } from '../file/fault.ts';
import type { LogFile } from '../file/log-file.ts';
import { writeFailure } from '../file/write-failure.ts';
import { newestIdOf } from '../read/find-checks.ts';
import type { Forgetter } from '../upkeep/eraser.ts';
import type { Deletable } from './deletion-target.ts';
import { allDeletions, type Deletion, findDeletion, insertDeletion, openDeletions } from './deletion.ts';
import { findMeant } from './find-matching.ts';
import { removalOf } from './remove-matching.ts';

/** Deletions at the operator's word, and the record of them, which only grows. */
export interface Deletions {
  /** How many checks a deletion would take. */
  count(visibility: Visibility, meant: Deletable): number;
  /**
   * Asks for a deletion, which whoever serves from the data directory then does; it survives a power cut. Returns its id.
   * Throws StoreError where it could not be kept, for instance on a full disk: then nothing is deleted.
   */
  ask(visibility: Visibility, meant: Deletable): number;
  /**
   * Deletes, without a trace in any file, what was asked for and is there still, as it deletes what has grown old; resolves
   * with what is done now. Only with the access `serve`. Throws StoreError where the file is at fault, for instance on a full
   * disk: what is not done yet goes on with the next call.
   */
  finish(visibility: Visibility): Promise<readonly Deletion[]>;
  /** The deletion with this id; null where there is none. */
  find(visibility: Visibility, id: number): Deletion | null;
  /** All of them, oldest first. */
  all(visibility: Visibility): readonly Deletion[];
  /** What stands for a word in the record, by a key in the data directory. */
  hashOf(wanted: string): Buffer;
}

/** What {@link createDeletions} works with. */
export interface DeletionTools {
  readonly forget: Forgetter['forget'];
  readonly hashOf: (wanted: string) => Buffer;
  readonly now: () => number;
}

/** The deletions of both logs. */
export function createDeletions(
  logs: Readonly<Record<Visibility, LogFile>>,
  { forget, hashOf, now }: DeletionTools,
): Deletions {
  async function finishOne(log: LogFile, id: number): Promise<Deletion | null> {
    await forget(log.visibility, () => {
      const deletion = findDeletion(log, id);
      return deletion && removalOf(log, deletion, now);
    });
    return findDeletion(log, id);
  }

  return {
    count(visibility, meant) {
      const log = logs[visibility];
      return findMeant(log, meant, newestIdOf(log)).reduce((sum, ids) => sum + ids.length, 0);
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
        for (const { id } of openDeletions(log)) {
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
