import { decodeText } from '../decode-text.ts';
import { looksLikeHtml } from '../kind.ts';
import {
  decodedBody,
  decodeRareCharset,
  type HeaderBlock,
  isBlank,
  isContentHeader,
  isRareCharset,
  latin1,
  lineAt,
  nextLine,
  readHeaders,
  withUsualLines,
} from './mail-lines.ts';

/** A mail that its parser reads as mail programs do. */
export interface RepairedMail {
  /** The mail; a second reading of it if programs differ in which of two headers counts. */
  readonly readings: readonly Uint8Array<ArrayBuffer>[];
  /** False if parts or headers were left out, since there are too many. */
  readonly isWhole: boolean;
}

/** Maximum number of parts, and of headers of all and of each part, of which the parser keeps objects. */
const MAX_PARTS = 2000;
const MAX_HEADERS = 4000;
const MAX_PART_HEADERS = 20;

/** The parser keeps an object of each line; a body with more and shorter lines than this is one line for it. */
const MAX_SHORT_LINES = 10_000;
const SHORT_LINE = 32;

/** Longest line that separates parts (RFC 2046 §5.1.1), with room for programs that exceed it, in bytes. */
const MAX_DELIMITER = 300;

/** Characters of a body by which its type is known. */
const SAMPLE = 65_536;

const DASH = 0x2d;
const SPACE = 0x20;
const FEED = Uint8Array.of(0x0a);

/** Places at which the parts of a mail begin. */
interface Delimiters {
  /** Place of the last line of each text. */
  readonly last: ReadonlyMap<string, number>;
  /** Lines before which a header of a part follows, in their order. */
  readonly ofParts: readonly { readonly at: number; readonly text: string }[];
}

/** State of one reading while it is written. */
interface Draft {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly delimiters: Delimiters;
  /** True if of two headers with one name the last counts, not the first. */
  readonly lastCounts: boolean;
  readonly boundaries: Set<string>;
  readonly pieces: Uint8Array[];
  hasDoubleHeaders: boolean;
  isWhole: boolean;
  headers: number;
  parts: number;
}

/**
 * Repairs what the parser of mails reads differently than mail programs: the ends of lines, NULs, UTF-16 and UTF-7, two
 * headers of one name, parts whose separator does not occur, and white space behind a soft line break. Everything else
 * stays as it is. Linear in time; never throws.
 */
export function repairMail(source: Uint8Array<ArrayBuffer>): RepairedMail {
  const lines = withUsualLines(source);
  // A blank line before the first header would end the headers.
  const bytes = lines.subarray(lines.findIndex((byte) => byte > SPACE));
  const delimiters = findDelimiters(bytes);
  const first = write(bytes, delimiters, false);
  if (!first.hasDoubleHeaders) return { readings: [joined(first.pieces)], isWhole: first.isWhole };
  const second = write(bytes, delimiters, true);
  return { readings: [first, second].map(({ pieces }) => joined(pieces)), isWhole: first.isWhole && second.isWhole };
}

function findDelimiters(bytes: Uint8Array): Delimiters {
  const last = new Map<string, number>();
  const ofParts: { at: number; text: string }[] = [];
  for (let at = 0; at < bytes.length; at = nextLine(bytes, at)) {
    const text = delimiterAt(bytes, at);
    if (text === null) continue;
    last.set(text, at);
    const next = nextLine(bytes, at);
    if (ofParts.length < MAX_PARTS && /^content-[a-z-]{2,30}[ \t]{0,3}:/i.test(latin1(bytes, next, next + 40)))
      ofParts.push({ at, text: text.slice(2) });
  }
  return { last, ofParts };
}

/** Returns a line that may separate parts, without white space at its end; null for any other line. */
function delimiterAt(bytes: Uint8Array, at: number): string | null {
  if (bytes[at] !== DASH || bytes[at + 1] !== DASH) return null;
  const { start, end } = lineAt(bytes, at);
  return end - start > MAX_DELIMITER ? null : latin1(bytes, start, end).trimEnd();
}

function write(bytes: Uint8Array<ArrayBuffer>, delimiters: Delimiters, lastCounts: boolean): Draft {
  const counts = { hasDoubleHeaders: false, isWhole: true, headers: 0, parts: 0 };
  const draft: Draft = { bytes, delimiters, lastCounts, boundaries: new Set(), pieces: [], ...counts };
  for (let at = 0; at < bytes.length; ) {
    if (++draft.parts > MAX_PARTS) {
      draft.isWhole = false;
      break;
    }
    at = writePart(draft, at);
  }
  return draft;
}

