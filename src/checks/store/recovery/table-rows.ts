import type { DatabasePages } from './page-source.ts';

/** A value of a row, as SQLite stores it. */
export type StoredValue = null | number | string | Buffer;

/** A row of a table, of which the file does not say which. */
export interface TableRow {
  readonly id: number;
  readonly values: readonly StoredValue[];
  /** Number of leading values that are whole; those after it were on a page that cannot be read. */
  readonly whole: number;
}

/** First byte of a leaf of a table (https://sqlite.org/fileformat2.html#b_tree_pages). */
const TABLE_LEAF = 0x0d;

/** First bytes of the other pages of B-trees. */
const OTHER_PAGES: readonly (number | undefined)[] = [0x02, 0x05, 0x0a];

const HEADER_BYTES = 8;

/** Greatest length of a row that is read: a record is bounded far below. */
const MAX_ROW_BYTES = 16 * 1024 * 1024;

/** Returns the page if it is a leaf of a table, or may have been one before its first byte was damaged; else null. */
export function leafAt(source: DatabasePages, number: number): Buffer | null {
  if (!source.mayBeBTree(number)) return null;
  const page = source.read(number);
  return page === null || OTHER_PAGES.includes(page[headerAt(number)]) ? null : page;
}

/** Returns the rows of a leaf that can be read, in the order of their ids. */
export function* rowsOn(source: DatabasePages, number: number, page: Buffer): Generator<TableRow> {
  for (const at of cellsOn(source, number, page)) {
    const row = rowAt(source, page, at);
    if (row) yield row;
  }
}

/** Returns the number of rows of a leaf, also of those that cannot be read. */
export function cellCount(source: DatabasePages, number: number, page: Buffer): number {
  return [...cellsOn(source, number, page)].length;
}

/** Returns the offsets of the rows of a leaf. */
function* cellsOn(source: DatabasePages, number: number, page: Buffer): Generator<number> {
  const header = headerAt(number);
  const first = header + HEADER_BYTES;
  const isLeaf = page[header] === TABLE_LEAF;
  const cells = Math.min(page.readUInt16BE(header + 3), Math.floor((source.usableBytes - first) / 2));
  for (let cell = 0; cell < cells; cell++) {
    const at = page.readUInt16BE(first + 2 * cell);
    if (at < first + 2 || at >= source.usableBytes) {
      // The pointers of a page of another kind say nothing.
      if (!isLeaf) return;
      continue;
    }
    yield at;
  }
}

/** The header of the file comes before that of the first page. */
function headerAt(number: number): number {
  return number === 1 ? 100 : 0;
}

function rowAt(source: DatabasePages, page: Buffer, at: number): TableRow | null {
  const bytes = varint(page, at);
  const id = bytes && varint(page, bytes.end);
  if (!id || bytes.value > MAX_ROW_BYTES || bytes.value < 2) return null;
  const payload = payloadAt(source, page, id.end, bytes.value);
  const found = payload && valuesIn(payload.bytes, payload.readable);
  return found && { id: id.value, ...found };
}

/** Returns the content of a cell, whose end may be on other pages: zeros where these cannot be read. */
function payloadAt(
  source: DatabasePages,
  page: Buffer,
  at: number,
  length: number,
): { bytes: Buffer; readable: number } | null {
  const { usableBytes } = source;
  const local = localBytes(usableBytes, length);
  if (at + local > usableBytes) return null;
  if (local === length) return { bytes: page.subarray(at, at + local), readable: length };
  if (at + local + 4 > usableBytes) return null;
  const bytes = Buffer.alloc(length);
  page.copy(bytes, 0, at, at + local);
  let readable = local;
  for (let next = page.readUInt32BE(at + local); readable < length; ) {
    const more = next >= 2 && next <= source.pages ? source.read(next) : null;
    if (more === null) break;
    const some = Math.min(length - readable, usableBytes - 4);
    next = more.readUInt32BE(0);
    // The last page names no other one, and no other page is the last: the chain leads elsewhere.
    if ((readable + some === length) !== (next === 0)) break;
    more.copy(bytes, readable, 4, 4 + some);
    readable += some;
  }
  return { bytes, readable };
}

