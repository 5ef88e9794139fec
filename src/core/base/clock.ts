import { memoizeLatest } from './memoize-latest.ts';

/** Milliseconds of a minute, an hour, and a day of 24 hours. */
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** Formats a time as ISO 8601 UTC. Checks of one turn have the same. */
export const isoTime: (ms: number) => string = memoizeLatest((ms: number) => new Date(ms).toISOString());

/** Wall clock and monotonic clock; passed in so that tests can control them. */
export interface Clock {
  /** Wall clock, milliseconds since the Unix epoch. May jump. */
  now(): number;
  /** Milliseconds since an arbitrary start. Never runs backwards. */
  monotonicMs(): number;
}

/** The clocks of this host. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
};

/** Returns the end of a day in UTC, such as `2027-12-31`, as an ISO 8601 time; null if the text is not a day. */
export function endOfDay(day: string): string | null {
  const ms = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(day) : Number.NaN;
  const iso = (at: number) => new Date(at).toISOString();
  return Number.isNaN(ms) || iso(ms).slice(0, 10) !== day ? null : iso(ms + DAY_MS);
}

/** A date, or a date and a time with its offset (RFC 3339 §5.6). A plus sign that a query turned into a space counts. */
const WRITTEN_INSTANT = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(?:Z|([+ -])(\d\d):(\d\d)))?$/i;

/** Milliseconds since the Unix epoch of a time or of the midnight (UTC) that begins a date; null for anything else. */
export function parseInstant(text: string): number | null {
  const [, date, time = '00:00:00', fraction = '0', sign, hours = '0', minutes = '0'] =
    WRITTEN_INSTANT.exec(text) ?? [];
  const given = `${date}T${time}`;
  const ms = Date.parse(`${given}Z`);
  if (Number.isNaN(ms) || Number(hours) > 23 || Number(minutes) > 59) return null;
  // The parser carries a day or an hour that does not exist (30 February, 24:00) over into the next.
  if (!new Date(ms).toISOString().startsWith(given)) return null;
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return ms + Math.floor(Number(`0.${fraction}`) * 1000) - (sign === '-' ? -offsetMs : offsetMs);
}

/**
 * Reports something that third parties can make happen at any rate: the first time at once, then at most once per minute.
 *
 * @param report gets the latest value and how often it happened since the last report
 */
export function oncePerMinute<T>(
  clock: Pick<Clock, 'monotonicMs'>,
  report: (value: T, times: number) => void,
): (value: T) => void {
  let times = 0;
  let reportedMs = Number.NEGATIVE_INFINITY;
  return (value) => {
    times++;
    if (clock.monotonicMs() - reportedMs < MINUTE_MS) return;
    report(value, times);
    times = 0;
    reportedMs = clock.monotonicMs();
  };
}
