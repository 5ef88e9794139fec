import { expect, test } from 'bun:test';
import { FIGURES } from './figures.ts';
import { type BenchReport, summarized } from './report.ts';
import { createSampleSheet } from './samples.ts';
import { entriesOf, reportTable } from './table.ts';

const report = (figures: BenchReport['figures'], rounds = 7): BenchReport => ({
  measuredAt: '2026-01-31T12:00:00.000Z',
  commit: 'abcdef0123',
  isChanged: false,
  machine: { cores: 2, processor: 'a processor', memoryGib: 23.456, runtime: 'Bun 1.4.4' },
  loadAverage: { before: 0.512, after: 11.98 },
  rounds,
  warmUps: 20_000,
  checks: 200_000,
  figures,
});

test('a ratio compares speeds for costs and rates, and durations for times', () => {
  const sheet = createSampleSheet();
  for (const figure of ['request', 'throughput', 'start'] as const) {
    sheet.add(figure, 'own', 100);
    sheet.add(figure, 'reference', 20);
  }
  const { request, throughput, start } = summarized(sheet.samples);
  expect(request?.ratio?.median).toBe(0.2);
  expect(throughput?.ratio?.median).toBe(5);
  expect(start?.ratio?.median).toBe(5);
});

test('a ratio is calculated per round, and unpaired rounds are refused', () => {
  const sheet = createSampleSheet();
  for (const noise of [1, 10, 100]) {
    sheet.add('request', 'own', 50 * noise);
    sheet.add('request', 'reference', 10 * noise);
  }
  expect(summarized(sheet.samples)['request']?.ratio).toEqual({ median: 0.2, low: 0.2, high: 0.2 });
  sheet.add('request', 'own', 50);
  expect(() => summarized(sheet.samples)).toThrow('not in pairs');
});

test('prints a row for each figure, with unit, reference and target result', () => {
  const spread = (median: number) => ({ median, low: median, high: median });
  const lines = reportTable(
    report({
      served: { own: { median: 94.26, low: 91.3, high: 123.4 }, reference: spread(20), ratio: spread(4.7213) },
      pipeMedium: { own: spread(12_345.6) },
      memory: { own: spread(150.5) },
    }),
  ).split('\n');
  expect(lines.slice(2, 5)).toEqual([
    '| processor time of a served check, over 64 connections | 94.3 (91.3–123) µs | 20 µs `JSON.stringify` of its answer | 4.72 | at most 33: met |',
    '| `check -` of 40,000 lines, URLs per second of processor time, start included | 12,346/s |  |  | at least 11,000/s: met |',
    '| RSS under load, in the second half of all checks | 151 MiB |  |  | at most 140 MiB: missed |',
  ]);
  expect(lines.slice(5).join(' ')).toContain(
    '2 cores (a processor, 23.5 GiB). The load average was 0.51 before and 12 at',
  );
});

test('states minimum and maximum in brackets if there are few rounds', () => {
  expect(reportTable(report({}, 5))).toContain('in brackets minimum and maximum.');
  expect(reportTable(report({}, 7))).not.toContain('minimum and maximum');
});

test('a target for a ratio has a reference', () => {
  for (const [, { aim, reference }] of entriesOf(FIGURES)) {
    if (aim?.of === 'ratio') expect(reference).toBeDefined();
  }
});
