/** A date, or a date and a time with its offset (RFC 3339 §5.6). A plus sign that a query turned into a space counts. */
const INSTANT = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:Z|([+ -])(\d\d):(\d\d)))?$/i;

/** Milliseconds since the Unix epoch of a time or of the midnight (UTC) that begins a date; null for anything else. */
export function parseInstant(text: string): number | null {
  const match = INSTANT.exec(text);
  if (!match) return null;
  const part = (index: number) => Number(match[index] ?? 0);
  const [year, month, day, hour, minute, second] = [1, 2, 3, 4, 5, 6].map(part);
  const date = new Date(0);
  date.setUTCFullYear(year ?? 0, (month ?? 0) - 1, day);
  date.setUTCHours(hour ?? 0, minute, second, Math.floor(Number(`0.${match[7] ?? 0}`) * 1000));
  const given = `${match[1]}-${match[2]}-${match[3]}T${match[4] ?? '00'}:${match[5] ?? '00'}:${match[6] ?? '00'}`;
  // A day or an hour that does not exist (30 February, 24:00) was carried over into the next.
  if (!date.toISOString().startsWith(given) || part(9) > 23 || part(10) > 59) return null;
  const offsetMs = (part(9) * 60 + part(10)) * 60_000;
  return date.getTime() - (match[8] === '-' ? -offsetMs : offsetMs);
}
