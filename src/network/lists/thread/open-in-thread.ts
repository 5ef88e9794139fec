import { stat } from 'node:fs/promises';
import { toOperationError } from '#src/core/base/errors/operation-error.ts';
import { runInThread } from '#src/core/base/threads/run-in-thread.ts';
import { type NamedList, openListIndex } from '../named-list.ts';
import { type ListSettings, NamedListError } from '../settings.ts';
import { type EntryTable, openEntryTable } from '../stored/entry-table.ts';
import { readIndexFile } from '../stored/index-file.ts';
import type { StoredVersion } from '../stored/list-state.ts';
import { answerListTask, type ListAnswer, type ListTask } from './list-task.ts';

/**
 * Size from which on a list is read in a thread of its own, in bytes: what a smaller one takes, some milliseconds, is less
 * than the start of a thread.
 */
const LARGE_BYTES = 256 * 1024;

/**
 * Opens a stored version of a list: by its index file if there is one, since a start waits for it. Throws OperationError if
 * its file is missing or was changed.
 */
export async function openVersion(dataDir: string, version: StoredVersion): Promise<EntryTable> {
  const isLarge = version.text_bytes >= LARGE_BYTES;
  const indexed = isLarge ? await readIndexFile(dataDir, version) : null;
  if (indexed !== null) return openEntryTable(indexed);
  const answer = await answerOf({ kind: 'version', dataDir, version }, version.text_bytes);
  if ('table' in answer) return openEntryTable(answer.table);
  throw refusalOf(answer);
}

/** Reads a list that a setting names. Throws NamedListError for its content, and OperationError for its path. */
export async function openNamedList(setting: keyof ListSettings, path: string): Promise<NamedList> {
  const bytes = await stat(path).then(
    ({ size }) => size,
    () => 0,
  );
  const answer = await answerOf({ kind: 'named', setting, path }, bytes);
  if ('named' in answer) return { ...answer.named, index: openListIndex(answer.named.index) };
  throw refusalOf(answer);
}

function refusalOf(answer: ListAnswer): Error {
  if (!('fault' in answer)) return new Error('the thread answered another task');
  return answer.isNamedListError ? new NamedListError(answer.fault.problems) : toOperationError(answer.fault);
}

async function answerOf(task: ListTask, bytes: number): Promise<ListAnswer> {
  if (bytes < LARGE_BYTES) return await answerListTask(task);
  return await runInThread({ entryPoint: 'network/lists/thread/worker.ts', message: task, work: 'reads a list' });
}
