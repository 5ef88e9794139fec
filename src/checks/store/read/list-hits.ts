/** Checks that the entries of a list decided. */
export interface ListTally {
  readonly total: number;
  /** Hits by entry; without those after the first {@link MAX_COUNTED_ENTRIES} entries, by name. */
  readonly entries: ReadonlyMap<string, number>;
}

/** Hits by the name of the list, of all lists that decided a check. */
export type HitsByList = ReadonlyMap<string, ListTally>;

/** Maximum number of entries of a list whose hits are counted one by one. */
export const MAX_COUNTED_ENTRIES = 50_000;

/** Hits of an entry, or of a part of them. */
export interface EntryTally {
  readonly list: string;
  readonly entry: string;
  readonly hits: number;
}

/** Hits that are being counted. */
export type CountedHits = Map<string, { total: number; readonly entries: Map<string, number> }>;

/** Adds hits to those of the same entries, of the same log or of another. */
export function sumHits(counts: CountedHits, some: readonly EntryTally[]): void {
  for (const { list, entry, hits } of some) {
    const counted = counts.getOrInsertComputed(list, () => ({ total: 0, entries: new Map() }));
    counted.total += hits;
    const known = counted.entries.get(entry);
    if (hits > 0 && (known !== undefined || counted.entries.size < MAX_COUNTED_ENTRIES))
      counted.entries.set(entry, (known ?? 0) + hits);
  }
}
