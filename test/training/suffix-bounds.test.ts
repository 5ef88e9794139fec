import { expect, test } from 'bun:test';
import { readSections, type SectionName } from '#src/engine/lexical/model-sections.ts';
import { suffixBound } from '#src/engine/lexical/suffix-bound.ts';
import { seededOptions } from '#src/training/fit/fit.ts';
import { suffixExcess } from '#src/training/fit/suffix-bounds.ts';
import { model, modelFile } from '#test/engine/lexical/open-model.ts';
import { knowledge } from '#test/support/knowledge.ts';

const PARTS: readonly SectionName[] = [
  ...(['ngramWeights', 'ngramCodebook', 'columnNames', 'treeFeatures', 'treeThresholds', 'treeValues'] as const),
  ...(['nameGrams', 'suffixKeys', 'suffixPriors', 'suffixCounts', 'popularLabelKeys', 'popularLabelRanks'] as const),
  ...(['wordKeys', 'wordValues', 'pathWeights', 'pathCodebook'] as const),
];

const options = seededOptions(1);
const sections = readSections(modelFile);
const excessWith = (bound: typeof options.bound) =>
  suffixExcess(new Map(PARTS.map((name) => [name, sections.bytes(name)])), knowledge, { ...options, bound });

test('the shipped model bounds cheap suffixes and platforms by the excess of ordinary names', () => {
  const excessOf = excessWith(options.bound);
  for (const suffix of ['shop', 'pro', 'cyou', 'click', 'weebly.com']) {
    expect({ suffix, isExceeded: excessOf(suffix) > 0.3 }).toEqual({ suffix, isExceeded: true });
    expect(suffixBound(model.suffixBounds, suffix)).toBeGreaterThanOrEqual(excessOf(suffix) - 0.05);
    expect(suffixBound(model.suffixBounds, suffix)).toBeLessThan(excessOf(suffix) + 0.1);
  }
});

test('ordinary suffixes, those of authorities, and platforms where few honest names are known have no bound', () => {
  const excessOf = excessWith({ warn: -20, block: -20 });
  for (const suffix of ['com', 'go.id', 'duckdns.org', 'unknown']) {
    expect({ suffix, excess: excessOf(suffix) }).toEqual({ suffix, excess: 0 });
  }
  expect(excessOf('shop')).toBeGreaterThan(10);
  for (const suffix of ['com', 'de', 'go.id', 'duckdns.org']) expect(suffixBound(model.suffixBounds, suffix)).toBe(0);
});

test('lower limits give larger bounds', () => {
  const [loose, warn, block] = [
    { warn: 5, block: 7 },
    { warn: 4, block: 7 },
    { warn: 5, block: 3 },
  ].map((bound) => excessWith(bound)('shop'));
  expect(warn).toBeGreaterThan(loose ?? 0);
  expect(block).toBeGreaterThan(loose ?? 0);
});
