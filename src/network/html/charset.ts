import { prescanMeta } from './charset-prescan.ts';
import { xmlDeclarationLabel } from './xml/xml-declaration.ts';

/** Bytes as text, and the encoding that was used. */
export interface DecodedText {
  readonly text: string;
  /** Lower-case name by the Encoding standard. */
  readonly encoding: string;
}

/** Syntax of a page: in XML, no `meta` element declares an encoding. */
export type PageSyntax = 'html' | 'xml';

/** Labels of encodings that are never decoded, because scripts hide in them (Encoding standard §4.2, `replacement`). */
const REPLACEMENT_LABELS = new Set([
  'csiso2022kr',
  'hz-gb-2312',
  'iso-2022-cn',
  'iso-2022-cn-ext',
  'iso-2022-kr',
  'replacement',
]);

/** Bytes in which a declaration is searched that a browser does not use. */
const NEAR_BYTES = 1024;

/** Default encoding of HTML, which the HTML standard names for most locales. */
const FALLBACK = 'windows-1252';

/** The only encoding of the web in which bytes of markup may be letters: escape sequences switch between both. */
const SHIFTING = 'iso-2022-jp';

/** Decodes a page as Chromium does. Never throws. */
export function decodeHtml(bytes: Uint8Array, contentType: string | null, syntax: PageSyntax = 'html'): DecodedText {
  const [encoding] = encodingsOf(bytes, contentType, syntax);
  return decodeAs(bytes, encoding);
}

/**
 * Returns the text of a page as Chromium decodes it, and a second one if another declaration disagrees, or if escape
 * sequences make letters of markup in one encoding only.
 */
export function decodeReadings(bytes: Uint8Array, contentType: string | null, syntax: PageSyntax): DecodedText[] {
  const isShifted = hasEscapeSequence(bytes);
  if (!isShifted && outsideEncodings(bytes, contentType)[0] === 'utf-8') {
    // Bytes that are valid UTF-8 throughout are nothing else by accident.
    const text = decodeAs(bytes, 'utf-8');
    if (!text.text.includes('\ufffd')) return [text];
  }
  const [encoding, ...declared] = encodingsOf(bytes, contentType, syntax);
  const first = decodeAs(bytes, encoding);
  const others = isShifted ? [SHIFTING, ...declared, defaultEncoding(bytes, syntax)] : declared;
  for (const other of new Set(others)) {
    const second = other === encoding ? first : decodeAs(bytes, other);
    if (second.text !== first.text) return [first, second];
  }
  return [first];
}

function decodeAs(bytes: Uint8Array, encoding: string): DecodedText {
  if (encoding === 'replacement') return { text: bytes.length > 0 ? '\ufffd' : '', encoding };
  return { text: (decoderFor(encoding) ?? new TextDecoder(FALLBACK)).decode(bytes), encoding };
}

/**
 * Returns the declared encodings, the one that a browser uses first: byte order mark, content type, `meta` in the head,
 * XML declaration. Without any, the default: UTF-8 in XML and if all bytes are valid for it, else windows-1252.
 */
function encodingsOf(bytes: Uint8Array, contentType: string | null, syntax: PageSyntax): [string, ...string[]] {
  const outside = outsideEncodings(bytes, contentType);
  // Browsers search only the beginning for a declaration.
  const metas = syntax === 'html' ? prescanMeta(outside.length > 0 ? bytes.subarray(0, NEAR_BYTES) : bytes) : [];
  const inPage = [...metas, xmlDeclarationLabel(bytes)];
  const [first, ...others] = [outside, inPage.map((label) => encodingInPage(bytes, label) ?? [])].flat(2);
  return [first ?? defaultEncoding(bytes, syntax), ...others];
}

/** Returns the encodings that are declared outside the markup: byte order mark and content type. */
function outsideEncodings(bytes: Uint8Array, contentType: string | null): string[] {
  return [byteOrderMark(bytes) ?? [], encodingOf(charsetParameter(contentType)) ?? []].flat();
}

function defaultEncoding(bytes: Uint8Array, syntax: PageSyntax): string {
  return syntax === 'xml' || isUtf8(bytes) ? 'utf-8' : FALLBACK;
}

function byteOrderMark(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return null;
}

/** Returns the encoding of a label; null if there is none. */
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

/** The encoding of a label within the page. */
function encodingInPage(bytes: Uint8Array, label: string | null): string | null {
  const encoding = encodingOf(label);
  const isWide = encoding === 'utf-16le' || encoding === 'utf-16be';
  // Who could read this as ASCII cannot be in UTF-16; the standard names both replacements.
  if (isWide && bytes[0] !== 0 && bytes[1] !== 0) return 'utf-8';
  return encoding === 'x-user-defined' ? FALLBACK : encoding;
}

/** The first charset parameter of a content type (MIME Sniffing §4.4), quoted or not; null if there is none. */
function charsetParameter(contentType: string | null): string | null {
  const match = contentType === null ? null : /;\s*charset\s*=\s*(?:"([^"]{0,64})"|([^\s;"]{1,64}))/i.exec(contentType);
  return match?.[1] ?? match?.[2] ?? null;
}

/** Returns true if the bytes hold an escape sequence of ISO 2022. */
function hasEscapeSequence(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(0x1b); at !== -1; at = bytes.indexOf(0x1b, at + 1)) {
    if (bytes[at + 1] === 0x24 || bytes[at + 1] === 0x28) return true;
  }
  return false;
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
