import { prescanMeta } from './charset-prescan.ts';

/** Bytes as text, and the encoding that was used. */
export interface DecodedText {
  readonly text: string;
  /** Lower-case name by the Encoding standard. */
  readonly encoding: string;
}

/** Labels of encodings that are never decoded, because scripts hide in them (Encoding standard §4.2, `replacement`). */
const REPLACEMENT_LABELS = new Set([
  'csiso2022kr',
  'hz-gb-2312',
  'iso-2022-cn',
  'iso-2022-cn-ext',
  'iso-2022-kr',
  'replacement',
]);

/** Default encoding, which the HTML standard names for most locales. */
const FALLBACK = 'windows-1252';

/**
 * Decodes a page as a browser does (HTML standard, "encoding sniffing algorithm"): byte order mark, content type, `meta`
 * in the first 1,024 bytes, then UTF-8 where all bytes are valid for it, then windows-1252. Never throws.
 */
export function decodeHtml(bytes: Uint8Array, contentType: string | null): DecodedText {
  const marked = byteOrderMark(bytes);
  const encoding =
    marked ?? encodingOf(charsetParameter(contentType)) ?? metaEncoding(bytes) ?? (isUtf8(bytes) ? 'utf-8' : FALLBACK);
  if (encoding === 'replacement') return { text: bytes.length > 0 ? '\ufffd' : '', encoding };
  return { text: (decoderFor(encoding) ?? new TextDecoder(FALLBACK)).decode(bytes), encoding };
}

function byteOrderMark(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return null;
}

/** The name of the encoding that a label stands for; null where it stands for none. */
function encodingOf(label: string | null): string | null {
  if (label === null) return null;
  const plain = label.trim().toLowerCase();
  if (REPLACEMENT_LABELS.has(plain)) return 'replacement';
  return decoderFor(plain)?.encoding ?? null;
}

type DecoderLabel = ConstructorParameters<typeof TextDecoder>[0];

/** Labels of the standard are short ASCII; the runtime knows which of these mean something. */
function hasLabelShape(label: string): label is NonNullable<DecoderLabel> {
  return /^[a-z0-9._:+-]{2,24}$/.test(label);
}

function decoderFor(label: string): TextDecoder | null {
  if (!hasLabelShape(label)) return null;
  try {
    return new TextDecoder(label);
  } catch {
    return null;
  }
}

function metaEncoding(bytes: Uint8Array): string | null {
  const encoding = encodingOf(prescanMeta(bytes));
  // Who could read this as ASCII cannot be in UTF-16; the standard names both replacements.
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return 'utf-8';
  return encoding === 'x-user-defined' ? FALLBACK : encoding;
}

/** The first charset parameter of a content type (MIME Sniffing §4.4), quoted or not; null where there is none. */
function charsetParameter(contentType: string | null): string | null {
  const match = contentType === null ? null : /;\s*charset\s*=\s*(?:"([^"]{0,64})"|([^\s;"]{1,64}))/i.exec(contentType);
  return match?.[1] ?? match?.[2] ?? null;
}

/** Returns true if all bytes are UTF-8, a character cut by the end aside, and at least one is not ASCII. */
function isUtf8(bytes: Uint8Array): boolean {
  if (bytes.every((byte) => byte < 0x80)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
