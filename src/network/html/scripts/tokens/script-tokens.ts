import { ACTING_WORDS, HOST_NAMES, KEYWORDS } from '../page-names.ts';
import {
  readNames,
  skipComment,
  skipNumber,
  skipRegex,
  skipString,
  skipTemplate,
  skipWord,
  unescapeLiteral,
} from './token-ends.ts';

/** Kinds of tokens; `end` comes after the last one. */
export const TOKEN = { end: 0, word: 1, string: 2, template: 3, number: 4, regex: 5, mark: 6 } as const;

/** The tokens of a script, as columns. */
export interface ScriptTokens {
  readonly source: string;
  readonly count: number;
  readonly kinds: Uint8Array;
  readonly starts: Int32Array;
  /** Ends in the source; for a word, its index in `words`. */
  readonly ends: Int32Array;
  /** For a mark such as `=>`, its {@link markCode}; for a keyword, its {@link WORD}; 0 for other tokens. */
  readonly marks: Int32Array;
  /** Names and keywords, in their order. */
  readonly words: readonly string[];
  /** Indexes of the words that do something to the page. */
  readonly acting: readonly number[];
  /** For a bracket, the index of the other one; `count` for one that is not closed. For other tokens, 0. */
  readonly partners: Int32Array;
}

/** Keywords as negative numbers, which no mark has. */
export const WORD: Readonly<Record<string, number>> = Object.fromEntries(KEYWORDS.map((word, i) => [word, -1 - i]));
const WORD_CODES: ReadonlyMap<string, number> = new Map([
  ...ACTING_WORDS.map((word) => [word, 1] as const),
  ...Object.entries(WORD),
]);

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
  count: number;
  kinds: Uint8Array;
  starts: Int32Array;
  ends: Int32Array;
  marks: Int32Array;
  partners: Int32Array;
  readonly words: string[];
  readonly nameAt: (start: number, length: number) => string;
  readonly acting: number[];
  /** Indexes of the brackets that are open; the beginning of a template for its `${`. */
  readonly open: number[];
  /** No regular expression begins before this position, since none ends on its line. */
  noRegexBefore: number;
  /** The first backslash from some earlier token on. */
  backslash: number;
}

/** Characters per token of usual scripts, and tokens for which there is room at first. */
const USUAL_CHARACTERS = 4;
const MIN_TOKENS = 16;

/** Divides a script into tokens, as JavaScript does but for a slash, which is decided by the token before it. Linear. */
export function tokenizeScript(source: string): ScriptTokens {
  const tokenizer = createTokenizer(source);
  for (let at = 0; at < source.length; ) {
    const code = source.charCodeAt(at);
    if (isSpace(code)) at += 1;
    else at = skipComment(source, at, code) ?? readToken(tokenizer, at, code);
  }
  for (const index of tokenizer.open) tokenizer.partners[index] = tokenizer.count;
  // What lies behind the last token has no kind and no mark.
  tokenizer.kinds[tokenizer.count] = TOKEN.end;
  tokenizer.marks[tokenizer.count] = 0;
  return tokenizer;
}

function createTokenizer(source: string): Tokenizer {
  const size = Math.ceil(source.length / USUAL_CHARACTERS) + MIN_TOKENS;
  return {
    source,
    count: 0,
    kinds: new Uint8Array(size),
    starts: new Int32Array(size),
    ends: new Int32Array(size),
    marks: new Int32Array(size),
    partners: new Int32Array(size),
    words: [],
    nameAt: readNames(source, false),
    acting: [],
    open: [],
    noRegexBefore: 0,
    backslash: -1,
  };
}

/** Doubles the room for tokens. */
function grow(tokenizer: Tokenizer): void {
  for (const column of ['starts', 'ends', 'marks', 'partners'] as const) {
    const larger = new Int32Array(2 * tokenizer[column].length);
    larger.set(tokenizer[column]);
    tokenizer[column] = larger;
  }
  const kinds = new Uint8Array(2 * tokenizer.kinds.length);
  kinds.set(tokenizer.kinds);
  tokenizer.kinds = kinds;
}

function isSpace(code: number): boolean {
  return code <= 0x20 || code === 0xa0 || code === 0xfeff || code === 0x2028 || code === 0x2029;
}

