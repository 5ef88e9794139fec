import { describe, expect, test } from 'bun:test';
import { suffixBound, suffixBoundCode } from '#src/engine/lexical/evaluate-url.ts';
import { buildHashTable, hashText } from '#src/engine/lexical/hash-table.ts';
import { scoreUrl } from '#src/engine/lexical/score.ts';
import { targetOf } from '#test/support/target.ts';
import { model } from './open-model.ts';

const boundsOf = (bounds: Readonly<Record<string, number>>) =>
  buildHashTable(Object.entries(bounds).map(([suffix, logOdds]) => [hashText(suffix), suffixBoundCode(logOdds)]));

describe('the bound of a suffix', () => {
  test('is rounded up to a twentieth, and 0 for suffixes without one', () => {
    for (let logOdds = 0; logOdds < 12.6; logOdds += 0.37) {
      const bound = suffixBound(boundsOf({ shop: logOdds }), 'shop');
      expect(bound).toBeGreaterThanOrEqual(logOdds - 1e-9);
      expect(bound).toBeLessThan(logOdds + 0.05 + 1e-9);
    }
    expect(suffixBound(boundsOf({ shop: 2, com: 0 }), 'com')).toBe(0);
    expect(suffixBound(boundsOf({ shop: 2 }), 'example')).toBe(0);
    expect(suffixBound(null, 'shop')).toBe(0);
  });

  test('lowers every score under the suffix by its amount, and no other', () => {
    const total = (suffixBounds: typeof model.suffixBounds, url: string) =>
      scoreUrl({ ...model, curve: 0, suffixBounds }, targetOf(url)).reduce((sum, { logOdds }) => sum + logOdds, 0);
    for (const url of ['garden-oak.shop', 'garden-oak.shop/login', 'mail.qx71-kk.shop/a/b?c=d']) {
      const without = total(null, url);
      expect(total(boundsOf({ shop: 2 }), url)).toBeCloseTo(without - 2 * model.slope, 9);
      expect(total(boundsOf({ site: 2 }), url)).toBe(without);
    }
  });

  test('never makes the term of a suffix negative', () => {
    for (const url of ['garden-oak.shop', 'garden-oak.cyou', 'garden-oak.de']) {
      const suffix = targetOf(url).host.suffix;
      const said = (bound: number) =>
        scoreUrl({ ...model, curve: 0, suffixBounds: boundsOf({ [suffix]: bound }) }, targetOf(url)).find(
          ({ code }) => code === 'url.suffix',
        )?.logOdds ?? 0;
      const [before, after] = [said(0), said(9)];
      expect(after).toBeCloseTo(Math.min(before, 0), 9);
    }
  });
});
