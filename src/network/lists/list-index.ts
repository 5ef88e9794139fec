import type { Target } from '#src/core/url/target.ts';
import type { ParsedList } from './parse.ts';
import { NEVER } from './stored/entry-facts.ts';
import { SCHEME } from './stored/entry-keys.ts';
import { createEntryTable, type EntryTable, openEntryTable, type PackedTable } from './stored/entry-table.ts';
import { writeStoredEntry } from './stored/stored-entry.ts';

/** The entry that a target matched. */
export interface ListMatch {
  /** Its text in canonical form. */
  readonly entry: string;
  /** Its line in the list, counted from 1. */
  readonly line: number;
}

/** A list that answers whether a target is on it. */
export interface ListIndex {
  readonly size: number;
  /** Identifies the content of the list. */
  readonly digest: string;
  /** The most specific entry that covers `target`: an address before a host, a longer one before a shorter; or null. */
  find(target: Target): ListMatch | null;
  /** See `EntryTable`. */
  readonly mayCover: EntryTable['mayCover'];
}

/** Content of a {@link ListIndex}, to be handed to another thread. */
export interface PackedIndex extends Pick<ListIndex, 'size' | 'digest'> {
  readonly table: PackedTable;
}

/** Indexes a list. */
export function indexList(list: ParsedList): ListIndex {
  return openListIndex(packList(list));
}

/** Returns the content of the index of a list. */
export function packList({ entries, digest }: ParsedList): PackedIndex {
  const table = createEntryTable();
  for (const { entry, line } of entries) {
    const text = Buffer.from(writeStoredEntry(entry), 'latin1');
    table.add(text, 0, text.length, { line, addedAt: 0, expiresAt: NEVER, isException: false });
  }
  return { size: entries.length, digest, table: table.pack() };
}

/** Opens an index on its content. */
export function openListIndex({ size, digest, table: packed }: PackedIndex): ListIndex {
  const table = openEntryTable(packed);
  return {
    size,
    digest,
    mayCover: table.mayCover,
    find(target) {
      const match = table.find(target, 0);
      if (match === null) return null;
      const { entry, line } = match;
      return { entry: entry.startsWith(SCHEME) ? entry.slice(SCHEME.length) : entry, line };
    },
  };
}
