import { type OperationFault, toOperationFault } from '#src/core/base/errors/operation-error.ts';
import { type PackedIndex, packList, readNamedList } from '../named-list.ts';
import { type ListSettings, NamedListError } from '../settings.ts';
import type { PackedTable } from '../stored/entry-table.ts';
import type { StoredVersion } from '../stored/list-state.ts';
import { loadVersion } from '../stored/load-version.ts';

/** A stored version of a list of the data directory. */
export interface VersionTask {
  readonly kind: 'version';
  readonly dataDir: string;
  readonly version: StoredVersion;
}

/** A list of a file that a setting names. */
export interface NamedTask {
  readonly kind: 'named';
  readonly setting: keyof ListSettings;
  readonly path: string;
}

/** A list to be read and indexed. */
export type ListTask = VersionTask | NamedTask;

/** An indexed list of a file. */
export interface PackedNamedList {
  readonly name: string;
  readonly index: PackedIndex;
  readonly changedAtMs: number | null;
}

/** Content of the index, or why there is none. Errors lose their class between threads. */
export type ListAnswer =
  | { readonly table: PackedTable }
  | { readonly named: PackedNamedList }
  | { readonly fault: OperationFault; readonly isNamedListError: boolean };

/** Reads and indexes a list. */
export async function answerListTask(task: ListTask): Promise<ListAnswer> {
  try {
    if (task.kind === 'version') return { table: (await loadVersion(task.dataDir, task.version)).pack() };
    const { name, list, changedAtMs } = await readNamedList(task.setting, task.path);
    return { named: { name, index: packList(list), changedAtMs } };
  } catch (error) {
    return { fault: toOperationFault(error), isNamedListError: error instanceof NamedListError };
  }
}

/** Returns the buffers of an answer, which are handed over and not copied. */
export function buffersOf(answer: ListAnswer): ArrayBuffer[] {
  const table = 'table' in answer ? answer.table : 'named' in answer ? answer.named.index.table : null;
  if (table === null) return [];
  const { texts, authorities } = table.keys;
  const arrays = [texts.blob, texts.ends, texts.slots, authorities, ...table.facts.map(({ values }) => values)];
  return arrays.flatMap((array) => array?.buffer ?? []);
}
