import { isAscii } from '#src/core/base/text/untrusted-text.ts';
import { unwrap } from '#src/core/unwrap/unwrap.ts';
import { displayName } from '#src/core/url/confusable.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';
import { NEVER } from '#src/network/lists/stored/entry-facts.ts';
import { createEntryTable } from '#src/network/lists/stored/entry-table.ts';
import type { StoredVersion } from '#src/network/lists/stored/list-state.ts';
import { readVersion, type VersionRow } from '#src/network/lists/stored/version-file.ts';

/** Orders of entries: as in the list, by name, by the time they were added, by expiry, by hits. */
export const ENTRY_SORTS = ['line', 'entry', 'added', 'expires', 'hits'] as const;

/** One of {@link ENTRY_SORTS}. */
export type EntrySort = (typeof ENTRY_SORTS)[number];

/** Syntax of `EntryQuery.after`: a number, in other orders than the list's with the key behind it. */
export const AFTER = /^\d{1,15}(?:\..{0,9000})?$/su;

/** A page of the entries of lists. */
export interface EntryQuery {
  /** Text that finds entries as `entryTest` does; empty for all. */
  readonly search: string;
  readonly sort: EntrySort;
  readonly isDescending: boolean;
  /** `next` of the previous page; null for the first. */
  readonly after: string | null;
  readonly limit: number;
}

/** An entry and the name of its list. */
export interface FoundEntry {
  readonly list: string;
  readonly row: VersionRow;
}

/** Entries in their order. */
export interface FoundEntries {
  readonly entries: readonly FoundEntry[];
  /** Number of all that match, also those that are not applied. */
  readonly found: number;
  /** Start of the next page; null at the end. */
  readonly next: string | null;
}

/** Hits of entries by list; an entry that is missing has none. */
export type RankedHits = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Place of an entry in an order: by its key, then by its number among all that were read. */
interface Place {
  readonly key: string | number;
  readonly at: number;
}

type PlacedEntry = FoundEntry & Place;

/** Reads through lists once and returns a page of their entries; of the others it holds no more than a page. */
export async function findEntries(
  dataDir: string,
  versions: readonly Pick<StoredVersion, 'name' | 'file' | 'entries' | 'quarantined'>[],
  query: EntryQuery,
  hits: RankedHits,
): Promise<FoundEntries> {
  const { search, sort, limit } = query;
  const isMatch = search.trim() === '' ? null : entryTest(search);
  const page = pageOf(query);
  const isPlain = isMatch === null && sort === 'line' && !query.isDescending;
  let [at, found] = [0, 0];
  for (const { name: list, file } of versions) {
    const hitsOf = hits.get(list);
    for await (const rows of readVersion(dataDir, file)) {
      for (const row of rows) {
        const place = { key: keyOf(row, sort, at, hitsOf), at: at++ };
        if (isMatch !== null && !isMatch(row)) continue;
        found++;
        page.offer(place, list, row);
      }
      if (isPlain && page.isFull()) break;
    }
    if (isPlain && page.isFull()) break;
  }
  // The end of a list that is shown in its own order is not read.
  const all = versions.reduce((sum, { entries, quarantined }) => sum + entries + quarantined, 0);
  const placed = page.entries();
  const shown = placed.slice(0, limit);
  const last = shown.at(-1);
  return {
    entries: shown.map(({ list, row }) => ({ list, row })),
    found: isPlain ? all : found,
    next: placed.length > limit && last ? writeAfter(last, sort) : null,
  };
}

