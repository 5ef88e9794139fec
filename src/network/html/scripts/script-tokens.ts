import { skipComment, skipNumber, skipRegex, skipString, skipTemplate, skipWord } from './token-ends.ts';

/** Kinds of tokens; `end` is what lies behind the last one. */
export const TOKEN = { end: 0, word: 1, string: 2, template: 3, number: 4, regex: 5, mark: 6 } as const;

/** The tokens of a script, as columns. */
export interface ScriptTokens {
  readonly source: string;
  readonly count: number;
  readonly kinds: readonly number[];
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  /** For a mark such as `=>`, its {@link markCode}; 0 for other tokens. */
  readonly marks: readonly number[];
  /** For a bracket, the index of the other one; `count` for one that is not closed. For other tokens, 0. */
  readonly partners: readonly number[];
}

/** Packs the characters of a mark into a number, so that marks are compared without a text. */
export function markCode(mark: string): number {
  let code = 0;
  for (let at = 0; at < mark.length; at++) code = code * 128 + mark.charCodeAt(at);
  return code;
}

/** Marks of several characters, by length; the longest is taken. */
const LONG_MARKS: readonly (readonly [number, ReadonlySet<string>])[] = [
  [4, new Set(['>>>='])],
  [3, new Set(['===', '!==', '**=', '<<=', '>>=', '>>>', '...', '&&=', '||=', '??='])],
  [2, new Set('=> == != <= >= && || ?? ?. ++ -- += -= *= /= %= &= |= ^= << >> **'.split(' '))],
];

/** Words behind which a slash begins a regular expression. */
const BEFORE_REGEX = new Set(
  'return typeof case do else in of instanceof new void delete throw yield await'.split(' '),
);
const BEFORE_CONDITION = new Set(['if', 'while', 'for', 'with']);

interface Tokenizer {
  readonly source: string;
  readonly kinds: number[];
  readonly starts: number[];
  readonly ends: number[];
  readonly marks: number[];
  readonly partners: number[];
  /** Indexes of the brackets that are open; the beginning of a template for its `${`. */
  readonly open: number[];
  /** No regular expression begins before this position, since none ends on its line. */
  noRegexBefore: number;
}

/** Divides a script into tokens, as JavaScript does but for a slash, which is decided by the token before it. Linear. */
export function tokenizeScript(source: string): ScriptTokens {
  const lists = { kinds: [], starts: [], ends: [], marks: [], partners: [], open: [] };
  const tokenizer: Tokenizer = { source, ...lists, noRegexBefore: 0 };
  for (let at = 0; at < source.length; ) {
    const code = source.charCodeAt(at);
    if (isSpace(code)) at += 1;
    else at = skipComment(source, at, code) ?? readToken(tokenizer, at, code);
  }
  const { kinds, starts, ends, marks, partners, open } = tokenizer;
  const count = kinds.length;
  for (const index of open) partners[index] = count;
  return { source, count, kinds, starts, ends, marks, partners };
}

function isSpace(code: number): boolean {
  return code <= 0x20 || code === 0xa0 || code === 0xfeff || code === 0x2028 || code === 0x2029;
}

function readToken(tokenizer: Tokenizer, at: number, code: number): number {
  const { source } = tokenizer;
  if (isWordStart(code)) return push(tokenizer, TOKEN.word, at, skipWord(source, at));
  if (code === 0x22 || code === 0x27) return push(tokenizer, TOKEN.string, at, skipString(source, at));
  if (code === 0x60) return pushTemplate(tokenizer, at);
  const next = source.charCodeAt(at + 1);
  if (isDigit(code) || (code === 0x2e && isDigit(next)))
    return push(tokenizer, TOKEN.number, at, skipNumber(source, at));
  if (code === 0x2f && at >= tokenizer.noRegexBefore && allowsRegex(tokenizer)) {
    const { end, isWhole } = skipRegex(source, at);
    if (isWhole) return push(tokenizer, TOKEN.regex, at, end);
    tokenizer.noRegexBefore = end;
  }
  return pushMark(tokenizer, at, code);
}

/** Letters, `$`, `_`, `#`, a backslash, and everything outside ASCII. */
function isWordStart(code: number): boolean {
  if (code >= 0x80) return true;
  const letter = code | 0x20;
  return (letter >= 0x61 && letter <= 0x7a) || code === 0x5f || code === 0x24 || code === 0x5c || code === 0x23;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function push({ kinds, starts, ends, marks, partners }: Tokenizer, kind: number, start: number, end: number): number {
  kinds.push(kind);
  starts.push(start);
  ends.push(end);
  marks.push(0);
  partners.push(0);
  return end;
}

/** Reads a piece of a template up to its end or to the next `${`. */
function pushTemplate(tokenizer: Tokenizer, at: number): number {
  const { end, isOpen } = skipTemplate(tokenizer.source, at);
  if (isOpen) tokenizer.open.push(tokenizer.kinds.length);
  return push(tokenizer, TOKEN.template, at, end);
}

function pushMark(tokenizer: Tokenizer, at: number, code: number): number {
  const { source, open, kinds, partners, marks } = tokenizer;
  let partner = 0;
  if (code === 0x28 || code === 0x5b || code === 0x7b) open.push(kinds.length);
  if (code === 0x29 || code === 0x5d || code === 0x7d) {
    const opening = open.at(-1);
    if (opening !== undefined && closes(tokenizer, opening, code)) {
      open.pop();
      partners[opening] = kinds.length;
      if (kinds[opening] === TOKEN.template) return pushTemplate(tokenizer, at);
      partner = opening;
    }
  }
  const length = markLength(source, at, code);
  const index = kinds.length;
  push(tokenizer, TOKEN.mark, at, at + length);
  partners[index] = partner;
  marks[index] = length === 1 ? code : markCode(source.slice(at, at + length));
  return at + length;
}

/** Returns true if a bracket closes the one that was opened last; a wrong one closes nothing. */
function closes({ kinds, marks }: Tokenizer, opening: number, code: number): boolean {
  if (kinds[opening] === TOKEN.template) return code === 0x7d;
  const mark = marks[opening];
  return code === 0x29 ? mark === 0x28 : mark === code - 2;
}

/** Characters that never begin a longer mark. */
const SINGLE = new Set([...'(){}[];,:~'].map((mark) => mark.charCodeAt(0)));

function markLength(source: string, at: number, code: number): number {
  if (SINGLE.has(code)) return 1;
  for (const [length, marks] of LONG_MARKS) {
    if (!marks.has(source.slice(at, at + length))) continue;
    // `a?.5:b` is a conditional expression.
    return length === 2 && code === 0x3f && isDigit(source.charCodeAt(at + 2)) ? 1 : length;
  }
  return 1;
}

function allowsRegex({ source, kinds, starts, ends, marks, partners }: Tokenizer): boolean {
  const before = kinds.length - 1;
  const kind = kinds[before];
  if (kind === undefined) return true;
  if (kind === TOKEN.word) return BEFORE_REGEX.has(source.slice(starts[before], ends[before]));
  if (kind !== TOKEN.mark) return false;
  const mark = marks[before] ?? 0;
  if (mark === 0x5d) return false;
  if (mark !== 0x29) return mark !== INCREMENT && mark !== DECREMENT;
  const word = (partners[before] ?? 0) - 1;
  return kinds[word] === TOKEN.word && BEFORE_CONDITION.has(source.slice(starts[word], ends[word]));
}

const INCREMENT = markCode('++');
const DECREMENT = markCode('--');
