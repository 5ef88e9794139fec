import { type Unfiltered, unfiltered } from './pdf-filters.ts';
import {
  asDictionary,
  asNumber,
  asText,
  type PdfBudget,
  type PdfDictionary,
  type PdfValue,
  pdfSyntax,
} from './pdf-syntax.ts';

/** An object of a document: its value, and the bytes of its stream as they are in the file. */
export interface PdfObject {
  readonly value: PdfValue;
  /** Null if it is not a stream. */
  readonly packed: Uint8Array<ArrayBuffer> | null;
}

/** The objects of a document, found by their marks and not by its table, which may be missing, damaged or forged. */
export interface PdfDocument {
  /** All objects, including those that a later one replaces. */
  readonly objects: readonly PdfObject[];
  readonly isEncrypted: boolean;
  /** False once a limit was reached. */
  readonly isWhole: boolean;
  /** Bounds of reading its contents. */
  readonly budget: PdfBudget;
  /** Codes of fonts that may still be noted. */
  codes: number;
  /** Follows a reference; undefined if it leads nowhere. */
  resolve(value: PdfValue | undefined): PdfValue | undefined;
  /** Returns the object to which a reference leads. */
  objectAt(value: PdfValue | undefined): PdfObject | null;
  /** Decodes a stream up to the limits of one and of all. */
  decoded(object: PdfObject, maxBytes?: number): Promise<Unfiltered>;
}

/** Maximum number of objects, and of bytes that are unpacked of one stream of text or objects, and of all. */
const MAX_OBJECTS = 50_000;
const MAX_STREAM_BYTES = 4 * 1024 * 1024;
const MAX_TOTAL_BYTES = 48 * 1024 * 1024;

/** Bytes that are read as syntax: how often those of the file, on average, and how many more. */
const MAX_READINGS = 4;
const MORE_BYTES = 32 * 1024 * 1024;

/** Maximum number of values in all objects, which are kept, and in all contents; and of codes in all fonts. */
const MAX_VALUES = 600_000;
const MAX_CONTENT_VALUES = 6_000_000;
const MAX_CODES = 400_000;

const OBJECT = /(\d{1,10})[\s\0]{1,20}\d{1,5}[\s\0]{1,20}obj/g;

/** Opens a document. Never throws; hostile documents end at the limits. */
export async function openPdf(bytes: Uint8Array<ArrayBuffer>, isSpent: () => boolean): Promise<PdfDocument> {
  // Each byte is one character, whichever.
  const text = new TextDecoder('latin1').decode(bytes);
  const budget: PdfBudget = { bytes: MAX_READINGS * bytes.length + MORE_BYTES, values: MAX_VALUES, isSpent };
  const contentBudget: PdfBudget = { bytes: MORE_BYTES, values: MAX_CONTENT_VALUES, isSpent };
  const objects: PdfObject[] = [];
  const byNumber = new Map<number, PdfObject>();
  let isWhole = true;
  let unpacked = 0;
  const document: PdfDocument = {
    objects,
    // The strings of an encrypted document are no addresses.
    isEncrypted: /\/Encrypt\b/.test(text),
    budget: contentBudget,
    codes: MAX_CODES,
    get isWhole() {
      const isLeft = [budget, contentBudget].every((one) => one.bytes > 0 && one.values > 0);
      return isWhole && isLeft && document.codes > 0;
    },
    resolve: (value) => (isReference(value) ? byNumber.get(value.reference)?.value : value),
    objectAt: (value) => (isReference(value) ? (byNumber.get(value.reference) ?? null) : null),
    async decoded({ value, packed }, maxBytes = MAX_STREAM_BYTES) {
      const limit = Math.min(maxBytes, MAX_TOTAL_BYTES - unpacked);
      if (packed === null || limit <= 0) {
        isWhole &&= limit > 0;
        return { bytes: new Uint8Array(), left: null };
      }
      const content = await unfiltered(packed, asDictionary(value), document.resolve, limit);
      if (content.left === null && content.bytes !== packed) unpacked += content.bytes.length;
      if (content.bytes.length >= limit) isWhole = false;
      return content;
    },
  };
  if (document.isEncrypted) return document;
  for (const { 0: mark, 1: number, index } of text.matchAll(OBJECT)) {
    if (objects.length >= MAX_OBJECTS || budget.bytes <= 0 || budget.values <= 0 || isSpent()) {
      isWhole = false;
      break;
    }
    await add(Number(number), objectFrom(index + mark.length));
  }
  return document;

  function objectFrom(start: number): PdfObject {
    const syntax = pdfSyntax(bytes, start, bytes.length, budget);
    const value = syntax.next() ?? null;
    if (!(value instanceof Map) || asText(syntax.next()) !== 'stream') return { value, packed: null };
    const from = syntax.at + (bytes[syntax.at] === 0x0d ? 1 : 0);
    const begin = from + (bytes[from] === 0x0a ? 1 : 0);
    const end = begin + asNumber(value.get('Length'), -1);
    const isExact =
      end >= begin && text.startsWith('endstream', end + (/\s*/y.exec(text.slice(end, end + 3))?.[0].length ?? 0));
    return { value, packed: bytes.subarray(begin, isExact ? end : endOf(begin)) };
  }

  /** Returns the end of a stream, without the line end that belongs to its keyword. */
  function endOf(start: number): number {
    const found = text.indexOf('endstream', start);
    const end = found === -1 ? text.length : found;
    budget.bytes -= end - start;
    if (text.charAt(end - 1) !== '\n') return end;
    return end - (text.charAt(end - 2) === '\r' ? 2 : 1);
  }

  async function add(number: number, object: PdfObject): Promise<void> {
    objects.push(object);
    byNumber.set(number, object);
    const dictionary = asDictionary(object.value);
    if (asText(dictionary.get('Type')) !== 'ObjStm') return;
    const { bytes: inner } = await document.decoded(object);
    const first = asNumber(dictionary.get('First'));
    const head = pdfSyntax(inner, 0, first, budget);
    for (let at = head.next(); typeof at === 'number' && objects.length < MAX_OBJECTS; at = head.next()) {
      const offset = asNumber(head.next(), -1);
      if (offset < 0) break;
      const value = pdfSyntax(inner, first + offset, inner.length, budget).next() ?? null;
      objects.push({ value, packed: null });
      byNumber.set(at, { value, packed: null });
    }
  }
}

function isReference(value: PdfValue | undefined): value is { readonly reference: number } {
  return typeof value === 'object' && value !== null && 'reference' in value;
}

/** Returns the value of a key that a dictionary inherits (ISO 32000-1 §7.7.3.4); undefined if none of them has it. */
export function inherited(dictionary: PdfDictionary, key: string, { resolve }: PdfDocument): PdfValue | undefined {
  let one = dictionary;
  for (let depth = 0; depth < MAX_PARENTS; depth++) {
    const value = resolve(one.get(key));
    if (value !== undefined && value !== null) return value;
    one = asDictionary(resolve(one.get('Parent')));
  }
  return undefined;
}

const MAX_PARENTS = 30;
