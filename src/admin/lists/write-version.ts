import { SettingsError } from '#src/core/base/settings/settings-error.ts';
import { isBadLine, isLeftOut, type ListFileEntry, type ListFileItem } from '#src/network/lists/formats/list-format.ts';
import type { BadLine } from '#src/network/lists/parse.ts';
import { quoted } from '#src/network/lists/quoted.ts';
import { NEVER } from '#src/network/lists/stored/entry-facts.ts';
import { createEntryTable, type EntryTable } from '#src/network/lists/stored/entry-table.ts';
import type { ListGuard, Quarantine } from '#src/network/lists/stored/guard.ts';
import { readKeptEntry, writeKeptEntry } from '#src/network/lists/stored/stored-entry.ts';
import { type BadLines, type HeldBack, MAX_TOLD } from './list-change.ts';
import type { VersionDraft } from '#src/network/lists/stored/version-file.ts';
import type { VersionRow } from '#src/network/lists/stored/version-row.ts';

/** The most entries that a list may hold. */
export const MAX_ENTRIES = 5_000_000;

/** What was written of a version. */
export interface VersionCounts {
  entries: number;
  text_bytes: number;
  quarantined: number;
  /** Entries that were not in the list before. */
  added: number;
  expired: number;
  repeated: number;
  readonly heldBack: HeldBack[];
  readonly leftOut: { readonly first: BadLine[]; count: number };
}

/** What is written goes by this. */
export interface WriteRules {
  readonly nowMs: number;
  readonly guard: ListGuard;
  /** What was read is called so in messages. */
  readonly source: string;
  /** Whether lines that are no entry are left out, instead of refusing the file. */
  readonly skipsInvalid?: boolean;
  /** For entries that say nothing of it; null: never. */
  readonly expiresAtMs: number | null;
  /** What is known of an entry of the version before; null for one that was not there. */
  readonly addedBefore: (entry: string) => number | null;
}

/** Writes the entries of a version, each once. */
export interface VersionWriter {
  /** Takes over an entry as it was. */
  take(row: VersionRow): void;
  /** Reads what a file says. Throws a SettingsError with the lines that are no entry: half a list is no list. */
  read(items: AsyncIterable<readonly ListFileItem[]>): Promise<void>;
  readonly counts: VersionCounts;
}

/** A writer into `draft`. */
export function createVersionWriter(draft: Pick<VersionDraft, 'add'>, rules: WriteRules): VersionWriter {
  const table = createEntryTable();
  const quarantined = new Set<string>();
  const counts: VersionCounts = {
    ...{ entries: 0, text_bytes: 0, quarantined: 0, added: 0, expired: 0, repeated: 0 },
    heldBack: [],
    leftOut: { first: [], count: 0 },
  };

  function hold(row: VersionRow, why: Quarantine): void {
    if (quarantined.has(row.entry)) {
      counts.repeated++;
      return;
    }
    quarantined.add(row.entry);
    counts.quarantined++;
    if (counts.heldBack.length < MAX_TOLD) {
      counts.heldBack.push({ entry: row.entry, line: row.line, why });
    }
    draft.add(row);
  }

  /** The line of an entry that says the opposite; null where there is none. */
  function apply(row: VersionRow): number | null {
    const bytes = Buffer.from(row.entry, 'latin1');
    const facts = { ...row, expiresAt: row.expiresAt ?? NEVER };
    if (!isNew(table, bytes, facts)) {
      counts.repeated++;
      const known = table.factsOf(row.entry);
      return known && known.isException !== row.isException ? known.line : null;
    }
    if (table.size > MAX_ENTRIES) {
      throw new SettingsError([`${rules.source} holds more than ${MAX_ENTRIES.toLocaleString('en')} entries`]);
    }
    counts.entries++;
    counts.text_bytes += bytes.length;
    draft.add(row);
    return null;
  }

  function take(row: VersionRow): number | null {
    if (row.quarantine === null) return apply(row);
    hold(row, row.quarantine);
    return null;
  }

  function readItem(item: ListFileEntry): BadLine | null {
    const row = rowOf(item, rules);
    if (typeof row === 'string') return { line: item.line, message: row };
    if (row.expiresAt !== null && row.expiresAt * 1000 <= rules.nowMs) {
      counts.expired++;
      return null;
    }
    const before = counts.entries;
    const opposite = take(row);
    if (opposite !== null) {
      return { line: item.line, message: `${quoted(item.value)} says the opposite of line ${opposite}` };
    }
    if (counts.entries > before && rules.addedBefore(row.entry) === null) counts.added++;
    return null;
  }

  return {
    counts,
    take: (row) => void take(row),
    async read(items) {
      const bad: VersionCounts['leftOut'] = { first: [], count: 0 };
      for await (const some of items) {
        for (const item of some) {
          const problem = isBadLine(item) ? item : readItem(item);
          if (problem === null) continue;
          const isSkipped = rules.skipsInvalid === true || (isBadLine(item) && isLeftOut(item));
          const lines = isSkipped ? counts.leftOut : bad;
          if (lines.count++ < MAX_TOLD) lines.first.push(problem);
        }
      }
      if (bad.count > 0) throw new SettingsError([badLinesOf(rules.source, bad)]);
    },
  };
}

function isNew(table: EntryTable, bytes: Uint8Array, facts: Parameters<EntryTable['add']>[3]): boolean {
  const before = table.size;
  table.add(bytes, 0, bytes.length, facts);
  return table.size > before;
}

/** The row of an entry, or what is wrong with it. */
function rowOf(item: ListFileEntry, { nowMs, guard, expiresAtMs, addedBefore }: WriteRules): VersionRow | string {
  const read = readKeptEntry(item.value);
  if ('problem' in read) return `${quoted(item.value)} ${read.problem}`;
  const entry = writeKeptEntry(read);
  const expires = item.expiresAtMs ?? expiresAtMs;
  return {
    entry,
    line: item.line,
    addedAt: addedBefore(entry) ?? Math.floor(nowMs / 1000),
    expiresAt: expires === null ? null : Math.floor(expires / 1000),
    // An exception takes something off its own list alone, whatever it covers.
    quarantine: item.isException ? null : guard(read),
    isException: item.isException,
    source: item.source,
    comment: item.comment,
  };
}

function badLinesOf(source: string, { first, count }: BadLines): string {
  const named = first.map(({ line, message }) => `\nline ${line}: ${message}`).join('');
  const rest = count - first.length;
  return `${source} has lines that are no entry; nothing was changed:${named}${rest > 0 ? `\nand ${rest} more` : ''}`;
}
