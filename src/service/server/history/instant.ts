/** A date, or a date and a time with its offset (RFC 3339 §5.6). A plus sign that a query turned into a space counts. */
const INSTANT = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(?:Z|([+ -])(\d\d):(\d\d)))?$/i;

/** Milliseconds since the Unix epoch of a time or of the midnight (UTC) that begins a date; null for anything else. */
export function parseInstant(text: string): number | null {
  const [, date, time = '00:00:00', fraction = '0', sign, hours = '0', minutes = '0'] = INSTANT.exec(text) ?? [];
  const given = `${date}T${time}`;
  const ms = Date.parse(`${given}Z`);
  if (Number.isNaN(ms) || Number(hours) > 23 || Number(minutes) > 59) return null;
  // The parser carries a day or an hour that does not exist (30 February, 24:00) over into the next.
  if (!new Date(ms).toISOString().startsWith(given)) return null;
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return ms + Math.floor(Number(`0.${fraction}`) * 1000) - (sign === '-' ? -offsetMs : offsetMs);
}
