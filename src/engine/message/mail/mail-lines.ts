import { wideEncodingOf } from '../decode-text.ts';

/** Returns the bytes of a body in a transfer encoding of mails (RFC 2045 §6); other encodings change nothing. */
export function decodedBody(body: string, encoding: string): Uint8Array {
  if (/base64/i.test(encoding)) return fromBase64(body);
  return bytesOf(/quoted-printable/i.test(encoding) ? fromQuotedPrintable(body) : body);
}

function fromBase64(body: string): Uint8Array {
  const digits = body.replace(/[^a-z0-9+/]+/gi, '');
  return bytesOf(atob(digits.slice(0, digits.length - (digits.length % 4 === 1 ? 1 : 0))));
}

function fromQuotedPrintable(body: string): string {
  return body
    .replace(/=[ \t]{0,80}\r?\n/g, '')
    .replace(/=([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
}

const bytesOf = (binary: string): Uint8Array => Uint8Array.from(binary, (character) => character.charCodeAt(0));

/** Encodings of characters that the parser of mails does not know, or mistakes for another. */
const WIDE = /^(?:(?:csunicode|iso-10646-ucs-2|ucs-?2|unicode|utf-?16)(?:-?(be|le))?|utf-?32.{0,5})$/i;
const UTF_7 = /^(?:(?:x-)?unicode-1-1-utf-7|(?:x-)?utf-?7|csutf7|csunicode11utf7)$/i;

/** Returns true for an encoding that {@link decodeRareCharset} decodes. */
export const isRareCharset = (charset: string): boolean => WIDE.test(charset) || UTF_7.test(charset);

/** Returns a text in UTF-7 (RFC 2152), UTF-16 or UTF-32; the byte order is that of the mark, else the likely one. */
export function decodeRareCharset(bytes: Uint8Array, charset: string, decode: (bytes: Uint8Array) => string): string {
  if (!UTF_7.test(charset)) return decode(bytes);
  let text = '';
  for (let at = 0; at < bytes.length; at += 4096) text += String.fromCharCode(...bytes.subarray(at, at + 4096));
  return text.replace(/\+([a-z0-9+/]{0,10000})-?/gi, (_, digits: string) => (digits === '' ? '+' : utf16Of(digits)));
}

function utf16Of(digits: string): string {
  const bytes = fromBase64(digits);
  return new TextDecoder('utf-16be').decode(bytes.subarray(0, bytes.length - (bytes.length % 2)));
}

const CR = 0x0d;
const LF = 0x0a;
const NUL = 0;
const SPACE = 0x20;
const TAB = 0x09;

/**
 * Returns the bytes of a mail as mail programs read them: UTF-16 as UTF-8, without NULs, and with line feeds at the ends
 * of lines that end with carriage returns alone.
 */
export function withUsualLines(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const wide = wideEncodingOf(bytes);
  const narrow = wide === null ? bytes : new TextEncoder().encode(new TextDecoder(wide).decode(bytes));
  if (!narrow.includes(NUL) && !hasLoneReturn(narrow)) return narrow;
  const result = new Uint8Array(narrow.length);
  let length = 0;
  let returns = 0;
  for (const byte of narrow) {
    if (byte === NUL) continue;
    if (byte === CR) {
      returns += 1;
      continue;
    }
    // Returns before a line feed belong to it, however many there are.
    if (byte !== LF) for (; returns > 0; returns--) result[length++] = LF;
    returns = 0;
    result[length++] = byte;
  }
  for (; returns > 0; returns--) result[length++] = LF;
  return result.slice(0, length);
}

function hasLoneReturn(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(CR); at !== -1; at = bytes.indexOf(CR, at + 1)) if (bytes[at + 1] !== LF) return true;
  return false;
}

/** A line of a mail, by its places in the bytes. */
export interface MailLine {
  readonly start: number;
  /** Behind the last byte that is not a line end. */
  readonly end: number;
  /** Begin of the next line. */
  readonly next: number;
}

/** Returns the line that begins at a place. */
export function lineAt(bytes: Uint8Array, start: number): MailLine {
  const found = bytes.indexOf(LF, start);
  const feed = found === -1 ? bytes.length : found;
  const end = feed > start && bytes[feed - 1] === CR ? feed - 1 : feed;
  return { start, end, next: Math.min(feed + 1, bytes.length) };
}

/** Returns the begin of the next line: an object for each of a million lines would be garbage. */
export function nextLine(bytes: Uint8Array, start: number): number {
  const feed = bytes.indexOf(LF, start);
  return feed === -1 ? bytes.length : feed + 1;
}

/** Returns true for white space within a line; false behind the end of the bytes. */
export const isBlank = (byte: number | undefined): boolean => byte === SPACE || byte === TAB;

/** Returns bytes as text, one character per byte. */
export function latin1(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  for (let at = start; at < end; at += 4096)
    text += String.fromCharCode(...bytes.subarray(at, Math.min(end, at + 4096)));
  return text;
}

/** A header, with its places in the bytes of the mail. */
interface HeaderField {
  /** In lower case; empty for a line that is not a header. */
  readonly name: string;
  /** Unfolded, one character per byte; empty for headers that do not determine how a body is read. */
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** Headers of a mail or of a part. */
export interface HeaderBlock {
  readonly fields: readonly HeaderField[];
  readonly start: number;
  /** Begin of the body. */
  readonly end: number;
  /** False if headers were left out that do not determine how the body is read. */
  readonly isWhole: boolean;
}

/** Maximum length of a value, in bytes; what is behind is ignored. */
const MAX_VALUE = 8192;

/** Longest name, in bytes. */
const MAX_NAME = 64;

/** Maximum number of headers that determine how a body is read. */
const MAX_CONTENT_HEADERS = 100;

/**
 * Reads headers up to an empty line, which belongs to them, or to a line that ends the part.
 *
 * @param most maximum number of headers beside those that determine how the body is read
 */
export function readHeaders(
  bytes: Uint8Array,
  start: number,
  most: number,
  endsPart: (start: number) => boolean,
): HeaderBlock {
  const fields: HeaderField[] = [];
  let [at, others, content] = [start, 0, 0];
  const isWhole = () => others <= most && content <= MAX_CONTENT_HEADERS;
  while (at < bytes.length && !endsPart(at)) {
    const line = lineAt(bytes, at);
    if (line.end === line.start) return { fields, start, end: line.next, isWhole: isWhole() };
    let end = line.next;
    while (isBlank(bytes[end])) end = nextLine(bytes, end);
    const field = fieldOf(bytes, at, end);
    if (isContentHeader(field.name) ? ++content <= MAX_CONTENT_HEADERS : ++others <= most) fields.push(field);
    at = end;
  }
  return { fields, start, end: at, isWhole: isWhole() };
}

function fieldOf(bytes: Uint8Array, start: number, end: number): HeaderField {
  const head = latin1(bytes, start, Math.min(end, start + MAX_NAME + 1));
  const colon = head.indexOf(':');
  const name = colon === -1 ? '' : head.slice(0, colon).trim().toLowerCase();
  if (!isContentHeader(name)) return { name, value: '', start, end };
  const value = latin1(bytes, start + colon + 1, Math.min(end, start + MAX_VALUE));
  return { name, value: value.replace(/[\r\n]+/g, ' ').trim(), start, end };
}

/** Returns true for the name of a header that determines how a body is read. */
export function isContentHeader(name: string): boolean {
  return name === 'content-type' || name === 'content-transfer-encoding' || name === 'content-disposition';
}
