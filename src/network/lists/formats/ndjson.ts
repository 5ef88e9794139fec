import { isObject } from '#src/core/base/text/is-object.ts';
import { parseJson } from '#src/core/base/text/json-shape.ts';
import { quoted } from '../quoted.ts';
import { readExpiry } from './expiry.ts';
import { COMMENT_MEMBERS, EXPIRY_MEMBERS, SOURCE_MEMBERS, VALUE_MEMBERS } from './known-members.ts';
import { eachLine, type ListFileItem, type ListFormat, observedEntry } from './list-format.ts';

/** One JSON object a line, as OpenPhish's feeds for subscribers have them, with members as a table has columns. */
export const ndjsonFormat: ListFormat = {
  name: 'ndjson',
  recognises: ([first = '']) => first.startsWith('{') && isRecord(parseJson(first)),
  read: eachLine(readRecord),
};

type Members = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is Members {
  return isObject(value) && textsOf(value, VALUE_MEMBERS).length > 0;
}

function readRecord(text: string, line: number): readonly ListFileItem[] {
  if (text.trim() === '') return [];
  const record = parseJson(text);
  if (!isRecord(record)) return [{ line, message: `${quoted(text)} is not a JSON object with a value` }];
  const [value = ''] = textsOf(record, VALUE_MEMBERS);
  const [until = ''] = textsOf(record, EXPIRY_MEMBERS);
  const expiresAtMs = readExpiry(until);
  if (Number.isNaN(expiresAtMs))
    return [{ line, message: `expires at ${quoted(until)}, which is neither a day nor a time` }];
  const [source = null] = textsOf(record, SOURCE_MEMBERS);
  const comment = textsOf(record, COMMENT_MEMBERS).join(', ') || null;
  return [observedEntry(value, line, { expiresAtMs, source, comment })];
}

/** The texts that some members are, without those that are empty. */
function textsOf(record: Members, names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const value = record[name];
    return typeof value === 'string' && value.trim() !== '' ? [value.trim()] : [];
  });
}
