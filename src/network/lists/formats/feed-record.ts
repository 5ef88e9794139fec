import { quoted } from '../quoted.ts';
import { readStoredEntry } from '../stored/stored-entry.ts';
import { isHash } from './entry-value.ts';
import { readExpiry } from './expiry.ts';
import { FEED_TERMS } from './feed-terms.ts';
import { type ListFileItem, observedEntry, skippedLine } from './list-format.ts';

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
