import { type Clock, HOUR_MS } from '#src/core/base/clock.ts';

/** Number of hours that are summed, with the current one. */
const HOURS = 24;

/** Counts by name over the last 24 hours, in memory. */
export interface HourlySums<Name extends string> {
  count(name: Name): void;
  /** Returns the sum of a name; 0 if nothing was counted. */
  sumOf(name: Name): number;
  /**
   * Returns the start of the sums: the first stored hour, or the start of counting. Milliseconds since the Unix epoch.
   */
  sinceMs(): number;
}

/** Creates counts of nothing, whole hours of which expire. */
export function createHourlySums<Name extends string>(clock: Pick<Clock, 'now'>): HourlySums<Name> {
  const startedMs = clock.now();
  let hours: { readonly hour: number; readonly counts: Map<Name, number> }[] = [];
  const hourNow = () => Math.floor(clock.now() / HOUR_MS);
  const kept = () => {
    const first = hourNow() - HOURS + 1;
    if (hours[0] && hours[0].hour < first) hours = hours.filter(({ hour }) => hour >= first);
    return hours;
  };
  return {
    count(name) {
      const hour = hourNow();
      let last = hours.at(-1);
      // A clock that is set back goes on in the hour that it had reached.
      if (last === undefined || last.hour < hour) {
        last = { hour, counts: new Map() };
        kept().push(last);
      }
      last.counts.set(name, (last.counts.get(name) ?? 0) + 1);
    },
    sumOf: (name) => kept().reduce((sum, { counts }) => sum + (counts.get(name) ?? 0), 0),
    sinceMs: () => Math.max(startedMs, (hourNow() - HOURS + 1) * HOUR_MS),
  };
}
