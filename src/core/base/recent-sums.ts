/** Counts by name over the last hours or minutes, in memory. */
export interface RecentSums<Name extends string> {
  count(name: Name): void;
  /** Returns the sum of a name; 0 if nothing was counted. */
  sumOf(name: Name): number;
  /** Returns the start of the sums, by the clock: the first stored unit, or the start of counting. */
  sinceMs(): number;
}

/**
 * Creates counts of nothing, whole units of which expire.
 *
 * @param units number of units that are summed, with the current one
 */
export function createRecentSums<Name extends string>(
  now: () => number,
  unitMs: number,
  units: number,
): RecentSums<Name> {
  const startedMs = now();
  let stored: { readonly unit: number; readonly counts: Map<Name, number> }[] = [];
  const unitNow = () => Math.floor(now() / unitMs);
  const recent = () => {
    const first = unitNow() - units + 1;
    if (stored[0] && stored[0].unit < first) stored = stored.filter(({ unit }) => unit >= first);
    return stored;
  };
  return {
    count(name) {
      const unit = unitNow();
      let last = stored.at(-1);
      // A clock that is set back goes on in the unit that it had reached.
      if (last === undefined || last.unit < unit) {
        last = { unit, counts: new Map() };
        recent().push(last);
      }
      last.counts.set(name, (last.counts.get(name) ?? 0) + 1);
    },
    sumOf: (name) => recent().reduce((sum, { counts }) => sum + (counts.get(name) ?? 0), 0),
    sinceMs: () => Math.max(startedMs, (unitNow() - units + 1) * unitMs),
  };
}
