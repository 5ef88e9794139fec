import { refang, WRITTEN_SCHEME } from '#src/core/url/defang.ts';
import { columnEnd, readUrl } from '#src/core/url/read-url.ts';
import { isBareAddress, isMeantHost, isNamedHost, type WordPlace } from './hosts-in-text.ts';

/** A scheme in any notation, or the `www` that stands for one. */
const BEGINNING = new RegExp(`${WRITTEN_SCHEME}|(?<![\\p{L}\\p{N}_.-])www[.[(]`, 'giu');

/** Characters after which a link is part of the one before: `?to=https://…`, `/https://…`. */
const CONTAINS_LINK = /[/\\?=&:#%@+~$_-]/;

const DEFANGED_DOT = /[[({](?:\.|d[o0]t|punkt|point|punto|ponto)[\])}]|\[\.|\.\]/i;

/** A URL that is the value of a parameter. */
const ENCODED = /https?%3a%2f%2f[^\s"'<>&|]{1,8192}/i;

/** Letters of scripts that put no space around an address. */
const WITHOUT_SPACES =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Khmr}\p{scx=Laoo}\p{scx=Mymr}]+/u;

/** Maximum length of a URL that is checked, in UTF-16 code units. */
const MAX_LINK_CHARACTERS = 8200;

/** Position of a word on its line, which decides on a host without a scheme. */
interface WordContext {
  readonly place: WordPlace;
  /** The word in front of it. */
  readonly before: string;
}

const AMONG_WORDS: WordContext = { place: 'text', before: '' };

/** Returns the links in a word, a text without white space. */
export function linksInWord(word: string, context: WordContext = AMONG_WORDS): string[] {
  const starts = beginnings(word);
  const [first = word.length] = starts;
  const pieces = starts.map((start, at) => untilDelimiter(word.slice(start, starts[at + 1]), word.charAt(start - 1)));
  return [...bareLinks(word.slice(0, first), context), ...pieces.flatMap(linksAtBeginning)];
}

