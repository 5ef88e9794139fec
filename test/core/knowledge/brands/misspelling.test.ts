import { describe, expect, test } from 'bun:test';
import { type Typo, typoBetween, typoConfidence } from '#src/core/knowledge/brands/misspelling.ts';

describe('the kind of typing error between a word and a name', () => {
  const cases: [string, string, Typo][] = [
    ['paypall', 'paypal', 'repeated'],
    ['payypal', 'paypal', 'repeated'],
    ['gogle', 'google', 'repeated'],
    ['papyal', 'paypal', 'swapped'],
    ['netfilx', 'netflix', 'swapped'],
    ['paypsal', 'paypal', 'added'],
    ['paypals', 'paypal', 'added'],
    ['xpaypal', 'paypal', 'first'],
    ['amazn', 'amazon', 'dropped'],
    ['mazon', 'amazon', 'first'],
    ['netfkix', 'netflix', 'neighbour'],
    ['notflix', 'netflix', 'vowel'],
    ['netqlix', 'netflix', 'replaced'],
    ['betflix', 'netflix', 'first'],
    ['nteflxi', 'netflix', 'several'],
    ['metaamskk', 'metamask', 'several'],
    ['amz', 'amazon', 'several'],
  ];
  test.each(cases)('%s for %s: %s', (word, name, slip) => {
    expect(typoBetween(word, name)).toBe(slip);
  });
});

describe('the confidence of a misspelling', () => {
  const name = { length: 7, isWord: false, isProminent: true };
  test('grows with the length of the name', () => {
    const at = (length: number) => typoConfidence({ ...name, slip: 'dropped', length });
    expect([4, 5, 6, 8].map(at)).toEqual([0, 0, 0.9, 0.9]);
    expect(typoConfidence({ ...name, slip: 'several', length: 14 })).toBeGreaterThan(0);
    expect(typoConfidence({ ...name, slip: 'several', length: 11 })).toBe(0);
  });

  test('is higher for a known brand than for another, and for a name than for a word', () => {
    expect(typoConfidence({ ...name, slip: 'neighbour', isProminent: false })).toBe(0);
    expect(typoConfidence({ ...name, slip: 'neighbour' })).toBe(0.9);
    expect(typoConfidence({ ...name, slip: 'neighbour', isWord: true })).toBe(0);
    expect(typoConfidence({ ...name, slip: 'swapped', isWord: true })).toBe(0.7);
    const longWord = { length: 9, isWord: true, isProminent: false };
    expect((['swapped', 'dropped', 'vowel'] as const).map((slip) => typoConfidence({ ...longWord, slip }))).toEqual([
      0.7, 0.7, 0,
    ]);
  });
});
