import type { Target } from '#src/core/url/target.ts';
import type { EntryMatch, EntryTable } from './entry-table.ts';
import { readListState, type StoredVersion } from './list-state.ts';

/** An active list of the data directory. */
export interface StoredList {
  readonly version: StoredVersion;
  /** Returns the narrowest entry that covers a target; null if there is none, or it is an exception. */
  find(target: Target, nowMs: number): EntryMatch | null;
  /** See `EntryTable`. */
  readonly mayCover: EntryTable['mayCover'];
}

/**
 * Opens the active lists; unchanged lists of `known` are reused.
 *
 * @throws OperationError if one cannot be read, without opening any
 */
export async function openStoredLists(
  dataDir: string,
  known: readonly StoredList[] = [],
): Promise<readonly StoredList[]> {
  const state = await readListState(dataDir);
  try {
    const opened: StoredList[] = [];
    for (const version of state.lists) opened.push(await openList(dataDir, version, known));
    return opened;
  } catch (error) {
    // A concurrent change may have removed the files of the earlier lists.
    if ((await readListState(dataDir)).revision === state.revision) throw error;
    return await openStoredLists(dataDir, known);
  }
}

/** Opens a version of a list. Throws OperationError if it cannot be read. */
export async function openList(
  dataDir: string,
  version: StoredVersion,
  known: readonly StoredList[] = [],
): Promise<StoredList> {
  const same = known.find((list) => list.version.sha256 === version.sha256);
  if (same && Bun.deepEquals(same.version, version)) return same;
  // The action of a list may change without its entries.
  if (same) return { ...same, version };
  const { openVersion } = await import('../thread/open-in-thread.ts');
  return createStoredList(version, await openVersion(dataDir, version));
}

/** A list of these entries. */
function createStoredList(version: StoredVersion, table: EntryTable): StoredList {
  return {
    version,
    mayCover: table.mayCover,
    find(target, nowMs) {
      const match = table.find(target, nowMs);
      return match?.isException ? null : match;
    },
  };
}
