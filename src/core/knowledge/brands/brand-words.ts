import { mapWith } from '#src/core/base/guard.ts';
import { isNameLines, readFacts, wordsIn } from '../fact-file.ts';
import brandWordsFile from './brand-words.json' with { type: 'json' };

const { near = [], longer = [], words = [] } = readFacts('brand-words.json', brandWordsFile, mapWith(isNameLines));
const LONGER: ReadonlyMap<string, readonly string[]> = new Map(
  longer.map((line) => {
    const [name = '', ...containing] = line.split(' ');
    return [name, containing];
  }),
);
const WORDS = new Set(wordsIn(words));
const NEAR = new Set([...wordsIn(near), ...WORDS, ...[...LONGER.values()].flat()]);

/** Returns true if honest sites bear a word that is nearly a brand's name. */
export function isLegitimateNeighbour(word: string): boolean {
  return NEAR.has(word);
}

/** Returns true if a name is also a place or a word, which occurs in longer words without the brand (`amazonriver`). */
export function isAlsoWord(name: string): boolean {
  return WORDS.has(name);
}

/** Returns true if a name at `start` of a text is part of another word (`openai` in `openair`). */
export function isPartOfOtherWord(name: string, text: string, start: number): boolean {
  return (LONGER.get(name) ?? []).some((word) => text.startsWith(word, start - word.indexOf(name)));
}
