import { exactText, MAX_TEXT, type PatternValue, type Value } from './script-value.ts';

/** Functions that decode a text, by their names; each may throw. */
export const TEXT_DECODERS: Readonly<Record<string, (text: string) => string>> = {
  atob,
  unescape: unescapeText,
  decodeURI,
  decodeURIComponent,
};

/** Functions that encode a text, by their names; each may throw. */
export const ENCODERS: Readonly<Record<string, (text: string) => string>> = {
  btoa,
  escape: escapeText,
  encodeURI,
  encodeURIComponent,
};

/** The legacy `unescape` (ECMAScript Annex B.2.1.2). */
function unescapeText(text: string): string {
  return text.replace(/%u([0-9a-f]{4})|%([0-9a-f]{2})/gi, (_, wide: string | undefined, narrow: string | undefined) =>
    String.fromCharCode(Number.parseInt(wide ?? narrow ?? '0', 16)),
  );
}

/** The legacy `escape` (ECMAScript Annex B.2.1.1). */
function escapeText(text: string): string {
  return text.replace(/[^\w@*+./-]/g, (character) => {
    const code = character.charCodeAt(0).toString(16).toUpperCase();
    return code.length > 2 ? `%u${code.padStart(4, '0')}` : `%${code.padStart(2, '0')}`;
  });
}

const MAX_PATTERN = 24;

/** A character, an escape or a class. */
const ATOM = String.raw`(?:\\(?:x[\da-f]{2}|u[\da-f]{4}|[^1-9kpPxu])|\[(?:\\.|[^\]\\])+\]|[^\\[\](){}*+?|])`;
const SEQUENCE = new RegExp(`^(?:${ATOM}|\\((?:\\?:)?|\\)){1,${MAX_PATTERN}}$`);
const REPEATED = new RegExp(`^\\(?${ATOM}(?:\\+|\\{(?:1,)?[1-4]\\})\\)?$`);

/**
 * Compiles a regular expression of a script if it is so simple that it takes time linear in the text; null for any
 * other. Allowed are sequences without repetition, and one repeated character or class by itself.
 */
export function simplePattern({ source, flags }: PatternValue): RegExp | null {
  if (source.length > MAX_PATTERN || !/^[gimsuy]{0,6}$/.test(flags)) return null;
  if (!SEQUENCE.test(source) && !REPEATED.test(source)) return null;
  try {
    return new RegExp(source, flags);
  } catch {
    return null;
  }
}

/** Budget of characters that methods may still read or make. */
export interface TextBudget {
  characters: number;
}

/** Maximum number of items of a list. */
export const MAX_LIST = 512 * 1024;

type TextMethod = (text: string, args: readonly Value[]) => Value;

const whole = (value: Value | undefined): number | undefined =>
  typeof value === 'number' ? Math.trunc(value) : undefined;

/** Methods of a text whose result is constant if all arguments are. */
const TEXT_METHODS: Readonly<Record<string, TextMethod>> = {
  charAt: (text, [at]) => text.charAt(whole(at) ?? 0),
  at: (text, [at]) => text.at(whole(at) ?? 0) ?? null,
  charCodeAt: (text, [at]) => numberOr(text.charCodeAt(whole(at) ?? 0)),
  codePointAt: (text, [at]) => text.codePointAt(whole(at) ?? 0) ?? null,
  slice: (text, [from, to]) => text.slice(whole(from), whole(to)),
  substring: (text, [from, to]) => text.substring(whole(from) ?? 0, whole(to)),
  substr: (text, [from, length]) => subText(text, whole(from) ?? 0, whole(length)),
  toLowerCase: (text) => text.toLowerCase(),
  toUpperCase: (text) => text.toUpperCase(),
  toLocaleLowerCase: (text) => text.toLowerCase(),
  toLocaleUpperCase: (text) => text.toUpperCase(),
  trim: (text) => text.trim(),
  trimStart: (text) => text.trimStart(),
  trimEnd: (text) => text.trimEnd(),
  toString: (text: string) => text,
  valueOf: (text: string) => text,
  normalize: (text) => (text.length > MAX_NORMALIZED ? null : text.normalize()),
  repeat: (text, [times]) => repeated(text, whole(times) ?? 0),
  indexOf: (text, [part]) => (typeof part === 'string' ? text.indexOf(part.slice(0, MAX_NEEDLE)) : null),
  replace: (text, [from, to]) => replaced(text, from, to, false),
  replaceAll: (text, [from, to]) => replaced(text, from, to, true),
};

const MAX_NORMALIZED = 4096;
const MAX_NEEDLE = 64;

/** Returns the result of a method of a text; null if it is unknown, or does not belong to texts. */
export function callTextMethod(text: string, name: string, args: readonly Value[], budget: TextBudget): Value {
  const method = Object.hasOwn(TEXT_METHODS, name) ? TEXT_METHODS[name] : undefined;
  if (method === undefined || !spend(budget, text.length)) return null;
  const result = method(
    text,
    args.map((arg) => exactTextOr(arg)),
  );
  return typeof result === 'string' && (result.length > MAX_TEXT || !spend(budget, result.length)) ? null : result;
}

/** Takes characters from the budget; false once it is used up. */
export function spend(budget: TextBudget, characters: number): boolean {
  budget.characters -= characters;
  return budget.characters >= 0;
}

function exactTextOr(value: Value): Value {
  return value !== null && typeof value === 'object' && value.kind === 'text' ? exactText(value) : value;
}

function numberOr(value: number): Value {
  return Number.isNaN(value) ? null : value;
}

function subText(text: string, from: number, length: number | undefined): string {
  const start = from < 0 ? Math.max(0, text.length + from) : from;
  return text.slice(start, length === undefined ? undefined : start + Math.max(0, length));
}

function repeated(text: string, times: number): Value {
  return times < 0 || text.length * times > MAX_TEXT || times > MAX_TEXT ? null : text.repeat(times);
}

/** Maximum length of a replacement that refers to what it replaces. */
const MAX_REFERRING = 16;

function replaced(text: string, from: Value | undefined, to: Value | undefined, everywhere: boolean): Value {
  const replacement = typeof to === 'number' ? String(to) : to;
  if (from === undefined || typeof replacement !== 'string' || /\$[`']/.test(replacement)) return null;
  const isReferring = replacement.includes('$');
  if (isReferring && replacement.length > MAX_REFERRING) return null;
  if (typeof from === 'string') {
    if (from.length > MAX_NEEDLE) return null;
    const times = everywhere ? text.length / Math.max(1, from.length) + 1 : 1;
    if (times * replacement.length * (isReferring ? MAX_NEEDLE : 1) > MAX_GROWTH) return null;
    return everywhere ? text.replaceAll(from, replacement) : text.replace(from, replacement);
  }
  const pattern = from !== null && typeof from === 'object' && from.kind === 'pattern' ? simplePattern(from) : null;
  if (pattern === null) return null;
  const times = pattern.global ? text.length + 1 : 1;
  if (times * replacement.length * (isReferring ? MAX_REFERRING : 1) > MAX_GROWTH) return null;
  return text.replace(pattern, replacement);
}

/** Maximum characters by which a replacement may make a text longer; the result is cut by {@link MAX_TEXT}. */
const MAX_GROWTH = 16 * MAX_TEXT;
