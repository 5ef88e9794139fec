import { findScriptEnd } from './scripts/tokens/token-ends.ts';
import { xmlDeclarationLabel } from './xml/xml-prolog.ts';

interface Tag {
  readonly name: string;
  readonly isEnd: boolean;
  readonly attributes: ReadonlyMap<string, string>;
  readonly end: number;
}

/** Number of bytes that Chromium always scans; it goes on for as long as the head lasts. */
const LEAST_BYTES = 1024;

/** Scanned first, because few heads are longer. */
const FIRST_WINDOW_BYTES = 16 * 1024;

/** Elements that do not end the head for Chromium's scan, as start and as end tags. */
const OF_HEAD = new Set('script noscript style link meta object title base'.split(' '));
/** Elements whose start tag does not end the head either. */
const ROOTS = new Set(['html', 'head']);
/** Elements whose content is text. */
const RAW = new Set('script style title textarea xmp iframe noembed noframes noscript'.split(' '));

/**
 * Returns the labels of encodings that `meta` elements at the start of a page declare, in order. Scans as Chromium does,
 * to the end of the head and at least 1,024 bytes. Comments and the text of scripts, styles and titles are skipped.
 */
function prescanMeta(bytes: Uint8Array): readonly string[] {
  const first = scan(bytes.subarray(0, FIRST_WINDOW_BYTES));
  return first.isOver || bytes.length <= FIRST_WINDOW_BYTES ? first.labels : scan(bytes).labels;
}

/** `isOver` is false if the head goes on behind the end of the bytes. */
function scan(bytes: Uint8Array): { labels: readonly string[]; isOver: boolean } {
  const text = new TextDecoder('windows-1252').decode(bytes).toLowerCase();
  const labels: string[] = [];
  let isInHead = true;
  for (let at = nextMark(text, 0); at < text.length; at = nextMark(text, at)) {
    if (!isInHead && at >= LEAST_BYTES) return { labels, isOver: true };
    const tag = readTag(text, at);
    if (tag === null) break;
    const { name, isEnd } = tag;
    const label = name === 'meta' && !isEnd ? metaLabel(tag.attributes) : null;
    if (label !== null) labels.push(label);
    if (!OF_HEAD.has(name) && (isEnd || !ROOTS.has(name))) isInHead = false;
    at = isEnd || !RAW.has(name) ? tag.end : endOfRawText(text, name, tag.end);
  }
  return { labels, isOver: false };
}

/** Returns the index of the next tag; comments and declarations are skipped. The length of the text if there is none. */
function nextMark(text: string, from: number): number {
  let at = text.indexOf('<', from);
  while (at !== -1 && !/^<\/?[a-z]/.test(text.slice(at, at + 3))) {
    const comment = text.startsWith('<!--', at) ? text.indexOf('-->', at + 2) : null;
    const declaration = /^<[!/?]/.test(text.slice(at, at + 2)) ? text.indexOf('>', at) : at;
    const end = comment ?? declaration;
    at = end === -1 ? -1 : text.indexOf('<', end + 1);
  }
  return at === -1 ? text.length : at;
}

function endOfRawText(text: string, name: string, from: number): number {
  if (name === 'script') return findScriptEnd(text, from);
  const end = new RegExp(`</${name}(?=[\\t\\n\\f\\r />])`, 'g');
  end.lastIndex = from;
  return end.exec(text)?.index ?? text.length;
}

/** Null if the tag does not end within the text. */
function readTag(text: string, start: number): Tag | null {
  const isEnd = text.charAt(start + 1) === '/';
  const nameStart = start + (isEnd ? 2 : 1);
  let at = nameStart;
  while (at < text.length && !/[\t\n\f\r />]/.test(text.charAt(at))) at++;
  const name = text.slice(nameStart, at);
  const attributes = new Map<string, string>();
  for (let next = readAttribute(text, at); next; next = readAttribute(text, at)) {
    if (!attributes.has(next.name)) attributes.set(next.name, next.value);
    at = next.end;
  }
  const close = text.indexOf('>', at);
  // What is left before the end is a value whose quote is not closed.
  const isOpen = close === -1 || /[^\t\n\f\r /]/.test(text.slice(at, close));
  return isOpen ? null : { name, isEnd, attributes, end: close + 1 };
}

function metaLabel(attributes: ReadonlyMap<string, string>): string | null {
  const charset = attributes.get('charset');
  if (charset !== undefined) return charset;
  if (attributes.get('http-equiv') !== 'content-type') return null;
  const match = /charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r ;"']+))/.exec(
    attributes.get('content') ?? '',
  );
  return match?.[1] ?? match?.[2] ?? match?.[3] ?? null;
}

interface Attribute {
  readonly name: string;
  readonly value: string;
  readonly end: number;
}

function readAttribute(text: string, from: number): Attribute | null {
  let at = from;
  while (at < text.length && /[\t\n\f\r /]/.test(text.charAt(at))) at++;
  if (at >= text.length || text.charAt(at) === '>') return null;
  const nameStart = at;
  at += 1;
  while (at < text.length && !/[\t\n\f\r />=]/.test(text.charAt(at))) at++;
  const name = text.slice(nameStart, at);
  while (at < text.length && /[\t\n\f\r ]/.test(text.charAt(at))) at++;
  if (text.charAt(at) !== '=') return { name, value: '', end: at };
  at += 1;
  while (at < text.length && /[\t\n\f\r ]/.test(text.charAt(at))) at++;
  const quote = text.charAt(at);
  if (quote === '"' || quote === "'") {
    const end = text.indexOf(quote, at + 1);
    return end === -1 ? null : { name, value: text.slice(at + 1, end), end: end + 1 };
  }
  const valueStart = at;
  while (at < text.length && !/[\t\n\f\r >]/.test(text.charAt(at))) at++;
  return { name, value: text.slice(valueStart, at), end: at };
}

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
