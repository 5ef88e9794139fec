import { systemClock } from '#src/core/base/clock.ts';
import { readListState } from '#src/network/lists/stored/list-state.ts';
import { type PreparedLists, preparedLists } from './change-lists.ts';
import type { ListChange, ListChanged } from './list-change.ts';
import { isStream, type ListInput } from './list-inputs.ts';
import { workOnLists } from './thread/work-on-lists.ts';

/**
 * Changes the lists of a data directory atomically. A running service reloads them within two seconds.
 *
 * @param by owner of the lists: `operator`, `feedback`, or `pack` and its name
 * @throws OperationError that says why nothing was changed
 */
export async function changeStoredLists(
  dataDir: string,
  by: string,
  changes: readonly ListChange[],
): Promise<readonly ListChanged[]> {
  const prepared = await prepareStoredLists(dataDir, by, changes);
  await prepared.commit();
  return prepared.changed;
}

/**
 * Prepares such a change without activating it, if it is large in a thread of its own, which takes the bytes of files over.
 * Throws an OperationError that says why nothing can be changed.
 */
export async function prepareStoredLists(
  dataDir: string,
  by: string,
  changes: readonly ListChange[],
): Promise<PreparedLists> {
  const inputs = changes.flatMap((change) => ('items' in change ? [change.items] : []));
  // Streams cannot be sent to a thread; commands have them, not the service.
  const work = inputs.some(isStream) ? { versions: [] } : await inputOf(dataDir, changes, inputs);
  return preparedLists(dataDir, await workOnLists('write', work, dataDir, by, changes, systemClock.now()));
}

async function inputOf(dataDir: string, changes: readonly ListChange[], inputs: readonly ListInput[]) {
  const { lists } = await readListState(dataDir);
  return {
    versions: lists.filter(({ name }) => changes.some(({ what, list }) => what !== 'rollback' && list === name)),
    files: inputs.flatMap((input) => ('bytes' in input ? [input.bytes] : [])),
  };
}
