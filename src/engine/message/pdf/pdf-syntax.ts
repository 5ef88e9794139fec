/** A piece of a document, and the offset behind it. */
interface Token {
  readonly text: string;
  readonly end: number;
}

/** Maximum length of a string, and of a name or an operator, in bytes. */
const MAX_STRING = 32_768;
const MAX_WORD = 200;

const [LF, CR, OPEN, CLOSE, BACKSLASH, GREATER] = [0x0a, 0x0d, 0x28, 0x29, 0x5c, 0x3e] as const;

/** Returns true for white space between objects (ISO 32000-1 §7.2.2). */
function isSpace(code: number | undefined): boolean {
  return code === 0x20 || code === LF || code === CR || code === 0x09 || code === 0x0c || code === 0;
}

function isDelimiter(code: number): boolean {
  return isSpace(code) || '()<>[]{}/%'.includes(String.fromCharCode(code));
}

/** Reads a literal string (§7.3.4.2), whose parentheses are in balance, from behind its first one. */
function literalString(bytes: Uint8Array, start: number, end: number): Token {
  const codes: number[] = [];
  let depth = 1;
  let at = start;
  for (; at < end && codes.length < MAX_STRING; at++) {
    const code = bytes[at] ?? 0;
    if (code === BACKSLASH) {
      const escaped = escapedCharacter(bytes, at + 1);
      if (escaped.text !== '') codes.push(escaped.text.charCodeAt(0));
      at = escaped.end - 1;
      continue;
    }
    if (code === OPEN) depth++;
    if (code === CLOSE && --depth === 0) break;
    codes.push(code);
  }
  return { text: String.fromCharCode(...codes), end: at + 1 };
}

const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** Reads what follows a backslash: three octal digits, the end of a line, or one character. */
function escapedCharacter(bytes: Uint8Array, at: number): Token {
  const [octal] = /^[0-7]{1,3}/.exec(String.fromCharCode(...bytes.subarray(at, at + 3))) ?? [];
  if (octal !== undefined)
    return { text: String.fromCharCode(Number.parseInt(octal, 8) & 0xff), end: at + octal.length };
  const code = bytes[at] ?? 0;
  if (code === CR || code === LF) return { text: '', end: at + (code === CR && bytes[at + 1] === LF ? 2 : 1) };
  const character = String.fromCharCode(code);
  return { text: CONTROLS[character] ?? character, end: at + 1 };
}

/** Reads a string of hexadecimal digits (§7.3.4.3) from behind its `<`; a last digit alone is followed by a zero. */
function hexadecimalString(bytes: Uint8Array, start: number, end: number): Token {
  const codes: number[] = [];
  let count = 0;
  let at = start;
  for (; at < end && bytes[at] !== GREATER && count < MAX_STRING; at++) {
    const digit = Number.parseInt(String.fromCharCode(bytes[at] ?? 0), 16);
    if (Number.isNaN(digit)) continue;
    codes[count >> 1] = count % 2 === 0 ? 16 * digit : (codes[count >> 1] ?? 0) + digit;
    count++;
  }
  return { text: String.fromCharCode(...codes), end: at + 1 };
}

/** Reads the characters up to the next delimiter; the text is cut if it is too long for a name. */
function regularCharacters(bytes: Uint8Array, start: number, end: number): Token {
  let at = start;
  while (at < end && at - start < MAX_STRING && !isDelimiter(bytes[at] ?? 0)) at++;
  return { text: String.fromCharCode(...bytes.subarray(start, Math.min(at, start + MAX_WORD))), end: at };
}

/** An object of a PDF document (ISO 32000-1 §7.3), or an operator of a content stream. */
export type PdfValue =
  | number
  | boolean
  | null
  | { readonly name: string }
  | { readonly string: string }
  | { readonly reference: number }
  | { readonly operator: string }
  | readonly PdfValue[]
  | PdfDictionary;

/** A dictionary by the names of its entries. */
export type PdfDictionary = ReadonlyMap<string, PdfValue>;

/** Returns a dictionary as such; an empty one for any other value. */
export function asDictionary(value: PdfValue | undefined): PdfDictionary {
  return value instanceof Map ? value : EMPTY;
}

const EMPTY: PdfDictionary = new Map();

/** Returns the values of an array, and any other value as the only one of its kind; empty for null. */
export function asArray(value: PdfValue | undefined): readonly PdfValue[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value as PdfValue];
}

/** Returns the text of a name, a string or an operator; empty for any other value. */
export function asText(value: PdfValue | undefined): string {
  if (typeof value !== 'object' || value === null) return '';
  if ('name' in value) return value.name;
  if ('string' in value) return value.string;
  return 'operator' in value ? value.operator : '';
}

/** Returns a number; the default for any other value. */
export function asNumber(value: PdfValue | undefined, otherwise = 0): number {
  return typeof value === 'number' ? value : otherwise;
}

