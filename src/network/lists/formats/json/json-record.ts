import { isObject } from '#src/core/base/guard.ts';
import { quoted } from '../../quoted.ts';
import { readFeedRecord } from '../feed-record.ts';
import { FEED_TERMS } from '../feed-terms.ts';
import { type ListFileItem, skippedLine } from '../list-format.ts';

/** A JSON object by its member names. */
export type JsonMembers = Readonly<Record<string, unknown>>;

/** Returns true for a JSON object with a member that holds a URL, host or address. */
export function isJsonRecord(value: unknown): value is JsonMembers {
  return isObject(value) && textOf(value, FEED_TERMS.value) !== '';
}

/** Returns the entry of such an object. */
export function readJsonRecord(record: JsonMembers, line: number): ListFileItem {
  // A server of a botnet by its address; its name is that of its landlord.
  const value = textOf(record, 'port' in record ? ['ip_address', ...FEED_TERMS.value] : FEED_TERMS.value);
  if (record['deleted'] === true) return skippedLine(line, `${quoted(value)} was deleted`);
  // Such a domain is that of a network's owner, not one on a list.
  if ('asname' in record && !('url' in record))
    return skippedLine(line, `${quoted(value)} is of a network, by its number`);
  const toIds = record['to_ids'];
  return readFeedRecord(
    {
      ...{ value, type: textOf(record, FEED_TERMS.type), expiry: textOf(record, FEED_TERMS.expiry) },
      source: textOf(record, FEED_TERMS.source),
      comment: FEED_TERMS.comment.flatMap((name) => textOf(record, [name]) || []).join(', '),
      toIds: toIds === undefined ? '' : String(toIds),
    },
    line,
  );
}

/** The first text that one of some members holds; several texts in an array are one. */
function textOf(record: JsonMembers, names: readonly string[]): string {
  for (const name of names) {
    const value = record[name];
    const text = typeof value === 'string' ? value.trim() : Array.isArray(value) ? textsIn(value) : '';
    if (text !== '') return text;
  }
  return '';
}

const textsIn = (values: readonly unknown[]) => values.filter((one) => typeof one === 'string').join(', ');
