import { expect, test } from 'bun:test';
import { parseRegistryDate } from '#src/network/registry/date.ts';

const MAY_6 = '2024-05-06T00:00:00.000Z';
const MORNING = '2024-05-06T07:08:09.000Z';

test.each([
  '2024-05-06',
  '2024/05/06',
  '2024.05.06',
  '2024. 05. 06.',
  '20240506',
  '20240506 #1234567',
  '06-May-2024',
  '06-MAY-2024',
  '6 May 2024',
  '2024-May-06.',
  'May 06, 2024',
  '6.5.2024',
  '06-05-2024',
  'Mon May 06 2024',
  'Monday 6th May 2024',
  '2024-05-06 CLST',
  '2024-05-06T24:00:00Z',
  '2024-05-06T00:60:00Z',
  '2024-05-06T00:00:60Z',
  '2024-05-06T25:00:00Z',
  '2024-05-06T07:08:09+14:01',
  '2024-05-06T07:08:09 XYZ',
  ' 2024-05-06',
  'Tue 2024-05-06',
  '06/May/2024'.replaceAll('/', ' '),
])('reads the day of %p', (text) => {
  expect(parseRegistryDate(text)).toBe(MAY_6);
});

test.each([
  '2024-05-06T07:08:09Z',
  '2024-05-06T07:08:09.123456Z',
  '2024-05-06T10:08:09+03:00',
  '2024-05-06T12:53:09+05:45',
  '2024-05-06T01:38:09-0530',
  '2024-05-06T21:08:09+14:00',
  '2024-05-06 07:08:09 GMT',
  '2024-05-06 16:08:09 JST',
  '2024-05-06 16:08:09 KST',
  '2024-05-06 07:08:09',
  '2024-05-06 07:08:09 UTC',
  '2024-05-06 09:08:09+02',
  '2024/05/06 16:08:09 (JST)',
  '2024.05.06 07:08:09',
  '06-May-2024 07:08:09 UTC',
  '06.05.2024 07:08:09',
  'Mon May 06 07:08:09 GMT 2024',
])('reads the time of %p as UTC', (text) => {
  expect(parseRegistryDate(text)).toBe(MORNING);
});

test.each([
  ['before 1996', '1996-01-01'],
  ['Before Aug-1996', '1996-08-01'],
  ['before August 1996', '1996-08-01'],
  ['BEFORE 08-1996', '1996-08-01'],
  ['before 08/1996', '1996-08-01'],
  ['before 6 May 1996', '1996-05-06'],
  ['before 1996-05-06', '1996-05-06'],
  ['before: 2001', '2001-01-01'],
  ['prior to 1995', '1995-01-01'],
  ['pre-1996', '1996-01-01'],
  ['<1996', '1996-01-01'],
])('reads %p as the beginning of what it names', (text, day) => {
  expect(parseRegistryDate(text)).toBe(`${day}T00:00:00.000Z`);
});

test.each([
  '',
  'before',
  'before Foo-1996',
  'before 1984',
  'beforehand 1996',
  '2024-02-31',
  '2023-02-29',
  '2024-13-01',
  '2024-00-10',
  '0000-00-00T00:00:00Z',
  '-1-01-01',
  '1984-01-01',
  '9999-12-31',
  '06/05/2024',
  '13/13/2024',
  '1714979289',
  '2024-05-061',
  '20240506070809',
  'May 2024',
  'x2024-05-06',
  'x2024/05/06',
  'x2024.05.06',
  'x20240506',
  'x06.05.2024',
  'x06-05-2024',
  'x30/10/1995',
  'xMay 06, 2024',
  'on Mon, May 06 2024',
  'x May 06 07:08:09 2024',
  '06-1May-2024',
  `${' '.repeat(55)}2024-05-06`,
  '06-Foo-2024',
  '1995\u0000-08-14',
  'x'.repeat(100_000),
])('returns null for %p', (text) => {
  expect(parseRegistryDate(text)).toBeNull();
});

test('reads a date with slashes only if it is unambiguous', () => {
  expect(parseRegistryDate('30/10/1995 00:00:00')).toBe('1995-10-30T00:00:00.000Z');
  expect(parseRegistryDate('09/17/2014')).toBe('2014-09-17T00:00:00.000Z');
  expect(parseRegistryDate('05/05/2024')).toBe('2024-05-05T00:00:00.000Z');
});

test('parses its own output to the same date', () => {
  for (const text of ['2024-02-29', '06-May-2024', '1999-12-31 23:59:59+01']) {
    const date = parseRegistryDate(text);
    expect(parseRegistryDate(date ?? '')).toBe(date);
  }
});
