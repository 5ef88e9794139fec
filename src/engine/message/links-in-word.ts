import { isBareAddress } from './bare-host.ts';
import { asUrl, isMailAddress } from './written-link.ts';

/** A scheme in any notation, or the `www` that stands for one. */
const BEGINNING = /h[tx*_+]{2}ps?[:[({]|(?<![\p{L}\p{N}_.-])www[.[(]/giu;

/** Characters after which a link is part of the one before: `?to=https://…`, `/https://…`. */
const CONTAINS_LINK = /[/\\?=&:#%@+~$_-]/;

/** A defanged dot. */
const DEFANGED_DOT = /\[\.\]|\(\.\)|\{\.\}|[[({](?:dot|punkt|point|punto)[\])}]|\\\./i;

/** Maximum length of a URL that is checked, in UTF-16 code units. */
export const MAX_LINK_CHARACTERS = 8200;

/** Returns the links in a word, a text without white space. */
export function linksInWord(word: string): string[] {
  const starts = beginnings(word);
  const [first = word.length] = starts;
  const pieces = starts.map((start, at) => word.slice(start, starts[at + 1]));
  return [...bareLinks(word.slice(0, first)), ...pieces.flatMap(linksAtBeginning)];
}

function beginnings(word: string): number[] {
  const starts: number[] = [];
  for (const { index } of word.matchAll(BEGINNING)) {
    if (starts.length === 0 || !CONTAINS_LINK.test(word.charAt(index - 1))) starts.push(index);
  }
  return starts;
}

function linksAtBeginning(piece: string): string[] {
  const text = withoutBrackets(piece.slice(0, MAX_LINK_CHARACTERS));
  const [authority = ''] = /^https?:\/\/[^/?#]*/i.exec(text) ?? [];
  // In scripts without spaces, text may follow a link directly: the host may end at the first non-ASCII letter.
  const [ascii = ''] = /^[\x21-\x7e]*/.exec(authority) ?? [];
  const isCut = ascii.length < authority.length && isBareAddress(ascii.replace(/^https?:\/\//i, ''));
  return [isCut ? asUrl(ascii) : null, asUrl(text)].filter((url) => url !== null);
}

function bareLinks(word: string): string[] {
  const texts: string[] = [];
  let text = '';
  // A comma may be part of a path, or separate two links.
  for (const part of word.split(/([,;|]+)/)) {
    if (isBare(withoutBrackets(part))) {
      texts.push(text);
      text = part;
    } else if (text.length <= MAX_LINK_CHARACTERS) text += part.slice(0, MAX_LINK_CHARACTERS);
  }
  return [...texts, text].flatMap((one) => {
    const bare = withoutBrackets(one);
    // A user name with a dot before its password looks like a scheme.
    const url = isBare(bare) ? asUrl(/^(?=[^/?#@:]*\.)[^/?#@:]*:[^/?#]*@/.test(bare) ? `http://${bare}` : bare) : null;
    return url === null ? [] : [url];
  });
}

function isBare(text: string): boolean {
  if (isMailAddress(text)) return false;
  return isBareAddress(text.replace(/^[^/?#]*@/, '')) || (DEFANGED_DOT.test(text) && asUrl(text) !== null);
}

const OPENING: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** Removes surrounding brackets, quotes and punctuation; a bracket that was opened within stays. */
function withoutBrackets(text: string): string {
  const from = text.search(/[^<([{"'“„‘«‹*_~]/);
  if (from === -1) return '';
  const counts = new Map<string, number>();
  const countOf = (character: string) => counts.get(character) ?? 0;
  for (const character of text.slice(from)) counts.set(character, countOf(character) + 1);
  let end = text.length;
  for (; end > from; end--) {
    const last = text.charAt(end - 1);
    const opening = OPENING[last];
    const isAround = opening === undefined ? /[>"'”’»›.,;:!?…*~]/.test(last) : countOf(opening) < countOf(last);
    if (!isAround) break;
    counts.set(last, countOf(last) - 1);
  }
  return text.slice(from, end);
}
