import { expect, test } from 'bun:test';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';
import { brandImitations, heldOutBrands } from '#src/training/data/brand-imitations.ts';
import { ordinaryNames } from '#src/training/data/ordinary-names.ts';
import { syntheticTests, TESTED_PLACES } from '#src/training/data/synthetic-tests.ts';
import { describeSynthetic } from '#src/training/measure/synthetic-report.ts';
import { MODELS } from '#test/support/models.ts';

const { knowledge, fusion } = MODELS;

test('ordinary names are distinct and depend on the seed', () => {
  const names = ordinaryNames(300, 7);
  expect(ordinaryNames(300, 7)).toEqual(names);
  expect(ordinaryNames(300, 8)).not.toEqual(names);
  expect(new Set(names).size).toBe(300);
  for (const name of names) expect(name).toMatch(/^[a-z]+(?:-[a-z]+)*$/);
});

test('imitates brands in every kind and form, never by their own domain', () => {
  const brands = heldOutBrands(knowledge, 5);
  expect(brands.length).toBeGreaterThan(20);
  const made = brandImitations(brands, 5);
  expect(brandImitations(brands, 5)).toEqual(made);
  expect(new Set(made.map(({ kind }) => kind)).size).toBe(8);
  for (const { canon } of made) {
    const target = parseTarget(`http://${canon}`);
    expect([canon, isTargetProblem(target)]).toEqual([canon, false]);
  }
});

test('excludes rows that name a held-out brand, or nearly, from its fit', () => {
  const { rows, namesHeldOut } = syntheticTests(knowledge);
  const imitations = rows.filter(({ phishing }) => phishing);
  const named = imitations.filter(namesHeldOut);
  expect(named.length / imitations.length).toBeGreaterThan(0.85);
  expect(rows.filter((row) => !row.phishing && namesHeldOut(row))).toEqual([]);
});

test('the report has a line per kind and per place', () => {
  const { rows } = syntheticTests(knowledge);
  const synthetic = {
    name: 'synthetic',
    rows,
    scores: Float64Array.from(rows, ({ phishing }) => (phishing ? 9 : -9)),
    labels: Uint8Array.from(rows, ({ phishing }) => (phishing ? 1 : 0)),
    sources: rows.map(({ source }) => source),
    weights: new Float64Array(rows.length),
  };
  const text = describeSynthetic(synthetic, { knowledge, fusion, calibration: { slope: 1, offset: 0, curve: 0 } });
  for (const place of [...TESTED_PLACES.suffixes.map((suffix) => `.${suffix}`), ...TESTED_PLACES.platforms]) {
    expect(text).toContain(`| ${place} | 0.0 / 0.0 `);
  }
  expect(text).toMatch(/\| letters swapped \| 100\.0 \/ 100\.0 \|/);
});
