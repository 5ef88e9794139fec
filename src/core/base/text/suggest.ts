import { editDistance } from './edit-distance.ts';

/** Returns `; did you mean …?` for the nearest known word if it may be a typo; else an empty text. */
export function suggest(word: string, known: readonly string[]): string {
  // Of a word of three letters that shares one with another, nobody meant the other.
  const most = word.length <= 3 ? 1 : Math.max(2, Math.floor(word.length / 3));
  const near = known
    .map((name) => ({ name, edits: editDistance(word, name, most) }))
    .filter(({ edits }) => edits <= most)
    .toSorted((a, b) => a.edits - b.edits);
  return near[0] ? `; did you mean ${near[0].name}?` : '';
}
