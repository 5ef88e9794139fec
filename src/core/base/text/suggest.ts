import { editDistance } from './edit-distance.ts';

/** `; did you mean …?` where a known word is near enough to be a slip of the keyboard; else nothing. */
export function suggest(word: string, known: readonly string[]): string {
  const most = Math.max(2, Math.floor(word.length / 3));
  const near = known
    .map((name) => ({ name, edits: editDistance(word, name, most) }))
    .filter(({ edits }) => edits <= most)
    .toSorted((a, b) => a.edits - b.edits);
  return near[0] ? `; did you mean ${near[0].name}?` : '';
}
