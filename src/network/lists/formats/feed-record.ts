import { endOfDay } from '#src/core/base/clock.ts';
import { objectWith } from '#src/core/base/guard.ts';
import { isPhrases, readFacts } from '#src/core/knowledge/fact-file.ts';
import { quoted } from '../entry.ts';
import { readStoredEntry } from '../stored/stored-entry.ts';
import feedTermsFile from './feed-terms.json' with { type: 'json' };
import { isHash, type ListFileItem, observedEntry, skippedLine } from './list-format.ts';

/**
 * Names of the columns and members of feeds, lower case with underscores, and of the types that a URL, host or address
 * has in them (`web`). If a record has several of `value`, the first of these counts.
 */
export const FEED_TERMS = readFacts(
  'feed-terms.json',
  feedTermsFile,
  objectWith({
    value: isPhrases,
    type: isPhrases,
    expiry: isPhrases,
    source: isPhrases,
    comment: isPhrases,
    web: isPhrases,
    lists: isPhrases,
  }),
);

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

/** A record of a feed: a row of a table or a JSON object; absent members are empty. */
export interface FeedRecord {
  readonly value: string;
  /** Type of the value: `url`, `md5_hash`, `domain|ip`. */
  readonly type: string;
  readonly expiry: string;
  readonly source: string;
  readonly comment: string;
  /** `false` or `0` for a value that MISP does not recommend for detection. */
  readonly toIds: string;
}

const WEB_TYPES = new Set(FEED_TERMS.web);

/** Returns the entry of a record; a value that is no URL, host or address by its type is left out. */
export function readFeedRecord(record: FeedRecord, line: number): ListFileItem {
  const { expiry, source, comment, toIds } = record;
  if (record.value === '') return { line, message: 'has no value' };
  if (/^(?:false|0)$/i.test(toIds)) return skippedLine(line, `${quoted(record.value)} is not meant for detection`);
  const { value, type } = webPart(record);
  if (isHash(value)) return skippedLine(line, `${quoted(value)} is a hash`);
  const expiresAtMs = readExpiry(expiry);
  if (Number.isNaN(expiresAtMs))
    return { line, message: `expires at ${quoted(expiry)}, which is neither a day nor a time, such as 2027-12-31` };
  const item = observedEntry(value, line, { expiresAtMs, source: source || null, comment: comment || null });
  if (type === '' || WEB_TYPES.has(type) || !('value' in item)) return item;
  // Feeds use the same member for a category, such as `phishing`.
  const isEntry = !OTHER_TYPES.test(type) && /[.:]/.test(value) && !('problem' in readStoredEntry(item.value));
  return isEntry ? item : skippedLine(line, `${quoted(value)} is of the type ${quoted(record.type)}`);
}

/** Types whose values can be spelled like hosts, such as `invoice.zip`, and links to reports. */
const OTHER_TYPES = /file|hash|mail|user|path|mutex|cve|yara|regkey|link/;

/** The part of a value of several parts, such as `domain|ip`, that is a host or an address: the first of these. */
function webPart({ value, type: written }: FeedRecord): { readonly value: string; readonly type: string } {
  const type = written.toLowerCase();
  if (!type.includes('|')) return { value, type: type.replace(/:port$/, '') };
  const types = type.split('|');
  const index = types.findIndex((one) => WEB_TYPES.has(one));
  return index === -1 ? { value, type } : { value: value.split('|')[index] ?? '', type: types[index] ?? '' };
}