/** Returns how much of a cell's content is on its own page. */
function localBytes(usable: number, bytes: number): number {
  const most = usable - 35;
  if (bytes <= most) return bytes;
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const some = least + ((bytes - least) % (usable - 4));
  return some <= most ? some : least;
}

/** Decodes the values of a row; null if they do not fill it exactly. */
function valuesIn(payload: Buffer, readable: number): Omit<TableRow, 'id'> | null {
  const head = varint(payload, 0);
  if (!head || head.value > payload.length) return null;
  const values: StoredValue[] = [];
  let whole = 0;
  let at = head.value;
  for (let kindAt = head.end; kindAt < head.value; ) {
    const kind = varint(payload, kindAt);
    if (!kind || kind.end > head.value) return null;
    kindAt = kind.end;
    const bytes = lengthOf(kind.value);
    if (bytes === null || at + bytes > payload.length) return null;
    values.push(valueAt(payload, at, kind.value, bytes));
    at += bytes;
    if (at <= readable) whole++;
  }
  return at === payload.length ? { values, whole } : null;
}

const INTEGER_BYTES = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0] as const;

function lengthOf(kind: number): number | null {
  if (kind >= 12) return (kind - (kind % 2 === 0 ? 12 : 13)) / 2;
  return INTEGER_BYTES[kind] ?? null;
}

function valueAt(payload: Buffer, at: number, kind: number, bytes: number): StoredValue {
  if (kind >= 12)
    return kind % 2 === 0 ? Buffer.from(payload.subarray(at, at + bytes)) : payload.toString('utf8', at, at + bytes);
  if (kind === 0) return null;
  if (kind === 7) return payload.readDoubleBE(at);
  if (kind >= 8) return kind - 8;
  return kind === 6 ? Number(payload.readBigInt64BE(at)) : payload.readIntBE(at, bytes);
}

/** Reads a number of one to nine bytes; null if it is cut off, or greater than any of ours. */
function varint(bytes: Buffer, from: number): { value: number; end: number } | null {
  let value = 0;
  for (let at = from; at < from + 8; at++) {
    const byte = bytes[at];
    if (byte === undefined) return null;
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return Number.isSafeInteger(value) ? { value, end: at + 1 } : null;
  }
  return null;
}

/** Test of a value of a row, of which the file does not say to which table it belongs. */
type ValueTest = (value: StoredValue) => boolean;

/** Tests by the values that a column may have. */
export const IS = {
  nothing: (value: StoredValue) => value === null,
  text: (value: StoredValue) => typeof value === 'string' && value !== '',
  number: (value: StoredValue) => typeof value === 'number',
  bytes: (value: StoredValue) => Buffer.isBuffer(value),
  hash: (value: StoredValue) => Buffer.isBuffer(value) && value.length === 32,
  requestId: (value: StoredValue) => Buffer.isBuffer(value) && value.length === 16 && (value[6] ?? 0) >> 4 === 7,
  /** An index below a count. */
  oneOf:
    (count: number): ValueTest =>
    (value) =>
      typeof value === 'number' && value >= 0 && value < count,
  optional:
    (test: ValueTest): ValueTest =>
    (value) =>
      value === null || test(value),
} as const;

/** Returns true if the values of a row pass the tests of the columns of a table. */
export function fitsColumns({ values }: TableRow, tests: readonly ValueTest[]): boolean {
  return values.length === tests.length && tests.every((test, i) => test(values[i] ?? null));
}

/** Returns the bytes of a value; none if it has none. */
export function storedBytes(value: StoredValue | undefined): Buffer {
  return Buffer.isBuffer(value) ? value : Buffer.alloc(0);
}
