import { hexadecimalString, isSpace, literalString, regularCharacters, type Token } from './pdf-token.ts';
import type { PdfValue } from './pdf-value.ts';

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

const [LF, CR, OPEN, PERCENT, SLASH] = [0x0a, 0x0d, 0x28, 0x25, 0x2f] as const;
const [LESS, GREATER, BRACKET, END_BRACKET] = [0x3c, 0x3e, 0x5b, 0x5d] as const;

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
