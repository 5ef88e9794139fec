import { wideEncodingOf } from '../decode-text.ts';

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
