import { openListGuard } from '#src/app/scoring/list-guard.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { type OperationFault, toOperationError } from '#src/core/base/errors/operation-error.ts';
import { runInThread } from '#src/core/base/threads/run-in-thread.ts';
import { readListState, type StoredVersion } from '#src/network/lists/stored/list-state.ts';
import { type PreparedLists, preparedLists, writeLists } from '../change-lists.ts';
import { coveringEntries, findEntries } from '../find-entries.ts';
import type { ListChange, ListChanged } from '../list-change.ts';
import { isStream, type ListInput } from '../list-inputs.ts';
import { popularSiteHits } from '../popular-site-hits.ts';

const LIST_WORK = {
  write: async (dataDir: string, by: string, changes: readonly ListChange[], nowMs: number) =>
    await writeLists({ dataDir, by, guard: await openListGuard(dataDir), nowMs }, changes),
  popularSiteHits,
  coveringEntries,
  findEntries,
};

/** Work that reads lists as a whole. Arguments and results can be sent between threads. */
type ListWork = typeof LIST_WORK;

/** A piece of such work. */
export interface ListWorkTask {
  readonly name: keyof ListWork;
  readonly args: readonly unknown[];
}

/** Does a piece of work. Throws as the work does. */
export async function doListWork({ name, args }: ListWorkTask): Promise<unknown> {
  // Who makes a task has typed arguments.
  const work: (...given: never[]) => Promise<unknown> = LIST_WORK[name];
  return await work(...(args as never[]));
}

/** Result of a task, or its problems: errors lose their class between threads. */
export type ListWorkAnswer = { readonly result: unknown } | { readonly fault: OperationFault };

/** Input of work with lists. */
export interface ListWorkInput {
  /** Versions that are read as a whole. */
  readonly versions: readonly Pick<StoredVersion, 'text_bytes'>[];
  /** Bytes among the arguments, whose buffers are handed over. */
  readonly files?: readonly Uint8Array[];
}

/**
 * Size from which on a thread does the work, in bytes: what less takes, some milliseconds, is less than the start of a
 * thread.
 */
const LARGE_BYTES = 64 * 1024;

/** Does work with lists, in a thread of its own if it is large. Throws as the work does; OperationError if it refuses. */
export async function workOnLists<Name extends keyof ListWork>(
  name: Name,
  { versions, files = [] }: ListWorkInput,
  ...args: Parameters<ListWork[Name]>
): Promise<Awaited<ReturnType<ListWork[Name]>>> {
  const task: ListWorkTask = { name, args };
  const bytes = [...versions.map((version) => version.text_bytes), ...files.map(({ length }) => length)];
  const isLarge = bytes.reduce((sum, one) => sum + one, 0) >= LARGE_BYTES;
  const result = isLarge ? await inThread(task, files) : await doListWork(task);
  // The result is that of the task's name.
  return result as Awaited<ReturnType<ListWork[Name]>>;
}

async function inThread(message: ListWorkTask, files: readonly Uint8Array[]): Promise<unknown> {
  const answer = await runInThread<ListWorkAnswer>({
    ...{ entryPoint: 'parts/lists/thread/worker.ts', work: 'reads lists', message },
    transfer: files.flatMap(({ buffer }) => (buffer instanceof ArrayBuffer ? [buffer] : [])),
  });
  if ('fault' in answer) throw toOperationError(answer.fault);
  return answer.result;
}

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
