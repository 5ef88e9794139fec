import { basename } from 'node:path';
import { withAllProblems } from '#src/core/base/settings/setting-source.ts';
import type { NamedList } from './named-list.ts';
import { type ListSettings, NamedListError } from './settings.ts';
import { openStoredLists, type StoredList } from './stored/stored-list.ts';

/** The lists of files that the settings name. */
export interface NamedLists {
  readonly block: readonly NamedList[];
  readonly allow: readonly NamedList[];
}

/** All lists of this node: the files that settings name, and the stored lists of the data directory. */
export interface LocalLists extends NamedLists {
  readonly stored: readonly StoredList[];
}

/** Lets those who hold lists see other ones from a moment on. */
export function createReplaceableLists(lists: LocalLists) {
  let current = lists;
  return {
    get block() {
      return current.block;
    },
    get allow() {
      return current.allow;
    },
    get stored() {
      return current.stored;
    },
    /** Replaces the given lists; the others stay. */
    replace(next: Partial<LocalLists>) {
      current = { ...current, ...next };
    },
  };
}

/** Called for lists that cannot be used, which are left out then. */
export interface ListFaults {
  /** The stored lists, of which none is active. */
  onStored(error: unknown): void;
  /** A list that a setting names, by its {@link NamedList.name}. */
  onNamed(name: string, error: NamedListError): void;
}

/**
 * Reads all lists of a node; unchanged lists of `known` are reused.
 *
 * @param faults called for lists that cannot be used; without it those throw
 * @throws OperationError if a list cannot be read, with `faults` only if a setting names no file
 */
export async function openLists(
  settings: ListSettings & { readonly data_dir: string },
  { stored: known }: Pick<LocalLists, 'stored'> = { stored: [] },
  faults?: ListFaults,
): Promise<LocalLists> {
  const opening = openStoredLists(settings.data_dir, known);
  const [named, stored] = await withAllProblems([
    loadLists(settings, faults),
    faults
      ? opening.catch((error) => {
          faults.onStored(error);
          return [];
        })
      : opening,
  ]);
  return { ...named, stored };
}

/**
 * Reads the lists that the settings name.
 *
 * @param faults called for a file that cannot be used, whose list is left out: half a list is no list
 * @throws OperationError without `faults` if a file cannot be used; with it only if a path leads to no file, which is
 *   a mistake in the settings
 */
export async function loadLists(settings: ListSettings, faults?: Pick<ListFaults, 'onNamed'>): Promise<NamedLists> {
  const load = async (setting: keyof ListSettings) => {
    const lists = await withAllProblems(settings[setting].map((path) => loadList(setting, path, faults)));
    return lists.filter((list) => list !== null);
  };
  const [block, allow] = await withAllProblems([load('block_list'), load('allow_list')]);
  return { block, allow };
}

async function loadList(
  setting: keyof ListSettings,
  path: string,
  faults?: Pick<ListFaults, 'onNamed'>,
): Promise<NamedList | null> {
  try {
    const { openNamedList } = await import('./thread/open-in-thread.ts');
    return await openNamedList(setting, path);
  } catch (error) {
    if (!(faults && error instanceof NamedListError)) throw error;
    faults.onNamed(basename(path), error);
    return null;
  }
}
