import { expect, test } from 'bun:test';
import { suffixBound } from '#src/engine/lexical/evaluate-url.ts';
import { readSections, type SectionName } from '#src/engine/lexical/model-sections.ts';
import type { HonestNames } from '#src/training/data/honest-labels.ts';
import { ordinaryNames } from '#src/training/data/ordinary-names.ts';
import { seededOptions } from '#src/training/fit/fit.ts';
import { MIN_HONEST, suffixExcess } from '#src/training/fit/suffix-bounds.ts';
import { model, modelFile } from '#test/engine/lexical/open-model.ts';
import { knowledge } from '#test/support/knowledge.ts';

const PARTS: readonly SectionName[] = [
  ...(['ngramWeights', 'ngramCodebook', 'columnNames', 'treeFeatures', 'treeThresholds', 'treeValues'] as const),
  ...(['nameGrams', 'suffixKeys', 'suffixPriors', 'suffixCounts', 'popularLabelKeys', 'popularLabelRanks'] as const),
  ...(['wordKeys', 'wordValues', 'pathWeights', 'pathCodebook'] as const),
];

const options = seededOptions(1);
const sections = readSections(modelFile);
const names = ordinaryNames(300, 5);
const LOWEST = { warn: -20, block: -20 };
const used = ['shop', 'pro', 'site', 'live', 'com', 'go.id'];
const honest = { domains: names, users: names, sites: new Map(used.map((suffix) => [suffix, MIN_HONEST])) };
const excessWith = (bound: typeof options.bound, known: HonestNames = honest) =>
  suffixExcess(new Map(PARTS.map((name) => [name, sections.bytes(name)])), known, knowledge, { ...options, bound });

test('the shipped model bounds suffixes that many honest sites use, and platforms of websites', () => {
  for (const suffix of ['shop', 'site', 'pro', 'live', 'weebly.com']) {
    expect({ suffix, isBounded: suffixBound(model.suffixBounds, suffix) > 0.3 }).toEqual({ suffix, isBounded: true });
  }
  for (const suffix of ['rest', 'skin', 'help', 'lat', 'icu']) {
    expect({ suffix, isLower: suffixBound(model.suffixBounds, suffix) < 1.5 }).toEqual({ suffix, isLower: true });
  }
});

test('ordinary suffixes, those of authorities, and platforms where few honest names are known have no bound', () => {
  const excessOf = excessWith({ domains: LOWEST, rare: LOWEST, users: LOWEST });
  for (const suffix of ['com', 'go.id', 'duckdns.org', 'vercel.app', 'unknown']) {
    expect({ suffix, excess: excessOf(suffix) }).toEqual({ suffix, excess: 0 });
  }
  expect(excessOf('shop')).toBeGreaterThan(10);
  for (const suffix of ['com', 'de', 'go.id', 'duckdns.org']) expect(suffixBound(model.suffixBounds, suffix)).toBe(0);
});

test('lower limits give larger bounds', () => {
  const [loose, warn, block] = [
    { warn: 5, block: 7 },
    { warn: 3, block: 7 },
    { warn: 5, block: 3 },
  ].map((bound) => excessWith({ domains: bound, rare: bound, users: bound })('shop'));
  expect(warn).toBeGreaterThan(loose ?? 0);
  expect(block).toBeGreaterThan(loose ?? 0);
});

test('the names of users measure platforms, and those with a number score higher', () => {
  const NONE = { warn: 99, block: 99 };
  const at = (warn: number) => ({ domains: NONE, rare: NONE, users: { warn, block: 99 } });
  expect(excessWith(at(99))('weebly.com')).toBe(0);
  const both = excessWith(at(-5))('weebly.com');
  // Every second name gets a number: of pairs of equal names, one is plain.
  const plain = excessWith(at(-5), { ...honest, users: names.slice(0, 1) })('weebly.com');
  expect(both).toBeGreaterThan(plain);
  expect(excessWith(at(-5), { ...honest, users: [] })('weebly.com')).toBeLessThanOrEqual(5);
});

test('a suffix with few known honest sites has the bound of rare ones', () => {
  const limits = { domains: { warn: 99, block: 99 }, rare: { warn: 99, block: -5 }, users: { warn: 99, block: 99 } };
  expect(excessWith(limits)('shop')).toBe(0);
  expect(excessWith(limits)('cyou')).toBeGreaterThan(0);
  expect(excessWith(limits, { ...honest, sites: new Map() })('shop')).toBeGreaterThan(0);
});
