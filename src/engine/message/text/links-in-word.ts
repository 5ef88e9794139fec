import { refang, WRITTEN_SCHEME } from '#src/core/url/defang.ts';
import { columnEnd, readUrl } from '#src/core/url/read-url.ts';
import { isBareAddress, isMeantHost, type WordPlace } from './hosts-in-text.ts';

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
export const MAX_LINK_CHARACTERS = 8200;

/** Position of a word on its line, which decides on a host without a scheme. */
export interface WordContext {
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
