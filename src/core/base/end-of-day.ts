import { DAY_MS } from './clock.ts';

/** The first moment after a day, `2027-12-31` in UTC; null where it is no day. */
export function endOfDay(day: string): string | null {
  const ms = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(day) : Number.NaN;
  return Number.isNaN(ms) || iso(ms).slice(0, 10) !== day ? null : iso(ms + DAY_MS);
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
