import { isObject } from '#src/core/base/guard.ts';
import { parseJson } from '#src/core/base/text/json-shape.ts';
import { quoted } from '../../quoted.ts';
import { eachLine, type ListFileItem, type ListFormat } from '../list-format.ts';
import { isJsonRecord, readJsonRecord } from './json-record.ts';

/** One JSON object per line, as in feeds of OpenPhish and Spamhaus; members correspond to columns of a table. */
export const ndjsonFormat: ListFormat = { name: 'ndjson', isLenient: false, read: eachLine(() => readRecord) };

function readRecord(text: string, line: number): readonly ListFileItem[] {
  if (text.trim() === '') return [];
  const record = parseJson(text);
  if (isJsonRecord(record)) return [readJsonRecord(record, line)];
  // The line of Spamhaus about the list itself.
  if (isObject(record) && record['type'] === 'metadata') return [];
  return [{ line, message: `${quoted(text)} is not a JSON object with a value` }];
}
