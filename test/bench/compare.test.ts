import { expect, test } from 'bun:test';
import { comparisonTable, verdictOf } from './compare.ts';
import { createSampleSheet } from './samples.ts';

const better = { isMoreBetter: true };
const worse = { isMoreBetter: false };

test('reports a difference only if the whole interval is on one side of 1', () => {
  expect(verdictOf(worse, { median: 0.9, low: 0.8, high: 0.95 }, 7)).toBe('better');
  expect(verdictOf(better, { median: 0.9, low: 0.8, high: 0.95 }, 7)).toBe('worse');
  expect(verdictOf(better, { median: 1.2, low: 1.1, high: 1.3 }, 7)).toBe('better');
  expect(verdictOf(worse, { median: 0.9, low: 0.8, high: 1.01 }, 7)).toBe('no difference shown');
  expect(verdictOf(worse, { median: 0.5, low: 0.4, high: 0.6 }, 5)).toBe('too few pairs');
});

test('noise that affects both versions in a round cancels out', () => {
  const sheet = createSampleSheet();
  for (const noise of [1, 5, 2, 9, 3, 7]) {
    sheet.add('request', 'own', 90 * noise);
    sheet.add('request', 'other', 100 * noise);
    sheet.add('request', 'reference', 10 * noise);
  }
  const [, , row] = comparisonTable(sheet.samples, 'main').split('\n');
  expect(row).toBe('| processor time of a served check, µs | 360 (90–810) | 400 (100–900) | 0.9 | better |');
});
