import { linksInWord, MAX_LINK_CHARACTERS } from './links-in-word.ts';
import { isMailAddress } from './written-link.ts';

/** A line of a text, without what belongs to a link that began on a line before. */
export interface UnwrappedLine {
  readonly text: string;
  /** A link that begins on this line and ends on a later one, whole; null where there is none. */
  readonly joined: string | null;
  /** What is a link only if the line break does not cut one in two: the halves of a joined link. */
  readonly guesses: readonly string[];
}

/** The characters of a URL (RFC 3986 §2), the last of them no punctuation. */
const END = /^[\w\-.~:/?#[\]@!$&'()*+,;=%]*[\w\-~/#$&*+=%]/;

/** Programs that cut lines leave them at least so long. */
const CUT_LENGTH = 60;

/** A link goes on for so many lines at most: 8,192 characters at 72 a line. */
const MAX_LINES = 115;

/**
 * Puts links together again that a line break cuts in two. Only between angle brackets is it certain that a link goes on;
 * elsewhere its first half stays on its line as well.
 */
export function* unwrapLines(lines: readonly string[]): Generator<UnwrappedLine> {
  const left = [...lines];
  const guesses = new Map<number, readonly string[]>();
  for (const at of lines.keys()) {
    const text = left[at] ?? '';
    const { word, isOpen } = lastWord(text);
    const whole = canGoOn(word) ? word + takeEnds({ left, guesses }, lines, at, word, isOpen) : word;
    const joined = whole === word ? null : (linksInWord(whole).at(-1) ?? null);
    if (text === '') continue;
    const shown = joined !== null && isOpen ? text.slice(0, -word.length - 1) : text;
    const halves = joined === null || isOpen ? [] : linksInWord(word).slice(-1);
    yield { text: shown, joined, guesses: [...(guesses.get(at) ?? []), ...halves] };
  }
}

/** Takes what belongs to a link out of the lines behind it. */
function takeEnds(
  { left, guesses }: { readonly left: string[]; readonly guesses: Map<number, readonly string[]> },
  lines: readonly string[],
  at: number,
  word: string,
  isOpen: boolean,
): string {
  let ends = '';
  for (let next = at + 1; next <= at + MAX_LINES; next++) {
    const line = left[next] ?? '';
    const end = endOf(word + ends, isOpen, line, lines[next - 1]?.length ?? 0);
    if (end === null) break;
    ends += end;
    const links = linksInWord(end);
    if (links.length === 0) left[next] = line.slice(end.length).trim();
    else guesses.set(next, links);
    if (end.length < line.length) break;
  }
  return ends;
}

/** What ends a word. */
const WORD_END = /[\s<>"`|]/;

/** Scans backwards: a search for `[^…]*$` would try each start, in time that grows with the square of the line's length. */
function lastWord(line: string): { readonly word: string; readonly isOpen: boolean } {
  let start = line.length;
  while (start > 0 && !WORD_END.test(line.charAt(start - 1))) start--;
  return { word: line.slice(start), isOpen: line.charAt(start - 1) === '<' };
}

/** A longer word is no link that a line break cut in two, and would be read again for each line behind it. */
const canGoOn = (word: string): boolean =>
  word.length <= MAX_LINK_CHARACTERS && word.includes('/') && linksInWord(word).length > 0;

/** What a line adds to a link that the line before it may have left unfinished; null where it adds nothing. */
function endOf(whole: string, isOpen: boolean, line: string, lengthBefore: number): string | null {
  const [end = ''] = END.exec(line) ?? [];
  const rest = line.slice(end.length);
  if (end === '' || /^(?:h[tx*_+]{2}ps?[:[({]|www\.)/i.test(end) || isMailAddress(end)) return null;
  if (isOpen) return rest === '' || rest.startsWith('>') ? end : null;
  const isUnfinished = /[-=&?%_]$/.test(whole) || /\/\/[^/.]*$/.test(whole) || (/\.$/.test(whole) && /[./]/.test(end));
  if (isUnfinished || /^[./?&=#%-]./.test(end)) return end;
  if (linksInWord(end).length > 0) return null;
  const looksLikeAnEnd = /[/?&=%#_]|\d[a-z]|[a-z]\d|\w\.\w/i.test(end);
  return looksLikeAnEnd || (rest === '' && lengthBefore >= CUT_LENGTH) ? end : null;
}
