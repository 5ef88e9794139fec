import { expect, test } from 'bun:test';
import { isLanguageTag, LANGUAGES } from '#src/core/languages/languages.ts';
import { createFormats } from '#src/interfaces/ui/elements/format.ts';

test.each(Object.keys(LANGUAGES).filter(isLanguageTag))('in %s no probability is shown as 0 or 100 percent', (tag) => {
  const { percent } = createFormats(tag);
  for (let logOdds = -40; logOdds <= 40; logOdds += 0.25) {
    const probability = 1 / (1 + Math.exp(-logOdds));
    const digits = percent(probability)
      .replace(/[^\d.,<>]/g, '')
      .replace(',', '.');
    expect(['0', '0.0', '100', '100.0', '<0', '>100']).not.toContain(digits);
  }
});

test('formats seconds in the unit that fits', () => {
  const { seconds } = createFormats('en');
  expect(seconds(0.0312)).toBe('31 ms');
  expect(seconds(1.284)).toBe('1.3 sec');
});

test('formats sizes and durations in the unit that fits', () => {
  const { bytes, days } = createFormats('en');
  expect([512, 48_300, 3_250_000, 2_000_000_000].map(bytes)).toEqual(['0.5 kB', '48.3 kB', '3.3 MB', '2 GB']);
  expect([1, 90].map(days)).toEqual(['1 day', '90 days']);
});

test('shows a time that cannot be parsed unchanged', () => {
  const { instant, date } = createFormats('en');
  expect(instant('before Aug-1996')).toBe('before Aug-1996');
  expect(date('2026-11-14T09:12:00.000Z')).toMatch(/^Nov 1[34], 2026$/);
});

test('formats dates for the locale of the reader, and moments with their time zone', () => {
  const noon = '2026-11-14T12:00:00.000Z';
  expect(createFormats('en-GB').date(noon)).toBe('14 Nov 2026');
  expect(createFormats('en-US').date(noon)).toBe('Nov 14, 2026');
  const zone = new Intl.DateTimeFormat('en-GB', { timeZoneName: 'short' }).formatToParts(new Date(noon));
  const name = zone.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  expect(createFormats('en-GB').moment(noon)).toContain(name);
});

test('shows a date without a time as the same day in every time zone', () => {
  expect(createFormats('de').date('2026-11-14')).toBe('14.11.2026');
});

test.each(['en-GB', 'de', 'fr', 'ja', 'ar'])(
  'the separators between list items in %s equal those of the formatted list',
  (tag) => {
    const format = createFormats(tag);
    for (const things of [['a'], ['a', 'b'], ['a', 'b', 'c', 'd']]) {
      const joints = format.joints(things.length);
      expect(things.map((thing, at) => thing + (joints[at] ?? '')).join('')).toBe(format.list(things));
    }
  },
);
