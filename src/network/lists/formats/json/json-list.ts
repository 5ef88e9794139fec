import { isObject } from '#src/core/base/guard.ts';
import { quoted } from '../../quoted.ts';
import { FEED_TERMS } from '../feed-terms.ts';
import { ListFileError } from '../list-file-error.ts';
import { type ListFileItem, type ListFormat, observedEntry } from '../list-format.ts';
import { type JsonPiece, readPieces } from './json-pieces.ts';
import { isJsonRecord, type JsonMembers, readJsonRecord } from './json-record.ts';
import { type JsonShape, jsonShape } from './json-shape.ts';

/**
 * JSON with records anywhere in it: objects in an array with a member that holds a URL, host or address, as in the exports
 * of abuse.ch and PhishTank, pulses of AlienVault OTX, and events and attributes of MISP. Or an array of texts.
 */
export const jsonFormat: ListFormat = {
  name: 'json',
  isLenient: false,
  async *read(bytes, beginning) {
    const shape = await jsonShape(beginning.join('\n'));
    if (shape.path === null) throw new ListFileError(unknownText(shape));
    yield* readPieces(bytes, [shape.path], (piece) => readPiece(piece, shape));
  },
};

function unknownText({ members }: JsonShape): string {
  const names = members.length > 0 ? `; its members are ${members.map(quoted).join(', ')}` : '';
  return `is JSON without a known member for a URL, host or address, such as ${FEED_TERMS.value.slice(1, 3).join(' or ')}${names}`;
}

function readPiece({ key, member, value, line }: JsonPiece, shape: JsonShape): readonly ListFileItem[] {
  const isElement = typeof key === 'number';
  if (shape.isOfTexts)
    return isElement && member === shape.member && typeof value === 'string' ? [observedEntry(value.trim(), line)] : [];
  const records = recordsIn(value, isElement);
  if (records.length > 0) return records.map((record) => readJsonRecord(record, line));
  if (!isElement || member !== shape.member) return [];
  return [{ line, message: `${quoted(JSON.stringify(value))} is not a JSON object with a value` }];
}

/** Returns the outermost records in a value. */
function recordsIn(value: unknown, isElement: boolean): JsonMembers[] {
  if (Array.isArray(value)) return value.flatMap((one) => recordsIn(one, true));
  if (!isObject(value)) return [];
  return isElement && isJsonRecord(value) ? [value] : Object.values(value).flatMap((one) => recordsIn(one, false));
}
