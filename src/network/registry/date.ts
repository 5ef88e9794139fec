const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH_NAME = '([a-z]{3})[a-z]{0,6}';

/**
 * Formats in which registries write a day, each anchored at the start. `order` names the groups. If all groups are
 * numbers, dots and dashes put the day first (`.cz`, `.fi`, `.hk`). Slashes are `either`: `.pt` has the day first and
 * `.tk` the month, and an ambiguous date is ignored.
 */
const DAY_PATTERNS: readonly { readonly pattern: RegExp; readonly order: 'ymd' | 'dmy' | 'mdy' | 'either' }[] = [
  { pattern: /^(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)/, order: 'ymd' },
  { pattern: /^(\d{4})\/(\d{1,2})\/(\d{1,2})(?!\d)/, order: 'ymd' },
  { pattern: /^(\d{4})\. ?(\d{1,2})\. ?(\d{1,2})(?!\d)\.?/, order: 'ymd' },
  { pattern: /^(\d{4})(\d{2})(\d{2})(?!\d)/, order: 'ymd' },
  { pattern: /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?!\d)/, order: 'dmy' },
  { pattern: /^(\d{1,2})-(\d{1,2})-(\d{4})(?!\d)/, order: 'dmy' },
  { pattern: /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?!\d)/, order: 'either' },
  { pattern: new RegExp(`^(\\d{4})-${MONTH_NAME}-(\\d{1,2})(?!\\d)`, 'i'), order: 'ymd' },
  { pattern: new RegExp(`^(\\d{1,2})(?:st|nd|rd|th)?[- ]${MONTH_NAME}[- ](\\d{4})(?!\\d)`, 'i'), order: 'dmy' },
  { pattern: new RegExp(`^${MONTH_NAME} {1,2}(\\d{1,2}),? (\\d{4})(?!\\d)`, 'i'), order: 'mdy' },
];
/** Names that are older than the records of their registry (`.uk`, `.fr`). */
const BEFORE = /^(?:before|prior to|pre|earlier than|<)(?:[\s:-]+|(?=\d))(.*)$/i;
const MONTH_OF_YEAR = new RegExp(`^(?:(?:${MONTH_NAME}|(\\d{1,2}))[-/ ])?(\\d{4})$`, 'i');
const WEEKDAY = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6},? /i;
/** `Mon May 06 07:08:09 GMT 2024`, the C library's order: the year is moved to its position in the other patterns. */
const YEAR_LAST = /^([a-z]{3} {1,2}\d{1,2}) (\d{2}:\d{2}:\d{2})( [A-Z]{2,5})? (\d{4})$/i;
const TIME = /^[T ] ?(\d{2}):(\d{2}):(\d{2})(?:\.\d{1,9})? ?(.{0,32})$/;
const OFFSET = /^([+-])(\d{2}):?(\d{2})?$/;
/** Minutes east of UTC for the zone names that registries write (JPRS and KRNIC mean their own time). */
const ZONES: Readonly<Record<string, number>> = { '': 0, z: 0, utc: 0, gmt: 0, jst: 540, '(jst)': 540, kst: 540 };

/** The first and the last year that a registry can mean: `.com` took its first names in 1985 (RFC 920). */
const FIRST_YEAR = 1985;
const LAST_YEAR = 2999;

/**
 * Converts a registry's date to an ISO 8601 UTC string. Null for a day that does not exist, an ambiguous form, or a
 * year outside 1985–2999. An unreadable time or zone means midnight UTC. `before Aug-1996` is read as the first of that
 * month: the name is at least as old.
 */
export function parseRegistryDate(text: string): string | null {
  const written = text.slice(0, 64).trim();
  const [, bound] = BEFORE.exec(written) ?? [];
  if (bound !== undefined) return beginningOf(bound) ?? parseDay(bound);
  return parseDay(written);
}

/** Reads the first day of a year, or of a month of a year. */
function beginningOf(text: string): string | null {
  const [, name, number, year = ''] = MONTH_OF_YEAR.exec(text) ?? [];
  return year === '' ? null : toIso(year, name ?? number ?? '1', '1', '');
}

function parseDay(text: string): string | null {
  const plain = text.replace(WEEKDAY, '').replace(YEAR_LAST, '$1 $4 $2$3');
  for (const { pattern, order } of DAY_PATTERNS) {
    const match = pattern.exec(plain);
    if (!match) continue;
    const [whole, first = '', second = '', third = ''] = match;
    const rest = plain.slice(whole.length);
    const dayFirst = () => toIso(third, second, first, rest);
    const monthFirst = () => toIso(third, first, second, rest);
    switch (order) {
      case 'ymd':
        return toIso(first, second, third, rest);
      case 'dmy':
        return dayFirst();
      case 'mdy':
        return monthFirst();
      case 'either':
        return agreed(dayFirst(), monthFirst());
    }
  }
  return null;
}

/** The one date that makes sense, or that both readings give. */
function agreed(one: string | null, other: string | null): string | null {
  return one === null || other === null || one === other ? (one ?? other) : null;
}

function monthNumber(text: string): number {
  return /^\d/.test(text) ? Number(text) : MONTHS.indexOf(text.toLowerCase()) + 1;
}

function toIso(yearText: string, monthText: string, dayText: string, rest: string): string | null {
  const [year, month, day] = [Number(yearText), monthNumber(monthText), Number(dayText)];
  if (year < FIRST_YEAR || year > LAST_YEAR) return null;
  const midnight = new Date(Date.UTC(year, month - 1, day));
  if (midnight.getUTCMonth() !== month - 1 || midnight.getUTCDate() !== day) return null;
  return new Date(midnight.getTime() + (timeOfDayMs(rest) ?? 0)).toISOString();
}

/** Returns milliseconds from midnight UTC of the named day; null if the time or its zone is unreadable. */
function timeOfDayMs(text: string): number | null {
  const match = TIME.exec(text);
  if (!match) return null;
  const [hours, minutes, seconds] = match.slice(1, 4).map(Number);
  const offset = offsetMinutes(match[4] ?? '');
  if (hours === undefined || minutes === undefined || seconds === undefined || offset === null) return null;
  if (hours > 23 || minutes > 59 || seconds > 59) return null;
  return ((hours * 60 + minutes - offset) * 60 + seconds) * 1000;
}

function offsetMinutes(zone: string): number | null {
  const match = OFFSET.exec(zone);
  if (!match) return Object.hasOwn(ZONES, zone.toLowerCase()) ? (ZONES[zone.toLowerCase()] ?? null) : null;
  const minutes = Number(match[2]) * 60 + Number(match[3] ?? 0);
  return minutes > 14 * 60 ? null : match[1] === '-' ? -minutes : minutes;
}
