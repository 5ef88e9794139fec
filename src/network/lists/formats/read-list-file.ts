import { readLines } from '#src/core/base/files/line-reader.ts';
import { adblockFormat } from './adblock.ts';
import { csvFormat } from './csv-list.ts';
import { dnsmasqFormat } from './dnsmasq.ts';
import { hostsFormat } from './hosts.ts';
import { jsonMembers } from './json-members.ts';
import type { ListFileItem, ListFormat, ListLineReader, ListPieceReader } from './list-format.ts';
import { mispFormat } from './misp-warninglist.ts';
import { ndjsonFormat } from './ndjson.ts';
import { plainFormat } from './plain.ts';
import { rpzFormat } from './rpz.ts';
import { stixFormat } from './stix-bundle.ts';

/** Every format, in the order in which a file is held against them; the last takes what no other does. */
const FORMATS: readonly ListFormat[] = [
  stixFormat,
  mispFormat,
  ndjsonFormat,
  csvFormat,
  dnsmasqFormat,
  rpzFormat,
  adblockFormat,
  hostsFormat,
  plainFormat,
];

/** Names of the list formats, for files whose format cannot be detected. */
export const LIST_FORMATS: readonly string[] = FORMATS.map(({ name }) => name);

/** The largest file that is read; ten million hosts take about half of it. */
export const MAX_LIST_BYTES = 512 * 1024 * 1024;

/** No URL that is checked is as long. */
const MAX_LINE_BYTES = 64 * 1024;

/** Number of lines that are read to detect a format. */
const DETECTION_LINES = 50;

/** By their first bytes, in hexadecimal digits, files in which a list is packed. */
const COMPRESSED: Readonly<Record<string, string>> = {
  '1f8b': 'gzip',
  '425a68': 'bzip2',
  '504b0304': 'zip',
  fd377a585a: 'xz',
  '28b52ffd': 'zstd',
};

/** Thrown for a file that could not be read to its end; the message states why, as the end of a sentence. */
export class ListFileError extends Error {
  override readonly name = 'ListFileError';
}

/**
 * Reads a list of any format, and holds no more than a chunk of it in memory.
 *
 * @param formatName one of {@link LIST_FORMATS}; null to detect it from the beginning of the file
 * @returns the content of each chunk: entries as they are written, and invalid lines
 * @throws ListFileError for a file that is too large, or is not text
 */
export async function* readListFile(
  chunks: AsyncIterable<Uint8Array>,
  formatName: string | null = null,
): AsyncGenerator<readonly ListFileItem[]> {
  const bounded = withinBytes(chunks, MAX_LIST_BYTES);
  const [first, all] = await beginningOf(bounded);
  const format = formatName === null ? detectFormat(first) : FORMATS.find(({ name }) => name === formatName);
  if (!format) throw new ListFileError(`cannot be read as "${formatName}": expected ${LIST_FORMATS.join(', ')}`);
  yield* 'byLine' in format.read ? readByLine(all, format.read.byLine()) : readByPiece(all, format.read.byPiece());
}

async function* readByLine(
  bytes: AsyncIterable<Uint8Array>,
  reader: ListLineReader,
): AsyncGenerator<readonly ListFileItem[]> {
  for await (const lines of readLines(bytes, MAX_LINE_BYTES)) {
    yield lines.flatMap(({ number, text }) => {
      const problem = lineProblem(text);
      return problem === null ? reader.read(withoutMark(text ?? ''), number) : [{ line: number, message: problem }];
    });
  }
  yield reader.end();
}

async function* readByPiece(
  bytes: AsyncIterable<Uint8Array>,
  reader: ListPieceReader,
): AsyncGenerator<readonly ListFileItem[]> {
  const members = jsonMembers();
  const decoder = new TextDecoder();
  for await (const chunk of bytes) {
    yield members.add(decoder.decode(chunk, { stream: true })).flatMap((piece) => checkItems(reader.read(piece)));
    if (members.fault() !== null) break;
  }
  members.end();
  const fault = members.fault();
  yield fault === null ? checkItems(reader.end()) : [fault];
}

/** The same, but for values in which bytes were no text. */
function checkItems(items: readonly ListFileItem[]): readonly ListFileItem[] {
  return items.map((item) => {
    const problem = 'value' in item ? lineProblem(item.value) : null;
    return problem === null ? item : { line: item.line, message: problem };
  });
}

/** Returns why a line cannot be parsed, as a sentence without its subject. */
function lineProblem(text: string | null): string | null {
  if (text === null) return `is longer than ${MAX_LINE_BYTES / 1024} KiB`;
  if (text.includes('\0')) return 'contains a NUL';
  return text.includes('\ufffd') ? 'is not UTF-8' : null;
}

/** A byte order mark begins the first line of some files. */
function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

function detectFormat(beginning: string): ListFormat {
  const lines = beginning
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const format = FORMATS.find(({ recognises }) => recognises(lines.slice(0, DETECTION_LINES))) ?? plainFormat;
  if (format !== plainFormat || lines[0]?.startsWith('{') !== true) return format;
  throw new ListFileError(
    'is JSON, but neither a STIX bundle, nor a MISP warninglist, nor one object with a value per line',
  );
}

/** The text with which a file begins, up to the last line that is whole, and the file from its beginning again. */
async function beginningOf(
  chunks: AsyncIterable<Uint8Array>,
): Promise<[beginning: string, all: AsyncIterable<Uint8Array>]> {
  const iterator = chunks[Symbol.asyncIterator]();
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  let isAtEnd = false;
  while (bytes < MAX_LINE_BYTES && !isAtEnd) {
    const { value, done } = await iterator.next();
    if (done) isAtEnd = true;
    else {
      // Copied, because the stream may use its chunk again; `slice` of a Buffer is no copy.
      pieces.push(new Uint8Array(value));
      bytes += value.length;
    }
  }
  const head = Buffer.concat(pieces);
  if (/^(?:\xff\xfe|\xfe\xff)/.test(head.subarray(0, 2).toString('latin1'))) {
    throw new ListFileError('is UTF-16: save it as UTF-8');
  }
  const packed = Object.keys(COMPRESSED).find((mark) => head.subarray(0, 8).toString('hex').startsWith(mark));
  if (packed !== undefined) throw new ListFileError(`is packed with ${COMPRESSED[packed]}: unpack it first`);
  const text = withoutMark(head.subarray(0, MAX_LINE_BYTES).toString());
  // A file of one line, such as JSON, is detected by its beginning.
  const whole = isAtEnd && bytes <= MAX_LINE_BYTES ? text : text.slice(0, text.lastIndexOf('\n') + 1) || text;
  return [whole, again(head, iterator)];
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
