import { LIST_FORMATS } from '../settings.ts';
import { ALL_LIST_FORMATS, detectFormat } from './detect-format.ts';
import { ListFileError, type ListFileItem, type ListFormat, MAX_LIST_LINE_BYTES } from './list-format.ts';

/** The largest file that is read; ten million hosts take about half of it. */
export const MAX_LIST_BYTES = 512 * 1024 * 1024;

/** Number of lines that are read to detect a format. */
const DETECTION_LINES = 200;

const [NEWLINE, CARRIAGE_RETURN] = [0x0a, 0x0d];

/** A list file that is read once. */
export interface ListFile extends AsyncIterable<readonly ListFileItem[]> {
  /** Returns the format in which it is read; null before its beginning was read. */
  format(): Pick<ListFormat, 'name' | 'isLenient'> | null;
}

/**
 * Opens a list of any format, of which no more than a chunk is held in memory. Its items are the content of each chunk:
 * entries as they are written, and invalid lines. Reading throws a {@link ListFileError} for a file that is too large,
 * or is no list.
 *
 * @param formatName one of {@link LIST_FORMATS}; null to detect it from the beginning of the file
 */
export function readListFile(chunks: AsyncIterable<Uint8Array>, formatName: string | null = null): ListFile {
  let format: ListFormat | null = null;
  async function* read() {
    const { lines, bytes } = await beginningOf(withinBytes(chunks, MAX_LIST_BYTES));
    format = formatName === null ? await detectFormat(lines) : formatNamed(formatName);
    yield* format.read(bytes, lines);
  }
  return { [Symbol.asyncIterator]: read, format: () => format };
}

function formatNamed(name: string): ListFormat {
  const known = LIST_FORMATS.find((one) => one === name);
  if (known === undefined) throw new ListFileError(`cannot be read as "${name}": expected ${LIST_FORMATS.join(', ')}`);
  return ALL_LIST_FORMATS[known];
}

/** The first lines of a file that are not blank, and all of its bytes. */
interface Beginning {
  readonly lines: readonly string[];
  readonly bytes: AsyncIterable<Uint8Array>;
}

async function beginningOf(chunks: AsyncIterable<Uint8Array>): Promise<Beginning> {
  const iterator = chunks[Symbol.asyncIterator]();
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  let isAtEnd = false;
  while (bytes < MAX_LIST_LINE_BYTES && !isAtEnd) {
    const { value, done } = await iterator.next();
    if (done) isAtEnd = true;
    else {
      // Copied, because the stream may use its chunk again; `slice` of a Buffer is no copy.
      pieces.push(new Uint8Array(value));
      bytes += value.length;
    }
  }
  const head = Buffer.concat(pieces);
  refuseOtherKinds(head);
  // Lines of old Macintosh programs end with a carriage return alone.
  const isMac = head.includes(CARRIAGE_RETURN) && !head.includes(NEWLINE);
  const text = head
    .subarray(0, MAX_LIST_LINE_BYTES)
    .toString()
    .replace(/^\ufeff/, '');
  const lines = text.split(isMac ? '\r' : '\n');
  // The last line may be cut, but a file of one line, such as JSON, is detected by its beginning.
  const whole = (isAtEnd && bytes <= MAX_LIST_LINE_BYTES) || lines.length === 1 ? lines : lines.slice(0, -1);
  const all = again(head, iterator);
  return {
    lines: whole
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .slice(0, DETECTION_LINES),
    bytes: isMac ? withNewlines(all) : all,
  };
}

async function* withNewlines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) yield chunk.map((byte) => (byte === CARRIAGE_RETURN ? NEWLINE : byte));
}

async function* again(head: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield head;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

async function* withinBytes(chunks: AsyncIterable<Uint8Array>, max: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > max) throw new ListFileError(`holds more than ${max / 1024 / 1024} MiB`);
    yield chunk;
  }
}

/** Files that are no lists, by their first bytes in hexadecimal digits. */
const BY_BYTES: Readonly<Record<string, string>> = {
  '1f8b': 'packed with gzip: unpack it first',
  '425a68': 'packed with bzip2: unpack it first',
  '504b0304': 'packed with zip: unpack it first, or save it as CSV if it is a workbook',
  fd377a585a: 'packed with xz: unpack it first',
  '377abcaf': 'packed with 7-Zip: unpack it first',
  '28b52ffd': 'packed with zstd: unpack it first',
  fffe: 'UTF-16: save it as UTF-8',
  feff: 'UTF-16: save it as UTF-8',
  '255044462d': 'a PDF document: save its table as CSV',
  d0cf11e0: 'a document of Microsoft Office: save it as CSV',
  '89504e47': 'a picture',
  ffd8ff: 'a picture',
  '7f454c46': 'a program',
};

/** Files that are no lists, by the text with which they begin. */
const BY_TEXT: readonly (readonly [beginning: RegExp, kind: string])[] = [
  [/^\s*(?:<!doctype html|<html|<head|<body|<script|<div)/i, 'an HTML page: download the list itself'],
  [/^\s*<(?:\?xml|rss|feed|svg)\b/i, 'XML'],
  [/^\{\\rtf/, 'an RTF document: save it as plain text'],
  [/^SQLite format 3/, 'a database of SQLite'],
  [/^-----BEGIN PGP MESSAGE/, 'encrypted with PGP'],
];

/** Refuses a file that is no list by its first bytes. Throws a {@link ListFileError} that names what it is. */
function refuseOtherKinds(head: Uint8Array): void {
  const beginning = Buffer.from(head.subarray(0, 256));
  const digits = beginning.toString('hex');
  const text = beginning.toString().replace(/^\ufeff/, '');
  const kind =
    BY_BYTES[Object.keys(BY_BYTES).find((mark) => digits.startsWith(mark)) ?? ''] ??
    BY_TEXT.find(([mark]) => mark.test(text))?.[1];
  if (kind !== undefined) throw new ListFileError(`is ${kind}`);
  // Every second byte of UTF-16 without a mark is a NUL.
  if (beginning.filter((byte) => byte === 0).length * 4 > beginning.length)
    throw new ListFileError('is not text, or is UTF-16: save it as UTF-8');
}