function beginnings(word: string): number[] {
  const starts: number[] = [];
  // Few words hold any of these, and the expression takes its time.
  if (!/[:w[({<]/i.test(word)) return starts;
  for (const { index } of word.matchAll(BEGINNING)) {
    if (starts.length === 0 || !CONTAINS_LINK.test(word.charAt(index - 1))) starts.push(index);
  }
  return starts;
}

/** Ends a link at the quote or separator in front of it: `get('https://…');`, `url,https://…,label`. */
function untilDelimiter(piece: string, delimiter: string): string {
  if (!"',;".includes(delimiter) || delimiter === '') return piece;
  const end = piece.indexOf(delimiter);
  const isEnd = end !== -1 && (delimiter !== "'" || !/[\p{L}\p{N}]/u.test(piece.charAt(end + 1)));
  return isEnd ? piece.slice(0, end) : piece;
}

function linksAtBeginning(piece: string): string[] {
  const text = withoutBrackets(upToColumn(piece.slice(0, MAX_LINK_CHARACTERS)));
  const [authority = ''] = /^https?:\/\/[^/?#]*/i.exec(text) ?? [];
  // In scripts without spaces, text may follow a link directly: the host may end at the first non-ASCII letter.
  const [ascii = ''] = /^[\x21-\x7e]*/.exec(authority) ?? [];
  const isCut = ascii.length < authority.length && isBareAddress(ascii.replace(/^https?:\/\//i, ''));
  return [isCut ? asUrl(ascii) : null, asUrl(text)].filter((url) => url !== null);
}

function bareLinks(word: string, context: WordContext): string[] {
  const texts: string[] = [];
  let text = '';
  // A comma may be part of a path, or separate two links.
  for (const part of word.split(/([,;|]+)/)) {
    if (bareUrl(withoutBrackets(part), context) !== null) {
      texts.push(text);
      text = part;
    } else if (text.length <= MAX_LINK_CHARACTERS) text += part.slice(0, MAX_LINK_CHARACTERS);
  }
  const pieces = WITHOUT_SPACES.test(word) ? word.split(WITHOUT_SPACES) : [];
  const urls = urlsOf([...texts, text, ...pieces], context);
  const [encoded] = urls.length === 0 ? (ENCODED.exec(word) ?? []) : [];
  const inner = encoded === undefined ? null : asUrl(decoded(encoded));
  return inner === null ? urls : [inner];
}

function urlsOf(texts: readonly string[], context: WordContext): string[] {
  return texts.flatMap((text) => {
    const one = upToColumn(text.slice(0, 2 * MAX_LINK_CHARACTERS));
    const [first = ''] = one.split(/[,;|]/, 1);
    return bareUrl(withoutBrackets(one), context) ?? bareUrl(withoutBrackets(first), context) ?? [];
  });
}

const upToColumn = (text: string): string => text.slice(0, columnEnd(text));

function bareUrl(text: string, context: WordContext): string | null {
  if (!text.includes('.') || isMailAddress(text)) return null;
  const { url, isDefanged } = DEFANGED_DOT.test(text) ? refang(text) : { url: '', isDefanged: false };
  if (isDefanged) return isMeantHost(url.replace(/^http:\/\//, ''), 'list') ? asUrl(url) : null;
  if (isMeantHost(text, context.place, context.before))
    // A user name with a dot before its password looks like a scheme.
    return asUrl(/^(?=[^/?#@:]*\.)[^/?#@:]*:[^/?#]*@/.test(text) ? `http://${text}` : text);
  return null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

const OPENING: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** Minimum length of a line that is drawn behind a word: `name.html-----`. */
const DRAWN_LENGTH = 4;

function endBeforeDrawnLine(text: string): number {
  const last = text.slice(-1);
  if (!/[-=_#+]/.test(last)) return text.length;
  let end = text.length;
  while (end > 0 && text.charAt(end - 1) === last) end--;
  return text.length - end < DRAWN_LENGTH ? text.length : end;
}

/** Removes surrounding brackets, quotes, drawn lines and punctuation; a bracket that was opened within stays. */
function withoutBrackets(text: string): string {
  const from = text.search(/[^<([{"'“„‘«‹*_~]/);
  if (from === -1) return '';
  const counts = new Map<string, number>();
  const countOf = (character: string) => counts.get(character) ?? 0;
  for (const character of text.slice(from)) counts.set(character, countOf(character) + 1);
  let end = Math.max(from, endBeforeDrawnLine(text));
  for (; end > from; end--) {
    const last = text.charAt(end - 1);
    const opening = OPENING[last];
    const isAround = opening === undefined ? /[>"'”’»›.,;:!?…*~]/.test(last) : countOf(opening) < countOf(last);
    if (!isAround) break;
    counts.set(last, countOf(last) - 1);
  }
  return text.slice(from, end);
}

/** Returns a text as a URL that the service accepts, refanged and completed; null if it is not a URL. */
export function asUrl(text: string): string | null {
  const { url } = refang(text);
  return /^https?:/i.test(url) && !/\s/.test(url) && readUrl(url) !== null ? url : null;
}

/**
 * Returns true for one or several mail addresses without a scheme. False with a host and a password
 * before the `@`, or a path after it: the trick that hides a host behind a name.
 */
export function isMailAddress(text: string): boolean {
  const [before = '', behind] = text.replace(/^mailto:/i, '').split('@', 2);
  const dot = before.indexOf('.');
  const isHostAndPassword = dot !== -1 && before.indexOf(':', dot) !== -1;
  return behind !== undefined && !isHostAndPassword && !/[/?#]/.test(text);
}

/** A line of a text, without the rest of a link that began on an earlier line. */
export interface UnwrappedLine {
  readonly text: string;
  /** Link that begins on this line and ends on a later one, complete; null if none. */
  readonly joined: string | null;
  /** Links only if the line break does not cut one in two: the halves of a joined link. */
  readonly guesses: readonly string[];
}

/** Characters of a URL (RFC 3986 §2), not ending with punctuation. */
const END = /^[\w\-.~:/?#[\]@!$&'()*+,;=%]*[\w\-~/#$&*+=%]/;

/** Minimum length of a line that a program has wrapped. */
const CUT_LENGTH = 60;

/** Maximum number of lines of a link: 8,192 characters at 72 per line. */
const MAX_LINES = 115;

/** Maximum length of the end of a link that decides on the next line, in UTF-16 code units: more than a host has. */
const MAX_DECIDING = 300;

/** A scheme in any notation, at the beginning of a line: another link, also if it is not understood. */
const ANOTHER_LINK = new RegExp(`^(?:${WRITTEN_SCHEME}|[a-z][a-z0-9+.*-]{1,15}:\\/\\/|www\\.)`, 'iu');

/**
 * Joins links that a line break cuts in two. The continuation is certain only between angle brackets; elsewhere the
 * first half stays on its line as well.
 */
export function* unwrapLines(lines: Iterable<string>): Generator<UnwrappedLine> {
  const source = lines[Symbol.iterator]();
  const read: WrittenLine[] = [];
  const lineAhead = (place: number): WrittenLine | null => {
    for (; read.length <= place; ) {
      const { value, done } = source.next();
      if (done) return null;
      read.push({ written: value, left: value, guesses: [] });
    }
    return read[place] ?? null;
  };
  for (let line = lineAhead(0); line !== null; line = lineAhead(0)) {
    const { left: text, guesses } = line;
    const { word, isOpen } = lastWord(text);
    const whole = canContinue(word) ? word + takeContinuation(lineAhead, word, isOpen) : word;
    const joined = whole === word ? null : (linksInWord(whole).at(-1) ?? null);
    read.shift();
    if (text === '') continue;
    const shown = joined !== null && isOpen ? text.slice(0, -word.length - 1) : text;
    const halves = joined === null || isOpen ? [] : linksInWord(word).slice(-1);
    yield { text: shown, joined, guesses: [...guesses, ...halves] };
  }
}

/** A line ahead. */
interface WrittenLine {
  readonly written: string;
  /** The line without the rest of an earlier link. */
  left: string;
  /** See {@link UnwrappedLine.guesses}. */
  guesses: readonly string[];
}

/** Removes the continuation of a link from the following lines, and returns it. */
function takeContinuation(lineAhead: (place: number) => WrittenLine | null, word: string, isOpen: boolean): string {
  let ends = '';
  for (let next = 1; next <= MAX_LINES; next++) {
    const ahead = lineAhead(next);
    if (ahead === null) break;
    const { left: line } = ahead;
    const whole = (word + ends.slice(-MAX_DECIDING)).slice(-MAX_DECIDING);
    const end = continuationOf(whole, isOpen, line, lineAhead(next - 1)?.written.length ?? 0);
    // The rest of a longer link is not checked: it would be read again for each line before it.
    if (end === null || word.length + ends.length + end.length > MAX_LINK_CHARACTERS) break;
    ends += end;
    const links = linksInWord(end);
    if (links.length === 0) ahead.left = line.slice(end.length).trim();
    else ahead.guesses = links;
    if (end.length < line.length || (links.length > 0 && !isOpen)) break;
  }
  return ends;
}

const WORD_END = /[\s<>"`|]/;

/** Scans backwards: a search for `[^…]*$` would try each start, in quadratic time. */
function lastWord(line: string): { readonly word: string; readonly isOpen: boolean } {
  let start = line.length;
  while (start > 0 && !WORD_END.test(line.charAt(start - 1))) start--;
  return { word: line.slice(start), isOpen: line.charAt(start - 1) === '<' };
}

/** Returns false for a longer word: a line break did not cut it, and it would be read again for each line after it. */
const canContinue = (word: string): boolean =>
  word.length <= MAX_LINK_CHARACTERS && word.includes('/') && linksInWord(word).length > 0;

/** Begin of a line that is drawn, or of a signature (RFC 3676 §4.3): `-- `, `-----BEGIN`, `____`. */
const DRAWN = /^([-=_#*~+])\1+(?:\s|$|(?<=\1{4}))/;

/** Returns true if a link ends with its host, and a line behind it would make this a host that does not exist. */
function endsWithHost(whole: string, end: string): boolean {
  const [, scheme = '', host] = /(https?:\/\/)([^\s/?#@]+)$/i.exec(whole) ?? [];
  if (host === undefined) return false;
  const [label = ''] = /^[^/?#]*/.exec(end) ?? [];
  return isNamedHost(readUrl(scheme + host)) && !isNamedHost(readUrl(scheme + host + label));
}

/** Returns what a line adds to a link that the line before may have left unfinished; null if nothing. */
function continuationOf(whole: string, isOpen: boolean, line: string, lengthBefore: number): string | null {
  const [end = ''] = END.exec(line) ?? [];
  const rest = line.slice(end.length);
  if (end === '' || ANOTHER_LINK.test(line) || isMailAddress(end)) return null;
  if (isOpen) return rest === '' || rest.startsWith('>') ? end : null;
  const isUnfinished = /[-=&?%_]$/.test(whole) || /\/\/[^/.]*$/.test(whole) || (/\.$/.test(whole) && /[./]/.test(end));
  if (!isUnfinished && (DRAWN.test(line) || endsWithHost(whole, end))) return null;
  if (isUnfinished || /^[./?&=#%-]./.test(end)) return end;
  if (end.includes('[.]') || linksInWord(end).length > 0) return null;
  const looksLikeAnEnd = /[/?&=%#_]|\d[a-z]|[a-z]\d|\w\.\w/i.test(end);
  return looksLikeAnEnd || (rest === '' && lengthBefore >= CUT_LENGTH) ? end : null;
}
