import { isBlank, latin1, lineAt, nextLine } from './mail-lines.ts';

/** A header, with its places in the bytes of the mail. */
export interface HeaderField {
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
