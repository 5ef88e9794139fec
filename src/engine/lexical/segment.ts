import { FNV_BASIS, fnvStep, mixHash } from '#src/core/base/fnv.ts';
import { type HashTable, lookUp } from './hash-table.ts';
import { slotsOf } from './slots.ts';

/** Segmentation of a name into known words. */
export const SEGMENT_COLUMNS = ['covered_share', 'known_words', 'longest_known_word', 'unknown_letters'] as const;

const SLOT = slotsOf(SEGMENT_COLUMNS);

const MAX_TEXT = 40;
const MIN_WORD = 3;
const MAX_WORD = 14;

const covered = new Uint8Array(MAX_TEXT + 1);
const wordCount = new Uint8Array(MAX_TEXT + 1);
const longest = new Uint8Array(MAX_TEXT + 1);

/**
 * Segments the letters of `text` so that known words cover as many as possible, with few words, and writes {@link
 * SEGMENT_COLUMNS} into `out` from `at` on. Reads 40 characters.
 */
export function segment(text: string, words: HashTable, out: Float32Array, at: number): void {
  const length = Math.min(text.length, MAX_TEXT);
  let letters = 0;
  covered.fill(0);
  wordCount.fill(0);
  longest.fill(0);
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i) | 32;
    offer(i + 1, covered[i] ?? 0, wordCount[i] ?? 0, longest[i] ?? 0);
    if (code < 97 || code > 122) continue;
    letters++;
    // Updated letter by letter to the value of `hashText`.
    let hash = FNV_BASIS;
    const end = Math.min(length, i + MAX_WORD);
    for (let j = i; j < end; j++) {
      const letter = text.charCodeAt(j) | 32;
      if (letter < 97 || letter > 122) break;
      hash = fnvStep(hash, letter);
      const size = j - i + 1;
      if (size < MIN_WORD || lookUp(words, mixHash(hash)) === 0) continue;
      offer(j + 1, (covered[i] ?? 0) + size, (wordCount[i] ?? 0) + 1, Math.max(longest[i] ?? 0, size));
    }
  }
  const best = covered[length] ?? 0;
  out[at + SLOT.covered_share] = letters === 0 ? 0 : best / letters;
  out[at + SLOT.known_words] = wordCount[length] ?? 0;
  out[at + SLOT.longest_known_word] = longest[length] ?? 0;
  out[at + SLOT.unknown_letters] = letters - best;
}

function offer(end: number, cover: number, count: number, length: number): void {
  const held = covered[end] ?? 0;
  const better = cover > held || (cover === held && held > 0 && count < (wordCount[end] ?? 0));
  if (!better) return;
  covered[end] = cover;
  wordCount[end] = count;
  longest[end] = length;
}
