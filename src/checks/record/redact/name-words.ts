import { isAscii } from '#src/core/base/text/untrusted-text.ts';
import { foldName, SECRET_NAMES } from '#src/core/knowledge/words/secret-names.ts';

const LISTS = [
  ...(['passwords', 'secrets', 'persons', 'codes', 'letters', 'maybe', 'initials', 'describing', 'published'] as const),
  ...(['keyOwners', 'cookies', 'identities', 'coordinates', 'positions', 'addresses', 'numbers'] as const),
  ...(['sharing', 'telephones', 'people', 'records', 'announcing', 'routes', 'publishing'] as const),
];

type List = (typeof LISTS)[number];

/** Lists of words, each as a bit, so that one lookup finds all lists of a word: {@link listsOf}. */
export const LIST = Object.fromEntries(LISTS.map((list, place) => [list, 1 << place])) as Record<List, number>;

const LISTS_BY_WORD = new Map<string, number>();
for (const list of LISTS) {
  for (const word of SECRET_NAMES[list]) LISTS_BY_WORD.set(word, listsOf(word) | LIST[list]);
}

/** Returns the lists that have a word. */
export function listsOf(word: string): number {
  return LISTS_BY_WORD.get(word) ?? 0;
}

/** Returns true if at least one of `some` is among `lists`. */
export function isIn(lists: number, some: number): boolean {
  return (lists & some) !== 0;
}

/** An unescaped name, taken apart. `accessToken`, `access-token` and `ACCESS_TOKEN` have the same words. */
export interface NameWords {
  readonly words: readonly string[];
  /** The words as one. */
  readonly whole: string;
  /** Lists of each word. */
  readonly lists: readonly number[];
  /** Lists that have any of the words. */
  readonly ofAny: number;
  readonly ofWhole: number;
}

const SMALL_LETTERS = /^[a-z]*$/;

/** Cache, because several rules in a row ask about the same name. */
let latest = { name: '', read: readName('') };

/** Takes a name apart. */
export function readNameWords(name: string): NameWords {
  if (name !== latest.name) latest = { name, read: readName(name) };
  return latest.read;
}

function readName(name: string): NameWords {
  if (SMALL_LETTERS.test(name)) return asOneWord(name);
  const folded = foldName(name);
  const words = isAscii(folded) ? asciiWordsOf(folded) : folded.split(/[^\p{L}]+/u).filter((word) => word !== '');
  const [word = ''] = words;
  if (words.length === 1) return asOneWord(word);
  const whole = words.join('');
  const lists = words.map(listsOf);
  return { words, whole, lists, ofAny: lists.reduce((all, some) => all | some, 0), ofWhole: listsOf(whole) };
}

/** Returns a word as a name. */
export function asOneWord(word: string): NameWords {
  const lists = listsOf(word);
  return { words: [word], whole: word, lists: [lists], ofAny: lists, ofWhole: lists };
}

/** A fast path for most names, at a tenth of the cost: it runs for each parameter of a link. */
function asciiWordsOf(name: string): string[] {
  const words: string[] = [];
  let start = 0;
  let before = 0;
  for (let at = 0; at < name.length; at++) {
    const code = name.charCodeAt(at);
    const isLetter = isSmall(code) || isCapital(code);
    if (isLetter && !(isCapital(code) && isSmall(before))) {
      before = code;
      continue;
    }
    if (at > start) words.push(name.slice(start, at).toLowerCase());
    start = isLetter ? at : at + 1;
    before = code;
  }
  if (start < name.length) words.push(name.slice(start).toLowerCase());
  return words;
}

function isSmall(code: number): boolean {
  return code >= 97 && code <= 122;
}

function isCapital(code: number): boolean {
  return code >= 65 && code <= 90;
}
