import type { Target } from '#src/core/url/target.ts';
import type { EntryMatch, EntryTable } from './entry-table.ts';
import { type KeptVersion, readListState } from './list-state.ts';
import { loadVersion } from './load-version.ts';

/** A list that is kept in the data directory, in force. */
export interface KeptList {
  readonly version: KeptVersion;
  /** The narrowest entry that covers a target; null where none does, or that one is an exception. */
  find(target: Target, nowMs: number): EntryMatch | null;
}

/**
 * Opens the lists that are in force; those of `known` that have not changed are taken over.
 *
 * @throws SettingsError where one cannot be read, and then of none.
 */
export async function openKeptLists(dataDir: string, known: readonly KeptList[] = []): Promise<readonly KeptList[]> {
  const state = await readListState(dataDir);
  try {
    const opened: KeptList[] = [];
    for (const version of state.lists) opened.push(await openList(dataDir, version, known));
    return opened;
  } catch (error) {
    // Whoever changed the lists meanwhile may have removed what was in force before.
    if ((await readListState(dataDir)).revision === state.revision) throw error;
    return await openKeptLists(dataDir, known);
  }
}

/** Opens one version of a list. Throws a SettingsError where it cannot be read. */
export async function openList(
  dataDir: string,
  version: KeptVersion,
  known: readonly KeptList[] = [],
): Promise<KeptList> {
  const same = known.find((list) => list.version.sha256 === version.sha256);
  if (same && Bun.deepEquals(same.version, version)) return same;
  // What a list does may change without its entries.
  return same ? { ...same, version } : keptList(version, await loadVersion(dataDir, version));
}

/** A list of these entries. */
export function keptList(version: KeptVersion, table: EntryTable): KeptList {
  return {
    version,
    find(target, nowMs) {
      const match = table.find(target, nowMs);
      return match?.isException ? null : match;
    },
  };
}