/** Writes the headers and the body of a part that begin at a place, and the separator behind it; returns its end. */
function writePart(draft: Draft, start: number): number {
  const { bytes } = draft;
  const mostHeaders = Math.max(MAX_PART_HEADERS, MAX_HEADERS - draft.headers);
  const block = readHeaders(bytes, start, mostHeaders, (at) => separatorAt(draft, at) !== null);
  draft.headers += block.fields.length;
  draft.isWhole &&= block.isWhole;
  const content = contentOf(draft, block);
  const type = /^\s*multipart\//i.test(content.type) ? multipartType(draft, content.type, block.end) : content.type;
  if (/^\s*message\/(?:rfc822|global)\b/i.test(type) && !/base64|quoted-printable/i.test(content.encoding)) {
    writeHeaders(draft, block, { ...content, type });
    return block.end;
  }
  const bodyEnd = endOfBody(draft, block.end);
  writeBody(draft, block, { ...content, type }, bodyEnd);
  return writeSeparators(draft, bodyEnd);
}

function writeBody(draft: Draft, block: HeaderBlock, content: Content, end: number): void {
  const { bytes, pieces } = draft;
  const isMultipart = /^\s*multipart\//i.test(content.type);
  const body = isMultipart ? null : rewrittenBody(draft, content, block.end, end);
  writeHeaders(draft, block, body ?? content);
  // What is before the first part is not shown.
  if (isMultipart) return;
  if (body !== null) pieces.push(new TextEncoder().encode(body.text), FEED);
  else if (/quoted-printable/i.test(content.encoding)) writeQuotedPrintable(draft, block.end, end);
  else pieces.push(bytes.subarray(block.end, end));
}

/** Writes the lines that separate parts, without what is between the last part and the next; returns where one begins. */
function writeSeparators(draft: Draft, start: number): number {
  const { bytes, boundaries, pieces } = draft;
  let at = start;
  while (at < bytes.length) {
    const next = nextLine(bytes, at);
    pieces.push(bytes.subarray(at, next));
    if (boundaries.has(separatorAt(draft, at)?.slice(2) ?? '')) return next;
    at = endOfBody(draft, next);
  }
  return at;
}

/** Returns the line that separates parts at a place, if it is one of the mail's. */
function separatorAt({ bytes, boundaries }: Draft, at: number): string | null {
  const text = delimiterAt(bytes, at);
  if (text === null) return null;
  const name = text.slice(2);
  return boundaries.has(name) || (name.endsWith('--') && boundaries.has(name.slice(0, -2))) ? text : null;
}

function endOfBody(draft: Draft, start: number): number {
  let at = start;
  while (at < draft.bytes.length && separatorAt(draft, at) === null) at = nextLine(draft.bytes, at);
  return at;
}

/** Headers that determine how a body is read; empty if there is none. */
interface Content {
  readonly type: string;
  readonly encoding: string;
}

function contentOf(draft: Draft, { fields }: HeaderBlock): Content {
  const used = (name: string) => {
    const own = fields.filter((field) => field.name === name);
    if (own.some(({ value }) => value !== own[0]?.value)) draft.hasDoubleHeaders = true;
    return (draft.lastCounts ? own.at(-1) : own[0])?.value ?? '';
  };
  used('content-disposition');
  return { type: used('content-type'), encoding: used('content-transfer-encoding') };
}

const BOUNDARY = /;\s*boundary\s*=\s*(?:"([^"]{0,300})"|([^\s;"]{1,300}))/i;

/** The same in sections (RFC 2231 §3). */
const BOUNDARY_SECTION = /;\s*boundary\*\d{1,3}\*?\s*=\s*(?:"([^"]{0,300})"|([^\s;"]{1,300}))/gi;

