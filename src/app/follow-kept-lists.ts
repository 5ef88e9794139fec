import { logRefused } from '#src/admin/active/log-refused.ts';
import { type FollowedFile, followFile, stampOf } from '#src/core/base/files/followed-file.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { stateFileIn } from '#src/network/lists/stored/list-state.ts';
import type { Engine } from './engine.ts';

/**
 * Applies the lists of the data directory whenever they change, within two seconds. If they cannot be read, the current
 * ones stay active, and the operator is notified.
 *
 * @param sinceStamp the stamp of their file before the engine read it
 */
export function followKeptLists(
  dataDir: string,
  sinceStamp: string,
  engine: Pick<Engine, 'readKeptLists' | 'faults'>,
  logger: Pick<Logger, 'info' | 'error'>,
): FollowedFile {
  const fault = engine.faults().find(({ file }) => file === 'lists');
  return followFile({
    path: stateFileIn(dataDir),
    since: { stamp: sinceStamp, problem: fault?.problem ?? null },
    async apply() {
      const { lists, hasChanged } = await engine.readKeptLists();
      if (hasChanged) logger.info('lists.reread', { lists: lists.length });
    },
    onProblem: logRefused('lists.kept', logger),
  });
}

/** The stamp of the file that names the active lists. */
export const listStamp = (dataDir: string): string => stampOf(stateFileIn(dataDir));
