import { endOfDay } from '#src/core/base/end-of-day.ts';

/** A time as lists write it (RFC 3339, or with a space instead of the `T`); without a zone it is in UTC. */
const MOMENT = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|UTC|[+-]\d\d:?\d\d)?$/i;

/**
 * The first moment at which something holds no longer, in milliseconds since the Unix epoch: a day holds to its end, in UTC.
 * Null where it holds for good, NaN where the text says neither.
 */
export function readExpiry(text: string): number | null {
  if (text === '' || /^(?:never|none|-)$/i.test(text)) return null;
  const end = endOfDay(text);
  if (end !== null) return Date.parse(end);
  const [, day = '', time = '', zone = 'Z'] = MOMENT.exec(text) ?? [];
  return day === '' ? Number.NaN : Date.parse(`${day}T${time}${/^(?:z|utc)$/i.test(zone) ? 'Z' : zone}`);
}