/** Returns the type of a part with parts, whose separator occurs; another type if there is no separator. */
function multipartType({ bytes, delimiters, boundaries }: Draft, type: string, bodyStart: number): string {
  const [, quoted, plain] = BOUNDARY.exec(type) ?? [];
  const sections = Array.from(type.matchAll(BOUNDARY_SECTION), ([, one, other]) => one ?? other ?? '').join('');
  const declared = (quoted ?? plain ?? sections).trimEnd();
  const occurs = (text: string) => (delimiters.last.get(`--${text}`) ?? -1) >= bodyStart;
  if (declared !== '' && (occurs(declared) || occurs(`${declared}--`))) {
    boundaries.add(declared);
    return sections === '' ? type : `multipart/mixed; boundary="${declared}"`;
  }
  const guess = delimiters.ofParts.find(
    ({ at, text }) => at >= bodyStart && !boundaries.has(text) && !text.includes('"'),
  );
  if (guess === undefined)
    return looksLikeHtml(latin1(bytes, bodyStart, Math.min(bytes.length, bodyStart + SAMPLE)))
      ? 'text/html'
      : 'text/plain';
  boundaries.add(guess.text);
  return `multipart/mixed; boundary="${guess.text}"`;
}

/** A body in Base64 on one line, of which the parser keeps one object, with the headers for it. */
interface RewrittenBody extends Content {
  readonly text: string;
}

/** Returns the body of a part in UTF-8 if the parser does not know its characters, or it has very many lines. */
function rewrittenBody(draft: Draft, { type, encoding }: Content, start: number, end: number): RewrittenBody | null {
  const charset = /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i.exec(type)?.[1] ?? '';
  const isRare = isRareCharset(charset);
  const isEncoded = /base64|quoted-printable/i.test(encoding);
  if (!isRare && (isEncoded || !hasManyLines(draft.bytes, start, end))) return null;
  const decoded = isEncoded ? decodedBody(latin1(draft.bytes, start, end), encoding) : draft.bytes.subarray(start, end);
  if (!isRare) return { type, encoding: 'base64', text: toBase64(decoded) };
  const text = decodeRareCharset(decoded, charset, decodeText);
  return { type: type.replace(charset, 'utf-8'), encoding: 'base64', text: toBase64(new TextEncoder().encode(text)) };
}

function hasManyLines(bytes: Uint8Array, start: number, end: number): boolean {
  let count = 0;
  for (let at = start; at < end; at = nextLine(bytes, at)) count++;
  return count > MAX_SHORT_LINES && end - start < SHORT_LINE * count;
}

function toBase64(bytes: Uint8Array): string {
  return btoa(latin1(bytes, 0, bytes.length));
}

/** Writes headers: as they are, or with other values for those that determine how the body is read. */
function writeHeaders({ bytes, pieces, lastCounts }: Draft, block: HeaderBlock, content: Content): void {
  const valuesOf = (name: string) => block.fields.filter((field) => field.name === name).map(({ value }) => value);
  const [types, encodings, dispositions] = ['type', 'transfer-encoding', 'disposition'].map((name) =>
    valuesOf(`content-${name}`),
  ) as [string[], string[], string[]];
  const isSame = (types[0] ?? '') === content.type && (encodings[0] ?? '') === content.encoding;
  if (isSame && block.isWhole && !(lastCounts && dispositions.length > 1)) {
    pieces.push(bytes.subarray(block.start, block.end));
    return;
  }
  for (const { name, start, end } of block.fields) if (!isContentHeader(name)) pieces.push(bytes.subarray(start, end));
  const add = (name: string, value: string) => {
    if (value !== '') pieces.push(Uint8Array.from(`${name}: ${value}\n`, (character) => character.charCodeAt(0)));
  };
  add('Content-Type', content.type);
  add('Content-Transfer-Encoding', content.encoding);
  add('Content-Disposition', (lastCounts ? dispositions.at(-1) : dispositions[0]) ?? '');
  pieces.push(FEED);
}

/** Writes a body without the white space at the ends of its lines, which no line has (RFC 2045 §6.7). */
function writeQuotedPrintable({ bytes, pieces }: Draft, start: number, end: number): void {
  let from = start;
  for (let at = start; at < end; ) {
    const line = lineAt(bytes, at);
    let lineEnd = line.end;
    while (lineEnd > at && isBlank(bytes[lineEnd - 1])) lineEnd--;
    if (lineEnd < line.end) {
      pieces.push(bytes.subarray(from, lineEnd), FEED);
      from = line.next;
    }
    at = line.next;
  }
  pieces.push(bytes.subarray(from, end));
}

function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