function readToken(tokenizer: Tokenizer, at: number, code: number): number {
  const { source } = tokenizer;
  if (isWordStart(code)) return pushWord(tokenizer, at);
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

function push(tokenizer: Tokenizer, kind: number, start: number, end: number): number {
  const index = tokenizer.count;
  if (index + 1 >= tokenizer.kinds.length) grow(tokenizer);
  tokenizer.kinds[index] = kind;
  tokenizer.starts[index] = start;
  tokenizer.ends[index] = end;
  tokenizer.count = index + 1;
  return end;
}

function pushWord(tokenizer: Tokenizer, at: number): number {
  const { source, words, count, nameAt } = tokenizer;
  const end = skipWord(source, at);
  const written = nameAt(at, end - at);
  const word = hasEscape(tokenizer, at, end) ? unescapeLiteral(written) : written;
  push(tokenizer, TOKEN.word, at, words.length);
  words.push(word);
  const code = WORD_CODES.get(word) ?? 0;
  if (code > 0) tokenizer.acting.push(count);
  else tokenizer.marks[count] = code;
  return end;
}

function hasEscape(tokenizer: Tokenizer, start: number, end: number): boolean {
  if (tokenizer.backslash < start) {
    const next = tokenizer.source.indexOf('\\', start);
    tokenizer.backslash = next === -1 ? tokenizer.source.length : next;
  }
  return tokenizer.backslash < end;
}

/** Reads a piece of a template up to its end or to the next `${`. */
function pushTemplate(tokenizer: Tokenizer, at: number): number {
  const { end, isOpen } = skipTemplate(tokenizer.source, at);
  if (isOpen) tokenizer.open.push(tokenizer.count);
  return push(tokenizer, TOKEN.template, at, end);
}

function pushMark(tokenizer: Tokenizer, at: number, code: number): number {
  const { source, open, kinds, count } = tokenizer;
  let partner = 0;
  if (code === 0x28 || code === 0x5b || code === 0x7b) open.push(count);
  if (code === 0x29 || code === 0x5d || code === 0x7d) {
    const opening = open.at(-1);
    if (opening !== undefined && closes(tokenizer, opening, code)) {
      open.pop();
      tokenizer.partners[opening] = count;
      if (kinds[opening] === TOKEN.template) return pushTemplate(tokenizer, at);
      partner = opening;
    }
  }
  const length = markLength(source, at, code);
  push(tokenizer, TOKEN.mark, at, at + length);
  tokenizer.partners[count] = partner;
  tokenizer.marks[count] = length === 1 ? code : markCode(source.slice(at, at + length));
  if (code === 0x5b && isMember(tokenizer, count)) tokenizer.acting.push(count);
  return at + length;
}

/** Returns true if a bracket encloses a name in quotes, as in `window["loc" + "ation"]`, or any member of the window. */
function isMember({ source, kinds, marks, ends, words }: Tokenizer, index: number): boolean {
  const before = index - 1;
  const isWord = kinds[before] === TOKEN.word;
  if (isWord && HOSTS.has(words[ends[before] ?? 0] ?? '')) return true;
  const quote = source.charCodeAt(ends[index] ?? 0);
  if (quote !== 0x22 && quote !== 0x27 && quote !== 0x60) return false;
  return isWord || marks[before] === 0x5d || marks[before] === 0x29;
}

const HOSTS: ReadonlySet<string> = new Set(HOST_NAMES);

/** Returns true if a bracket closes the one that was opened last; a wrong one closes nothing. */
function closes({ kinds, marks }: Tokenizer, opening: number, code: number): boolean {
  if (kinds[opening] === TOKEN.template) return code === 0x7d;
  const mark = marks[opening];
  return code === 0x29 ? mark === 0x28 : mark === code - 2;
}

/** By character code, 1 for those of which longer marks consist. */
const LONG = new Uint8Array(128);
for (const [, marks] of LONG_MARKS)
  for (const mark of marks) for (const character of mark) LONG[character.charCodeAt(0)] = 1;

function markLength(source: string, at: number, code: number): number {
  const next = source.charCodeAt(at + 1);
  if (!LONG[code] || !LONG[next]) return 1;
  for (const [length, marks] of LONG_MARKS) {
    if (!marks.has(source.slice(at, at + length))) continue;
    // `a?.5:b` is a conditional expression.
    return code === 0x3f && next === 0x2e && isDigit(source.charCodeAt(at + 2)) ? 1 : length;
  }
  return 1;
}

function allowsRegex({ count, kinds, ends, marks, words, partners }: Tokenizer): boolean {
  if (count === 0) return true;
  const before = count - 1;
  const kind = kinds[before];
  if (kind === TOKEN.word) return BEFORE_REGEX.has(words[ends[before] ?? 0] ?? '');
  if (kind !== TOKEN.mark) return false;
  const mark = marks[before] ?? 0;
  if (mark === 0x5d) return false;
  if (mark !== 0x29) return mark !== INCREMENT && mark !== DECREMENT;
  const word = (partners[before] ?? 0) - 1;
  return kinds[word] === TOKEN.word && BEFORE_CONDITION.has(words[ends[word] ?? 0] ?? '');
}

const INCREMENT = markCode('++');
const DECREMENT = markCode('--');
