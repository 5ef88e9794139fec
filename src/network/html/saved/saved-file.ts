import { FILE_KINDS } from '#src/core/knowledge/words/file-kinds.ts';

/** Header fields of a message or of a part (RFC 2045), and where its body begins. */
interface MimeHeaders {
  /** First value of each field by its lower-case name, on one line. */
  readonly fields: ReadonlyMap<string, string>;
  readonly end: number;
}

/** Lines of a header that are read. */
const MAX_LINES = 500;

/** Reads the header fields that begin at an index; none if there is no line of a header. */
function readMimeHeaders(text: string, from = 0): MimeHeaders {
  const fields = new Map<string, string>();
  let name = '';
  let at = from;
  for (let line = 0; line < MAX_LINES && at < text.length; line++) {
    const next = text.indexOf('\n', at) + 1 || text.length;
    const content = text.slice(at, next).trimEnd();
    const field = /^([!-9;-~]{1,80}):/.exec(content);
    if (content === '' && fields.size > 0) return { fields, end: next };
    if (field?.[1] !== undefined) {
      name = field[1].toLowerCase();
      if (!fields.has(name)) fields.set(name, content.slice(field[0].length).trim());
    } else if (/^[\t ]/.test(content) && name !== '') {
      fields.set(name, `${fields.get(name) ?? ''} ${content.trim()}`);
    } else if (content !== '') {
      break;
    }
    at = next;
  }
  return { fields, end: at };
}

/** Returns a parameter of a header field, quoted or not; null if it is missing. */
function mimeParameter(field: string, name: string): string | null {
  const match = new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]{0,200})"|([^\\s;"]{1,200}))`, 'i').exec(field);
  return match?.[1] ?? match?.[2] ?? null;
}

/** Returns a body without its transfer encoding; unchanged for an unknown one. */
function decodeTransfer(body: string, encoding: string): Uint8Array {
  if (/^base64$/i.test(encoding)) return Buffer.from(body, 'base64');
  if (!/^quoted-printable$/i.test(encoding)) return Buffer.from(body, 'latin1');
  const plain = body.replace(/=(?:[\t ]{0,80}\r?\n|([0-9a-f]{2}))/gi, (_, hex: string | undefined) =>
    hex === undefined ? '' : String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(plain, 'latin1');
}

/** A page inside an archive. */
export interface ArchivedPage {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

/** Parts that are examined, of all levels. */
const MAX_PARTS = 1000;
const MAX_DEPTH = 8;

/** Returns the first page of an archive (MHTML, RFC 2557): what a browser shows of it. Null if there is none. */
export function readMhtml(bytes: Uint8Array): ArchivedPage | null {
  return firstPage(Buffer.from(bytes).toString('latin1'), { left: MAX_PARTS }, 0);
}

function firstPage(part: string, parts: { left: number }, depth: number): ArchivedPage | null {
  const { fields, end } = readMimeHeaders(part);
  const contentType = fields.get('content-type') ?? 'text/plain';
  if (/^(?:text\/html|application\/xhtml\+xml|image\/svg\+xml)\b/i.test(contentType)) {
    const encoding = (fields.get('content-transfer-encoding') ?? '').trim();
    return { bytes: decodeTransfer(part.slice(end), encoding), contentType };
  }
  const boundary = /^multipart\//i.test(contentType) ? mimeParameter(contentType, 'boundary') : null;
  if (boundary === null || depth >= MAX_DEPTH) return null;
  for (const inner of partsOf(part.slice(end), boundary)) {
    parts.left -= 1;
    if (parts.left < 0) return null;
    const page = firstPage(inner, parts, depth + 1);
    if (page !== null) return page;
  }
  return null;
}

function* partsOf(body: string, boundary: string): Generator<string> {
  const mark = `\n--${boundary}`;
  const source = `\n${body}`;
  for (let at = source.indexOf(mark); at !== -1; ) {
    const from = source.indexOf('\n', at + mark.length);
    if (from === -1 || source.startsWith('--', at + mark.length)) return;
    at = source.indexOf(mark, from);
    yield source.slice(from + 1, at === -1 ? source.length : at);
  }
}

/** Kind of a file that was given as a saved page. */
export type FileKind =
  | { readonly is: 'page' }
  /** The whole file is encoded. Brotli has no mark: data may be encoded in it, or of any other kind. */
  | { readonly is: 'packed'; readonly coding: string; readonly isSure: boolean }
  /** A page with everything that belongs to it (MHTML). */
  | { readonly is: 'archive' }
  /** No page; `name` is part of a sentence, such as `a PDF document`. */
  | { readonly is: 'other'; readonly name: string };

/** Bytes that are examined for control characters. */
const EXAMINED_BYTES = 1024;
/** Share of control characters above which bytes are no text; pages have some to mislead scanners. */
const MAX_CONTROL_SHARE = 0.05;

/** Returns the kind of a file by its content. */
export function fileKind(bytes: Uint8Array): FileKind {
  const beginning = Buffer.from(bytes.subarray(0, 16)).toString('hex');
  for (const [magic, coding] of Object.entries(FILE_KINDS.packed)) {
    if (beginning.startsWith(magic)) return { is: 'packed', coding, isSure: true };
  }
  for (const [magic, name] of Object.entries(FILE_KINDS.other)) {
    if (beginning.startsWith(magic)) return { is: 'other', name };
  }
  if (isBinary(bytes.subarray(0, EXAMINED_BYTES))) return { is: 'packed', coding: 'br', isSure: false };
  if (isJson(bytes)) return { is: 'other', name: 'JSON' };
  const headers = readMimeHeaders(Buffer.from(bytes.subarray(0, 64 * 1024)).toString('latin1')).fields;
  if (!/^(?:multipart\/|text\/html\b)/i.test(headers.get('content-type') ?? '')) return { is: 'page' };
  return headers.has('received') || headers.has('to') ? { is: 'other', name: 'a mail' } : { is: 'archive' };
}

/** Returns true for bytes that are neither text nor UTF-16 with a mark. */
function isBinary(bytes: Uint8Array): boolean {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return false;
  // Bytes that became replacement characters before they got here are three bytes of UTF-8.
  const replaced = Buffer.from(bytes).toString('latin1').split('\xef\xbf\xbd').length - 1;
  return bytes.filter(isControl).length + replaced > MAX_CONTROL_SHARE * bytes.length;
}

/** Returns true for a "binary data byte" (MIME Sniffing §3). */
function isControl(byte: number): boolean {
  return byte < 0x09 || byte === 0x0b || (byte >= 0x0e && byte <= 0x1f && byte !== 0x1b);
}

/** Returns true for a whole object or list. */
function isJson(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes);
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
