/** UTF-16 by how a declaration begins in it (HTML standard, "xml encoding"). */
const WIDE = [
  { encoding: 'utf-16le', beginning: [0x3c, 0, 0x3f, 0, 0x78, 0] },
  { encoding: 'utf-16be', beginning: [0, 0x3c, 0, 0x3f, 0, 0x78] },
] as const;

const NARROW = [...'<?xml'].map((character) => character.charCodeAt(0));

/** Returns the label of the encoding that an XML declaration at the very start names; null if it names none. */
export function xmlDeclarationLabel(bytes: Uint8Array): string | null {
  const wide = WIDE.find(({ beginning }) => beginning.every((byte, i) => bytes[i] === byte));
  if (wide) return wide.encoding;
  if (!NARROW.every((byte, i) => bytes[i] === byte)) return null;
  const end = bytes.indexOf(0x3e);
  if (end === -1) return null;
  const declaration = new TextDecoder('windows-1252').decode(bytes.subarray(0, end));
  const match = /\sencoding\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(declaration);
  return match?.[1] ?? match?.[2] ?? null;
}

/** The part of an XML document before its root element. */
export interface XmlProlog {
  /** Index of the root element's tag. */
  readonly end: number;
  /** The internal subset of the document type; empty if there is none. */
  readonly subset: string;
  /** True if a style sheet makes another document of this one before a browser shows it (XSLT). */
  readonly isTransformed: boolean;
}

/** Types of style sheets for which Chromium transforms a document; it compares them as they are written. */
const TRANSFORMING = new Set([
  ...['text/xsl', 'text/xml', 'application/xml'],
  ...['application/xhtml+xml', 'application/rss+xml', 'application/atom+xml'],
]);

/** Reads the prolog of an XML document, in linear time. A prolog that does not end extends to the end of the text. */
export function readXmlProlog(text: string): XmlProlog {
  let subset = '';
  let isTransformed = false;
  let at = 0;
  const skip = (mark: string, from: number) => {
    const found = text.indexOf(mark, from);
    return found === -1 ? text.length : found + mark.length;
  };
  for (at = nextTag(text, at); at < text.length; at = nextTag(text, at)) {
    if (text.startsWith('<?', at)) {
      const end = skip('?>', at);
      isTransformed ||= TRANSFORMING.has(typeOfStyleSheet(text.slice(at, end)));
      at = end;
    } else if (text.startsWith('<!--', at)) {
      at = skip('-->', at + 4);
    } else if (text.startsWith('<!DOCTYPE', at)) {
      const from = endOfName(text, at);
      const end = endOfSubset(text, from);
      if (text.charAt(from) === '[') subset = text.slice(from + 1, end);
      at = skip('>', end);
    } else {
      break;
    }
  }
  return { end: at, subset, isTransformed };
}

function nextTag(text: string, from: number): number {
  const at = text.indexOf('<', from);
  return at === -1 ? text.length : at;
}

/** Returns the index of the `[` or `>` behind the name and identifiers of a document type. */
function endOfName(text: string, from: number): number {
  let at = from;
  while (at < text.length && !/[[>]/.test(text.charAt(at))) at = pastQuoted(text, at);
  return at;
}

/** Returns the index of the `]` of an internal subset, or that of the `>` if there is none. */
function endOfSubset(text: string, from: number): number {
  if (text.charAt(from) !== '[') return from;
  let at = from + 1;
  while (at < text.length && text.charAt(at) !== ']') {
    const comment = text.startsWith('<!--', at) ? text.indexOf('-->', at + 4) : null;
    if (comment === null) at = pastQuoted(text, at);
    else at = comment === -1 ? text.length : comment + 3;
  }
  return at;
}

/** Returns the index behind a character, or behind the literal that it begins. */
function pastQuoted(text: string, at: number): number {
  const quote = text.charAt(at);
  if (quote !== '"' && quote !== "'") return at + 1;
  const end = text.indexOf(quote, at + 1);
  return end === -1 ? text.length : end + 1;
}

/** Returns the type in an instruction that names a style sheet; empty if it is another instruction, or has no type. */
function typeOfStyleSheet(instruction: string): string {
  if (!/^<\?xml-stylesheet\s/.test(instruction)) return '';
  for (const [, name, double, single = ''] of instruction.matchAll(PSEUDO_ATTRIBUTE)) {
    if (name === 'type') return withoutReferences(double ?? single);
  }
  return '';
}

const PSEUDO_ATTRIBUTE = /\s([a-z]{1,16})\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** Pseudo-attributes may spell their characters by number. */
function withoutReferences(text: string): string {
  return text.replace(
    /&#(?:x([0-9a-f]{1,6})|(\d{1,7}));/gi,
    (_, hex: string | undefined, decimal: string | undefined) =>
      characterOf(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
  );
}

function characterOf(codePoint: number): string {
  return codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : '';
}
