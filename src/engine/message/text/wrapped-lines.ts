import { WRITTEN_SCHEME } from '#src/core/url/defang.ts';
import { isMailAddress, linksInWord, MAX_LINK_CHARACTERS } from './links-in-word.ts';

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

/** Returns what a line adds to a link that the line before may have left unfinished; null if nothing. */
function continuationOf(whole: string, isOpen: boolean, line: string, lengthBefore: number): string | null {
  const [end = ''] = END.exec(line) ?? [];
  const rest = line.slice(end.length);
  if (end === '' || ANOTHER_LINK.test(line) || isMailAddress(end)) return null;
  if (isOpen) return rest === '' || rest.startsWith('>') ? end : null;
  const isUnfinished = /[-=&?%_]$/.test(whole) || /\/\/[^/.]*$/.test(whole) || (/\.$/.test(whole) && /[./]/.test(end));
  if (isUnfinished || /^[./?&=#%-]./.test(end)) return end;
  if (end.includes('[.]') || linksInWord(end).length > 0) return null;
  const looksLikeAnEnd = /[/?&=%#_]|\d[a-z]|[a-z]\d|\w\.\w/i.test(end);
  return looksLikeAnEnd || (rest === '' && lengthBefore >= CUT_LENGTH) ? end : null;
}