/** Reads the objects of a part of a document one after the other. */
export interface PdfSyntax {
  /** Offset of the next byte. */
  at: number;
  /** Returns the next object or operator; undefined at the end, or once the budget is spent. */
  next(): PdfValue | undefined;
}

/** Bounds of reading a document. */
export interface PdfBudget {
  /** Bytes that may still be read, however often; strings count several times, since they are kept. */
  bytes: number;
  /** Objects and operators that may still be read. */
  values: number;
  readonly isSpent: () => boolean;
}

/** How often the bytes of a string count. */
const STRING_COST = 4;

/** Number of values after which the budget of time is polled. */
const VALUES_PER_POLL = 256;

/** Maximum nesting of arrays and dictionaries. */
const MAX_DEPTH = 40;

const END_OF_ARRAY = { operator: ']' } as const;
const END_OF_DICTIONARY = { operator: '>>' } as const;

const [PERCENT, SLASH] = [0x25, 0x2f] as const;
const [LESS, BRACKET, END_BRACKET] = [0x3c, 0x5b, 0x5d] as const;

/** Creates a reader of the bytes from an offset to an end. Never throws; runs in linear time within the budget. */
export function pdfSyntax(bytes: Uint8Array, start: number, end: number, budget: PdfBudget): PdfSyntax {
  const syntax: PdfSyntax = { at: start, next: () => value(0) };
  return syntax;

  function value(depth: number): PdfValue | undefined {
    skipSpace();
    if (--budget.values % VALUES_PER_POLL === 0 && budget.isSpent()) budget.values = 0;
    const { at } = syntax;
    if (at >= end || budget.bytes <= 0 || budget.values <= 0) return undefined;
    const code = bytes[at];
    const isDouble = bytes[at + 1] === code;
    if (code === OPEN) return stringValue(literalString(bytes, at + 1, end));
    if (code === SLASH) return { name: unescaped(taken(regularCharacters(bytes, at + 1, end))) };
    if (code === LESS && !isDouble) return stringValue(hexadecimalString(bytes, at + 1, end));
    if (code === LESS) return dictionary(depth);
    if (code === BRACKET) return array(depth);
    if (code === GREATER && isDouble) return moved(2, END_OF_DICTIONARY);
    if (code === END_BRACKET) return moved(1, END_OF_ARRAY);
    const word = regularCharacters(bytes, at, end);
    // A delimiter that begins nothing here.
    return word.end === at ? moved(1, { operator: '' }) : wordValue(taken(word));
  }

  function stringValue(token: Token): PdfValue {
    budget.bytes -= STRING_COST * token.text.length;
    return { string: taken(token) };
  }

  function taken({ text, end: behind }: Token): string {
    return moved(behind - syntax.at, text);
  }

  function moved<T>(length: number, result: T): T {
    syntax.at += length;
    budget.bytes -= length;
    return result;
  }

  function skipSpace(): void {
    let { at } = syntax;
    for (; at < end; at++) {
      if (bytes[at] === PERCENT) while (at < end && bytes[at] !== LF && bytes[at] !== CR) at++;
      else if (!isSpace(bytes[at])) break;
    }
    moved(at - syntax.at, null);
  }

  /** Reads what is in a container; references replace the two numbers before their operator. */
  function contents(mark: PdfValue, depth: number): PdfValue[] {
    const values: PdfValue[] = [];
    for (let one = value(depth); one !== undefined && one !== mark; one = value(depth)) {
      const [number, generation] = [values.at(-2), values.at(-1)];
      const isReference = typeof one === 'object' && one !== null && 'operator' in one && one.operator === 'R';
      if (isReference && typeof number === 'number' && typeof generation === 'number')
        values.splice(-2, 2, { reference: number });
      else values.push(one);
    }
    return values;
  }

  function array(depth: number): PdfValue {
    moved(1, null);
    return depth >= MAX_DEPTH ? null : contents(END_OF_ARRAY, depth + 1);
  }

  function dictionary(depth: number): PdfValue {
    moved(2, null);
    const entries = new Map<string, PdfValue>();
    const values = depth >= MAX_DEPTH ? [] : contents(END_OF_DICTIONARY, depth + 1);
    for (let at = 0; at < values.length; at++) {
      const key = values[at];
      if (typeof key === 'object' && key !== null && 'name' in key) entries.set(key.name, values[++at] ?? null);
    }
    return entries;
  }
}

/** Returns a name whose characters may be written with escapes (§7.3.5). */
function unescaped(name: string): string {
  return name.replace(/#([0-9a-f]{2})/gi, (_, pair: string) => String.fromCharCode(Number.parseInt(pair, 16)));
}

function wordValue(text: string): PdfValue {
  if (/^[+-]{0,2}(?:\d{1,20}\.?\d{0,20}|\.\d{1,20})$/.test(text)) return Number(text.replace(/^[+-](?=[+-])/, ''));
  if (text === 'true' || text === 'false') return text === 'true';
  return text === 'null' ? null : { operator: text };
}