function keyOf(row: VersionRow, sort: EntrySort, at: number, hits?: ReadonlyMap<string, number>): string | number {
  if (sort === 'line') return at;
  if (sort === 'entry') return row.entry.replace(/^http:\/\//, '');
  if (sort === 'added') return row.addedAt;
  return sort === 'hits' ? (hits?.get(row.entry) ?? 0) : (row.expiresAt ?? Number.POSITIVE_INFINITY);
}

/** Collects the first entries behind a place, and one more. */
function pageOf({ sort, isDescending, after, limit }: EntryQuery) {
  const sign = isDescending ? -1 : 1;
  const compare = (a: Place, b: Place) => (a.key < b.key ? -sign : a.key > b.key ? sign : a.at - b.at);
  const from = after === null ? null : readAfter(after, sort);
  let best: PlacedEntry[] = [];
  let worst: Place | null = null;

  function cut(): void {
    best = best.sort(compare).slice(0, limit + 1);
    worst = best[limit] ?? null;
  }

  return {
    offer(place: Place, list: string, row: VersionRow): void {
      if ((from !== null && compare(place, from) <= 0) || (worst !== null && compare(place, worst) >= 0)) return;
      best.push({ ...place, list, row });
      if (best.length > 2 * limit + 2) cut();
    },
    isFull: () => best.length > limit,
    entries(): readonly PlacedEntry[] {
      cut();
      return best;
    },
  };
}

/** Writes a cursor: in list order the number of preceding entries, otherwise number and key of the last entry. */
function writeAfter({ key, at }: Place, sort: EntrySort): string {
  return sort === 'line' ? String(at + 1) : `${at}.${key}`;
}

function readAfter(text: string, sort: EntrySort): Place {
  const [number = ''] = text.split('.', 1);
  if (sort === 'line') return { key: Number(number) - 1, at: Number(number) - 1 };
  const key = text.slice(number.length + 1);
  return { key: sort === 'entry' ? key : Number(key), at: Number(number) };
}

const SCHEME = /^[a-z]+:\/\//i;

/**
 * Returns the test for entries that a text finds: it is in the entry or its comment, regardless of case, or it is a host or
 * URL that the entry covers. Names in other scripts are found as they are written.
 */
export function entryTest(text: string): (row: Pick<VersionRow, 'entry' | 'comment'>) => boolean {
  const written = text.trim().replace(SCHEME, '');
  const key = written.toLowerCase();
  const isCovering = coverTestOf(written);
  const isPlain = isAscii(key);
  return ({ entry, comment }) => {
    // Hosts are stored in lower case.
    if ((entry.includes('/') ? entry.toLowerCase() : entry).includes(key)) return true;
    if (!isPlain && writtenEntry(entry)?.includes(key)) return true;
    return comment?.toLowerCase().includes(key) || isCovering(entry);
  };
}

function coverTestOf(written: string): (entry: string) => boolean {
  // What is being typed is no host before its first dot, and no entry covers less.
  const target = written.includes('.') ? parseTarget(`http://${written}`) : null;
  return target === null || isTargetProblem(target) ? () => false : coverTest(target);
}

/** An entry that covers a URL, and its list. */
export interface CoveringEntry {
  readonly version: StoredVersion;
  readonly row: VersionRow;
}

/** Returns all entries that cover a URL or a URL within it, including those that are not applied; scans the lists. */
export async function coveringEntries(
  dataDir: string,
  versions: readonly StoredVersion[],
  target: Target,
): Promise<CoveringEntry[]> {
  const found: CoveringEntry[] = [];
  const isCovering = coverTest(target);
  for (const version of versions) {
    for await (const rows of readVersion(dataDir, version.file)) {
      for (const row of rows) if (isCovering(row.entry)) found.push({ version, row });
    }
  }
  return found;
}

/** Returns a test for entries that cover a URL or a URL within it. */
export function coverTest(target: Target): (entry: string) => boolean {
  const targets = [target, ...unwrap(target)];
  return (entry) => targets.some((one) => covers(entry, one));
}

function covers(entry: string, target: Target): boolean {
  // A table of one entry is slow for a million entries, so a part of the host excludes most of them first.
  if (!mayCover(entry, target)) return false;
  const table = createEntryTable(1, entry.length);
  const bytes = Buffer.from(entry, 'latin1');
  table.add(bytes, 0, bytes.length, { line: 1, addedAt: 0, expiresAt: NEVER, isException: false });
  return table.find(target, 0) !== null;
}

function mayCover(entry: string, { host }: Target): boolean {
  if (entry.startsWith('http://')) return entry.includes(host.text);
  return entry.includes('/') ? host.kind !== 'name' : host.text.endsWith(entry);
}

/** Returns an entry with its host as a person writes it; null if that is as it is stored. */
export function writtenEntry(entry: string): string | null {
  const written = entry
    .split(/(?<=[/:])|(?=[/:])/)
    .map((part) => (part.includes('xn--') ? displayName(part) : part))
    .join('');
  return written === entry ? null : written;
}
