import { SENTENCES } from './sentences.ts';

/** A sentence of the list, and what stands in place of each `{}` of it. */
export interface MatchedSentence {
  readonly place: number;
  readonly words: readonly string[];
}

interface Pattern {
  readonly place: number;
  /** What stands around the gaps. */
  readonly pieces: readonly string[];
}

const PATTERNS = Map.groupBy(
  SENTENCES.map(([code, sentence], place) => ({ code, place, pieces: sentence.split('{}') })),
  ({ code }) => code,
);

/** The sentence of a code that a text is; null where it is none. */
export function matchSentence(code: string, text: string): MatchedSentence | null {
  for (const pattern of PATTERNS.get(code) ?? []) {
    const words = wordsBetween(text, pattern);
    if (words) return { place: pattern.place, words };
  }
  return null;
}

/** The text of a sentence with the words in its gaps. */
export function fillSentence(sentence: string, words: readonly string[]): string {
  let next = 0;
  return sentence.replace(/\{\}/g, () => words[next++] ?? '');
}

function wordsBetween(text: string, { pieces }: Pattern): string[] | null {
  const [first = '', ...others] = pieces;
  if (!text.startsWith(first)) return null;
  const last = others.pop();
  if (last === undefined) return text === first ? [] : null;
  const words: string[] = [];
  let from = first.length;
  for (const piece of others) {
    const at = text.indexOf(piece, from);
    if (at === -1) return null;
    words.push(text.slice(from, at));
    from = at + piece.length;
  }
  if (!text.endsWith(last) || text.length - last.length < from) return null;
  words.push(text.slice(from, text.length - last.length));
  return words;
}
