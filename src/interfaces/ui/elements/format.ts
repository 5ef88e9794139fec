/** Writes numbers and times the way a language does. */
export interface Formats {
  /** A probability in percent; never rounded to a certainty that it is not. */
  percent(probability: number): string;
  /** A percentage with at most one decimal, such as a mark on an axis. */
  whole(share: number): string;
  number(value: number): string;
  /** Formats with sign and two decimals. */
  signed(value: number): string;
  seconds(value: number): string;
  bytes(value: number): string;
  days(value: number): string;
  /** Whole seconds, in words. */
  span(seconds: number): string;
  /** So many days or years before the check. */
  ago(value: number, unit: 'day' | 'year'): string;
  /** Formats the time since an instant in the largest unit that fits. */
  since(iso: string): string;
  /** Several things in one sentence. */
  list(items: readonly string[]): string;
  /** Returns the separators of a list of `count` items, starting with the one between the first two. */
  joints(count: number): readonly string[];
  /** Date and time of an ISO 8601 instant, in the reader's time zone. */
  instant(iso: string): string;
  /** The same with the name of that time zone, for what is read elsewhere. */
  moment(iso: string): string;
  /** The day of an instant in the reader's time zone, or a day that was named without its time. */
  date(iso: string): string;
  /** The day of a chart, without its year. */
  day(iso: string): string;
  hour(iso: string): string;
}

/** Units of time in seconds, the largest first. */
const UNITS = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** The formats of a BCP 47 tag, such as `en-GB`. */
export function createFormats(tag: string): Formats {
  const number = (options: Intl.NumberFormatOptions) => lazy(() => new Intl.NumberFormat(tag, options));
  const unit = (name: string, digits: Intl.NumberFormatOptions) =>
    number({ style: 'unit', unit: name, unitDisplay: 'short', ...digits });
  const time = (options: Intl.DateTimeFormatOptions) => {
    const format = lazy(() => new Intl.DateTimeFormat(tag, options));
    return (iso: string) => (isInstant(iso) ? format().format(new Date(iso)) : iso);
  };
  const percent = number({ style: 'percent' });
  const tenths = number({ style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const whole = number({ style: 'percent', maximumFractionDigits: 1 });
  const plain = number({ maximumFractionDigits: 2 });
  const signed = number({ signDisplay: 'exceptZero', minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const seconds = unit('second', { maximumSignificantDigits: 2 });
  const milliseconds = unit('millisecond', { maximumSignificantDigits: 2 });
  const days = number({ style: 'unit', unit: 'day', unitDisplay: 'long' });
  const kilobytes = unit('kilobyte', { maximumFractionDigits: 1 });
  const megabytes = unit('megabyte', { maximumFractionDigits: 1 });
  const gigabytes = unit('gigabyte', { maximumFractionDigits: 1 });
  const span = number({ style: 'unit', unit: 'second', unitDisplay: 'long' });
  const ago = lazy(() => new Intl.RelativeTimeFormat(tag, { numeric: 'always' }));
  const list = lazy(() => new Intl.ListFormat(tag, { type: 'conjunction' }));
  const date = time({ dateStyle: 'medium' });
  const calendarDay = time({ dateStyle: 'medium', timeZone: 'UTC' });
  return {
    percent(probability) {
      if (probability < 0.001) return `<\u00a0${tenths().format(0.001)}`;
      if (probability > 0.999) return `>\u00a0${tenths().format(0.999)}`;
      return (probability < 0.1 || probability > 0.9 ? tenths() : percent()).format(probability);
    },
    whole: (share) => whole().format(share),
    number: (value) => plain().format(value),
    signed: (value) => signed().format(value).replace('-', '−'),
    seconds: (value) => (value < 1 ? milliseconds().format(value * 1000) : seconds().format(value)),
    bytes(value) {
      if (value >= 1e9) return gigabytes().format(value / 1e9);
      return value >= 1e6 ? megabytes().format(value / 1e6) : kilobytes().format(value / 1000);
    },
    days: (value) => days().format(value),
    span: (value) => span().format(value),
    ago: (value, unit) => ago().format(-value, unit),
    since(iso) {
      const seconds = Math.max(1, (Date.now() - Date.parse(iso)) / 1000);
      const [unit, length] = UNITS.find(([, one]) => seconds >= one) ?? (['second', 1] as const);
      return ago().format(-Math.floor(seconds / length), unit);
    },
    list: (items) => list().format(items),
    joints: (count) =>
      list()
        .formatToParts(Array<string>(count).fill('-'))
        .flatMap(({ type, value }) => (type === 'literal' ? value : [])),
    instant: time({ dateStyle: 'medium', timeStyle: 'short' }),
    moment: time({
      year: 'numeric',
      month: 'short',
      day: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      timeZoneName: 'short',
    }),
    date: (iso) => (/^\d{4}-\d{2}-\d{2}$/.test(iso) ? calendarDay(`${iso}T00:00:00Z`) : date(iso)),
    day: time({ day: 'numeric', month: 'short' }),
    hour: time({ hour: 'numeric', minute: '2-digit' }),
  };
}

/** A formatter costs more than all that it writes on the first page, so each is made when it is first used. */
function lazy<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** `Date.parse` alone would also take what browsers guess to be a date. */
function isInstant(iso: string): boolean {
  return /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(iso) && !Number.isNaN(Date.parse(iso));
}
