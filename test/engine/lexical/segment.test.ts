import { describe, expect, test } from 'bun:test';
import { SEGMENT_COLUMNS, segment } from '#src/engine/lexical/features.ts';
import { buildHashTable, hashText } from '#src/engine/lexical/hash-table.ts';

const words = buildHashTable(['green', 'garden', 'pay', 'pal', 'paypal'].map((word) => [hashText(word), 1]));

function segmented(text: string): Record<string, number> {
  const out = new Float32Array(SEGMENT_COLUMNS.length);
  segment(text, words, out, 0);
  return Object.fromEntries(SEGMENT_COLUMNS.map((name, i) => [name, out[i] ?? 0]));
}

describe('a name without separators', () => {
  test('is segmented into the fewest known words that cover it', () => {
    expect(segmented('greengarden')).toEqual({
      covered_share: 1,
      known_words: 2,
      longest_known_word: 6,
      unknown_letters: 0,
    });
    expect(segmented('paypal')).toMatchObject({ known_words: 1, longest_known_word: 6 });
  });

  test('keeps its unknown letters, and ignores digits and case', () => {
    expect(segmented('xxPAYPAL-77yy')).toMatchObject({ unknown_letters: 4, known_words: 1 });
    expect(segmented('qwrtz')).toEqual({ covered_share: 0, known_words: 0, longest_known_word: 0, unknown_letters: 5 });
    expect(segmented('')).toEqual({ covered_share: 0, known_words: 0, longest_known_word: 0, unknown_letters: 0 });
  });
});
