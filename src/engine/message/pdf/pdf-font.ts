import GLYPHS from './glyph-names.json';
import type { PdfDocument } from './pdf-document.ts';
import { asArray, asDictionary, asNumber, asText, type PdfDictionary, type PdfValue, pdfSyntax } from './pdf-syntax.ts';

/** Text of a string in a font. */
export interface Glyphs {
  readonly text: string;
  /** Sum of the widths of the glyphs, in thousandths of the size, and their number. */
  readonly width: number;
  readonly count: number;
  readonly spaces: number;
  /** True if a glyph has no known character. */
  readonly isUnknown: boolean;
}

/** A font, which reads the strings that are shown in it. */
export type PdfFont = (string: string) => Glyphs;

/** Width of a glyph if the font does not state it: about that of a small letter. */
const USUAL_WIDTH = 520;

/** Encodings whose codes are those of Unicode (ISO 32000-1 §9.7.5.2). */
const UNICODE_ENCODING = /UCS2|UTF16/;

/** Reads a font (ISO 32000-1 §9.6 to §9.10). */
export async function pdfFont(font: PdfDictionary, document: PdfDocument): Promise<PdfFont> {
  const { resolve, objectAt, decoded } = document;
  const isComposite = asText(resolve(font.get('Subtype'))) === 'Type0';
  const encoding = resolve(font.get('Encoding'));
  const stream = objectAt(font.get('ToUnicode'));
  const map = stream?.packed ? toUnicode((await decoded(stream)).bytes, document) : null;
  const differences = differencesIn(asDictionary(encoding), document);
  const widths = isComposite ? compositeWidths(font, document) : simpleWidths(font, document);
  const isUnicode = UNICODE_ENCODING.test(asText(encoding));
  const size = isComposite ? 2 : 1;

  function textOf(code: number): string | undefined {
    const mapped = map?.get(code);
    if (mapped !== undefined && mapped !== '') return mapped;
    if (isComposite) return isUnicode ? String.fromCharCode(code) : undefined;
    return differences.get(code) ?? WINDOWS.decode(Uint8Array.of(code));
  }

  return (string) => {
    let [text, width, spaces, isUnknown] = ['', 0, 0, false];
    for (let at = 0; at < string.length; at += size) {
      const code = size === 1 ? string.charCodeAt(at) : 256 * string.charCodeAt(at) + string.charCodeAt(at + 1);
      const one = textOf(code);
      text += one ?? '\ufffd';
      isUnknown ||= one === undefined || one === '\ufffd';
      width += widths(code);
      if (size === 1 && code === 0x20) spaces++;
    }
    return { text, width, count: Math.ceil(string.length / size), spaces, isUnknown };
  };
}

const WINDOWS = new TextDecoder('windows-1252');

/** Returns the characters of the codes that an encoding changes (§9.6.6). */
function differencesIn(encoding: PdfDictionary, { resolve }: PdfDocument): ReadonlyMap<number, string> {
  const characters = new Map<number, string>();
  let code = 0;
  for (const one of asArray(resolve(encoding.get('Differences')))) {
    if (typeof one === 'number') code = one;
    else characters.set(code++, characterOf(asText(one)));
  }
  return characters;
}

/** Returns the character of a glyph by its name; a replacement character if the name is not known. */
function characterOf(glyph: string): string {
  const [name = ''] = glyph.split('.', 1);
  const known = (GLYPHS.entries as Readonly<Record<string, string>>)[name];
  if (known !== undefined) return known;
  const [, digits] = /^u(?:ni)?([0-9A-F]{4,5})$/.exec(name) ?? [];
  if (digits !== undefined) return String.fromCodePoint(Number.parseInt(digits, 16));
  // Letters name themselves; those with an accent have it behind them.
  return /^[A-Za-z](?:acute|grave|circumflex|dieresis|tilde|ring|cedilla|caron)?$/.test(name)
    ? name.charAt(0)
    : '\ufffd';
}

function simpleWidths(font: PdfDictionary, { resolve }: PdfDocument): (code: number) => number {
  const widths = asArray(resolve(font.get('Widths')));
  const first = asNumber(resolve(font.get('FirstChar')));
  // Fonts of one width are the exception among those that need not state it (§9.6.2.2).
  const usual = asText(resolve(font.get('BaseFont'))).includes('Courier') ? 600 : USUAL_WIDTH;
  return (code) => asNumber(resolve(widths[code - first]), usual);
}

/** Returns the widths of a composite font (§9.7.4.3): of single codes behind the first, or of a range. */
function compositeWidths(font: PdfDictionary, document: PdfDocument): (code: number) => number {
  const { resolve } = document;
  const [inner] = asArray(resolve(font.get('DescendantFonts')));
  const descendant = asDictionary(resolve(inner));
  const usual = asNumber(resolve(descendant.get('DW')), 1000);
  const known = new Map<number, number>();
  const values = asArray(resolve(descendant.get('W'))).map((one) => resolve(one));
  for (let at = 0; at + 1 < values.length && document.codes > 0; ) {
    const [first, second, third] = values.slice(at, at + 3);
    const start = asNumber(first);
    if (Array.isArray(second)) {
      document.codes -= second.length;
      for (const [offset, one] of second.entries()) known.set(start + offset, asNumber(one, usual));
      at += 2;
    } else {
      const end = asNumber(second);
      for (let code = start; code <= end && document.codes-- > 0; code++) known.set(code, asNumber(third, usual));
      at += 3;
    }
  }
  return (code) => known.get(code) ?? usual;
}

/** Reads the map of a font from codes to text (ISO 32000-1 §9.10.3). */
function toUnicode(bytes: Uint8Array, document: PdfDocument): ReadonlyMap<number, string> {
  const map = new Map<number, string>();
  const syntax = pdfSyntax(bytes, 0, bytes.length, document.budget);
  let values: PdfValue[] = [];
  for (let one = syntax.next(); one !== undefined && document.codes > 0; one = syntax.next()) {
    const operator = typeof one === 'object' && one !== null && 'operator' in one ? one.operator : null;
    if (operator === null) values.push(one);
    else {
      if (operator === 'endbfchar')
        for (let at = 0; at < values.length; at += 2) addRange(values[at], values[at], values[at + 1]);
      if (operator === 'endbfrange')
        for (let at = 0; at < values.length; at += 3) addRange(values[at], values[at + 1], values[at + 2]);
      values = [];
    }
  }
  return map;

  function addRange(from: PdfValue | undefined, to: PdfValue | undefined, target: PdfValue | undefined): void {
    const [low, high] = [codeOf(asText(from)), codeOf(asText(to))];
    for (let code = low; code <= high && document.codes-- > 0; code++) {
      if (Array.isArray(target)) map.set(code, utf16(asText(target[code - low] as PdfValue)));
      else map.set(code, following(utf16(asText(target)), code - low));
    }
  }
}

function codeOf(text: string): number {
  return [...text.slice(0, 4)].reduce((sum, one) => 256 * sum + one.charCodeAt(0), 0);
}

function utf16(text: string): string {
  return (text.slice(0, 40).match(/[\s\S]{2}/g) ?? [])
    .map((pair) => String.fromCharCode(256 * pair.charCodeAt(0) + pair.charCodeAt(1)))
    .join('');
}

/** Returns a text whose last character is so many further on. */
function following(text: string, count: number): string {
  return text.slice(0, -1) + String.fromCharCode(text.charCodeAt(text.length - 1) + count);
}
