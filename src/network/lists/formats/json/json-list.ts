import { isObject } from '#src/core/base/guard.ts';
import { parseJson } from '#src/core/base/text/json-shape.ts';
import { quoted } from '../../entry.ts';
import { FEED_TERMS, readFeedRecord } from '../feed-record.ts';
import {
  eachLine,
  ListFileError,
  type ListFileItem,
  type ListFormat,
  observedEntry,
  skippedLine,
} from '../list-format.ts';
import { type JsonPiece, readPieces } from './json-pieces.ts';

interface JsonShape {
  /** Path of its records, or of its texts, with a star for each member and index; null if it has neither. */
  readonly path: string | null;
  /** True if the entries are texts in an array. */
  readonly isOfTexts: boolean;
  /** Name of the array of the first entry; empty for the outermost. */
  readonly member: string;
  /** Names of the outermost members. */
  readonly members: readonly string[];
}

/** Place of an entry: number of members and indices above it, and name of its array. */
interface Place {
  readonly depth: number;
  readonly member: string;
}

/** An open bracket. */
interface Level {
  readonly isArray: boolean;
  /** Name of the nearest member above it. */
  readonly member: string;
  /** The member whose value follows; null if a name follows. */
  key: string | null;
}

const VALUES = new Set(FEED_TERMS.value);
const LISTS = new Set(FEED_TERMS.lists);
const MAX_MEMBERS = 12;

/** Finds the outermost records in the beginning of a JSON text: objects in an array that have a value. */
async function jsonShape(beginning: string): Promise<JsonShape> {
  const { Tokenizer, TokenType } = await import('@streamparser/json');
  const levels: Level[] = [];
  const members = new Set<string>();
  const found: { records: Place | null; texts: Place | null } = { records: null, texts: null };

  const onText = (text: string, level: Level) => {
    if (level.isArray) {
      if (levels.length === 1 || LISTS.has(level.member))
        found.texts ??= { depth: levels.length, member: level.member };
    } else if (level.key === null) {
      level.key = text;
      if (levels.length === 1 && members.size < MAX_MEMBERS) members.add(text);
    } else if (VALUES.has(level.key) && levels.at(-2)?.isArray === true) {
      const depth = depthOfRecords(levels);
      if (found.records === null || depth < found.records.depth) found.records = { depth, member: level.member };
    }
  };
  const tokenizer = new Tokenizer();
  tokenizer.onToken = ({ token, value }) => {
    const level = levels.at(-1);
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) {
      const member = level?.key ?? level?.member ?? '';
      levels.push({ isArray: token === TokenType.LEFT_BRACKET, member, key: null });
    } else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) levels.pop();
    else if (token === TokenType.COMMA && level) level.key = null;
    else if (token === TokenType.STRING && level) onText(String(value), level);
  };
  // Syntax errors are reported when the text is read.
  tokenizer.onError = () => {};
  tokenizer.write(beginning);
  const place = found.records ?? found.texts;
  return {
    path: place && `$${'.*'.repeat(place.depth)}`,
    isOfTexts: found.records === null,
    member: place?.member ?? '',
    members: [...members],
  };
}

/** Number of members and indices above a record; the attributes of an object of MISP are read with the object. */
function depthOfRecords(levels: readonly Level[]): number {
  const isInObject = levels.at(-2)?.member === 'Attribute' && levels.at(-4)?.member === 'Object';
  return levels.length - (isInObject ? 3 : 1);
}

/** A JSON object by its member names. */
type JsonMembers = Readonly<Record<string, unknown>>;

/** Returns true for a JSON object with a member that holds a URL, host or address. */
export function isJsonRecord(value: unknown): value is JsonMembers {
  return isObject(value) && textOf(value, FEED_TERMS.value) !== '';
}

/** Returns the entry of such an object. */
function readJsonRecord(record: JsonMembers, line: number): ListFileItem {
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
