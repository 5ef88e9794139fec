import { endOfDay } from '#src/core/base/clock.ts';

/** A time as lists write it (RFC 3339, or with a space instead of the `T`); without a zone it is in UTC. */
const MOMENT = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|UTC|[+-]\d\d:?\d\d)?$/i;

/**
 * Parses an expiry, in milliseconds since the Unix epoch: a day ends at midnight, in UTC. Null for a permanent entry,
 * NaN for invalid text.
 */
export function readExpiry(text: string): number | null {
  if (text === '' || /^(?:never|none|-)$/i.test(text)) return null;
  const end = endOfDay(text);
  if (end !== null) return Date.parse(end);
  const [, day = '', time = '', zone = 'Z'] = MOMENT.exec(text) ?? [];
  return day === '' ? Number.NaN : Date.parse(`${day}T${time}${/^(?:z|utc)$/i.test(zone) ? 'Z' : zone}`);
}
