import { DAY_MS } from './clock.ts';

/** Returns the end of a day in UTC, such as `2027-12-31`, as an ISO 8601 time; null if the text is not a day. */
export function endOfDay(day: string): string | null {
  const ms = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(day) : Number.NaN;
  return Number.isNaN(ms) || iso(ms).slice(0, 10) !== day ? null : iso(ms + DAY_MS);
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
