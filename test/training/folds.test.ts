import { describe, expect, test } from 'bun:test';
import { FOLDS, splitFold } from '#src/training/data/folds.ts';
import { kindOf } from '#src/training/data/kinds.ts';
import { sampleRows } from '#src/training/data/sample.ts';
import { rowWeights } from '#src/training/fit/weights.ts';
import { syntheticRows } from './synthetic-rows.ts';

const rows = syntheticRows(60);

describe('the folds', () => {
  test('share no site between fit and test, and fit no excluded source', () => {
    for (const fold of FOLDS) {
      const { fit, test: tested } = splitFold(rows, fold);
      const sites = new Set(tested.map(({ site }) => site));
      const left = new Set([...fold.benign, ...fold.phishing]);
      expect(fit.length).toBeGreaterThan(100);
      expect(tested.length).toBeGreaterThan(100);
      expect(fit.filter(({ site, source }) => sites.has(site) || left.has(source))).toEqual([]);
      expect(tested.filter(({ phishing, source }) => !phishing && !left.has(source))).toEqual([]);
    }
  });

  test('exclude every benign source exactly once, and each has a kind', () => {
    const sources = FOLDS.flatMap(({ benign }) => benign);
    expect(new Set(sources).size).toBe(sources.length);
    expect(sources.filter((source) => kindOf(source) === 'other')).toEqual([]);
  });
});

describe('the sample', () => {
  test('has at most two phishing rows per site, and a bare copy of each benign site', () => {
    const doubled = rows.flatMap((row) => [
      row,
      { ...row, canon: `${row.site}/a` },
      { ...row, canon: `${row.site}/b` },
    ]);
    const sample = sampleRows(doubled);
    const perSite = new Map<string, number>();
    for (const row of sample) if (row.phishing) perSite.set(row.site, (perSite.get(row.site) ?? 0) + 1);
    expect(Math.max(...perSite.values())).toBe(2);
    const bare = new Set(sample.filter((row) => !row.phishing && row.bare).map(({ site }) => site));
    expect(sample.filter((row) => !row.phishing && !bare.has(row.site))).toEqual([]);
  });

  test('weighs both classes equally, and a benign source by the root of its size', () => {
    const weights = rowWeights(rows, false);
    const total = (phishing: boolean) =>
      weights.reduce((sum, weight, row) => sum + (rows[row]?.phishing === phishing ? weight : 0), 0);
    expect(total(true)).toBeCloseTo(total(false), 1);
    expect(weights.every((weight) => weight > 0)).toBe(true);
  });
});
