import { expect, test } from 'bun:test';
import { explainSetting, setting } from '#src/core/base/settings/setting.ts';
import {
  booleanValue,
  listOf,
  numberBetween,
  oneOf,
  orNone,
  plainText,
  wholeNumber,
} from '#src/core/base/settings/setting-kind.ts';

const read = <T>(kind: { read(texts: readonly string[]): T | null }, text: string) => kind.read([text]);

test('a whole number must be within its bounds, inclusively', () => {
  const kind = wholeNumber(2, 10);
  expect(['1', '2', '10', '11'].map((text) => read(kind, text))).toEqual([null, 2, 10, null]);
  for (const text of ['', '-3', '3.0', '3e0', ' 3', '0x3', '9007199254740993', '1'.repeat(16)]) {
    expect(read(wholeNumber(0), text), text).toBeNull();
  }
  expect([kind.expected, wholeNumber(0).expected]).toEqual(['a whole number from 2 to 10', 'a whole number from 0']);
});

test('a number between two bounds must be within them, exclusively', () => {
  const kind = numberBetween(0, 1);
  expect(['0', '0.0', '.5', '0.001', '0.999', '1'].map((text) => read(kind, text))).toEqual([
    null,
    null,
    0.5,
    0.001,
    0.999,
    null,
  ]);
  for (const text of ['', '.', '-0.5', '5e-1', '0,5', 'NaN', '0.']) expect(read(kind, text), text).toBeNull();
});

test('words must match exactly', () => {
  expect(['full', 'Full', 'ful', ''].map((text) => read<string>(oneOf(['full', 'none']), text))).toEqual([
    'full',
    null,
    null,
    null,
  ]);
  expect(['true', 'false', 'True', 'yes', '1', ''].map((text) => read(booleanValue, text))).toEqual([
    true,
    false,
    null,
    null,
    null,
    null,
  ]);
});

test('a value is one text, a list one text per item, and no text is an empty list', () => {
  const one = plainText('a file');
  expect([one.read(['a']), one.read(['a', 'b']), one.read([]), one.read([''])]).toEqual(['a', null, null, null]);
  const list = listOf(wholeNumber(1, 9));
  expect([list.read(['1', '2']), list.read(['1', 'x']), list.read([]), list.read(['', '3'])]).toEqual([
    [1, 2],
    null,
    [],
    [3],
  ]);
});

test('a value is written so that it can be read back, and null as an empty text', () => {
  for (const [kind, text] of [
    [wholeNumber(0), '42'],
    [numberBetween(0, 1), '0.25'],
    [orNone(numberBetween(0, 1)), '0.25'],
    [booleanValue, 'false'],
    [oneOf(['full', 'none']), 'none'],
  ] as const) {
    const value: unknown = read<unknown>(kind, text);
    expect((kind.write as (value: unknown) => string)(value)).toBe(text);
  }
  expect(orNone(wholeNumber(0)).write(null)).toBe('');
  expect(orNone(wholeNumber(0)).write(0)).toBe('0');
  expect(listOf(plainText('a file')).write(['a', 'b'])).toBe('a, b');
});

test('a setting is explained in sentences', () => {
  expect(explainSetting(setting(['serve'], wholeNumber(1), 3, 'Tries of a thing.'))).toBe(
    'Tries of a thing. A whole number from 1.',
  );
});
