import { ListFileError } from './list-file-error.ts';

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
export function refuseOtherKinds(head: Uint8Array): void {
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
