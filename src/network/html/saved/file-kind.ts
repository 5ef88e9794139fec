import { FILE_KINDS } from '#src/core/knowledge/words/file-kinds.ts';
import { readMimeHeaders } from './mhtml.ts';

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
