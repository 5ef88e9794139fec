import { expect, test } from 'bun:test';
import { FEATURE_NAMES } from '#src/engine/analyzers/index.ts';
import { COLUMN_GROUPS } from '#src/engine/lexical/column-groups.ts';
import { fillSentence, gapsOf, matchSentence } from '#src/checks/record/reasons/match-sentence.ts';
import { SENTENCES } from '#src/checks/record/reasons/sentences.ts';

const URL_CODES = [...COLUMN_GROUPS.map((group) => `url.${group}`), 'url.other_patterns', 'url.popular_site'];

test('there is a sentence for each reason that the analyzers can give, and for none that they cannot', () => {
  const codes = new Set(SENTENCES.flatMap(([code]) => (code === '' ? [] : code)));
  expect(FEATURE_NAMES.filter((name) => !codes.has(name))).toEqual([]);
  expect(codes.difference(new Set([...FEATURE_NAMES, ...URL_CODES]))).toEqual(new Set());
});

test.each(SENTENCES)('%s: “%s” is found again, with what stands in it', (code, sentence) => {
  const text = fillSentence(
    sentence,
    gapsOf(sentence).map((_, i) => `word ${i}`),
  );
  const found = matchSentence(code, text);
  expect(found && fillSentence(SENTENCES[found.place]?.[1] ?? '', found.words)).toBe(text);
  // One that ends with a gap takes whatever follows.
  if (!sentence.endsWith('}')) expect(matchSentence(code, `${text} more`)).toBe(null);
});

test('the sentences of one code are told apart by their kind, and no sentence has a gap twice', () => {
  for (const [code, sentences] of Map.groupBy(SENTENCES, ([code]) => code)) {
    const kinds = new Set(sentences.map(([, , kind]) => kind));
    expect(kinds.size, code).toBe(sentences.length);
    if (sentences.length > 1) expect(kinds, code).not.toContain(undefined);
  }
  for (const [code, sentence] of SENTENCES) expect(new Set(gapsOf(sentence)).size, code).toBe(gapsOf(sentence).length);
});

/** The sentences of the first version whose records exist, in their order: their number, and SHA-256 of their JSON. */
const STORED = { count: 150, sha256: 'acb1eee3cefee8d574696c9d2d6b053c02a3c76c1ea2919e151c9e6fa5df5669' };

test('sentences that stored records refer to by number keep their places', () => {
  const stored = SENTENCES.slice(0, STORED.count);
  expect(new Bun.CryptoHasher('sha256').update(JSON.stringify(stored)).digest('hex')).toBe(STORED.sha256);
});
