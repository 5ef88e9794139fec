import { SENTENCES } from './sentences.ts';

/** A sentence of the list, and what stands in each gap of it. */
export interface MatchedSentence {
  readonly place: number;
  /** The names of its gaps. */
  readonly gaps: readonly string[];
  readonly words: readonly string[];
}

interface Pattern {
  readonly place: number;
  readonly gaps: readonly string[];
  /** What stands in front of the first gap, between two, and behind the last; null where there is none. */
  readonly first: string;
  readonly between: readonly string[];
  readonly last: string | null;
}

const GAP = /\{(\w+)\}/g;

const PATTERNS = Map.groupBy(
  SENTENCES.map(([code, sentence], place) => ({ code, place, ...patternOf(sentence) })),
  ({ code }) => code,
);

/** The sentence of a code that a text is; null where it is none. */
export function matchSentence(code: string, text: string): MatchedSentence | null {
  for (const pattern of PATTERNS.get(code) ?? []) {
    const words = wordsBetween(text, pattern);
    if (words) return { place: pattern.place, gaps: pattern.gaps, words };
  }
  return null;
}

/** The text of a sentence with the words in its gaps. */
export function fillSentence(sentence: string, words: readonly string[]): string {
  let next = 0;
  return sentence.replace(GAP, () => words[next++] ?? '');
}

/** The names of a sentence's gaps, in their order. */
export function gapsOf(sentence: string): string[] {
  return [...sentence.matchAll(GAP)].map(([, name = '']) => name);
}

function patternOf(sentence: string): Omit<Pattern, 'place'> {
  const [first = '', ...between] = sentence.split(/\{\w+\}/);
  const last = between.pop() ?? null;
  return { gaps: gapsOf(sentence), first, between, last };
}

function wordsBetween(text: string, { first, between, last }: Pattern): string[] | null {
  if (!text.startsWith(first)) return null;
  if (last === null) return text === first ? [] : null;
  const words: string[] = [];
  let from = first.length;
  for (const piece of between) {
    const at = text.indexOf(piece, from);
    if (at === -1) return null;
    words.push(text.slice(from, at));
    from = at + piece.length;
  }
  if (!text.endsWith(last) || text.length - last.length < from) return null;
  words.push(text.slice(from, text.length - last.length));
  return words;
}
