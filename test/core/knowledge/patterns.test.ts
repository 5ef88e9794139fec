import { expect, test } from 'bun:test';
import { isPatterns, searchFor } from '#src/core/knowledge/fact-file.ts';

test('a pattern matches as a whole word, as a beginning, or anywhere, as specified', () => {
  const pattern = searchFor({ whole: ['log ?in', 'pin'], beginnings: ['tele'], anywhere: ['メール', '\\d{4}'] });
  const found = (text: string) => pattern.exec(text)?.[0] ?? null;
  expect(found('please log in.')).toBe('log in');
  expect(found('login2')).toBeNull();
  expect(found('spinning')).toBeNull();
  expect(found('a telephone')).toBe('tele');
  expect(found('atelephone')).toBeNull();
  expect(found('新メール着')).toBe('メール');
  expect(found('ab1234cd')).toBe('1234');
});

test('word boundaries also apply to letters beyond ASCII', () => {
  const pattern = searchFor({ whole: ['войти', 'giriş', 'pin'], beginnings: ['логин'] });
  const isFound = (text: string) => pattern.test(text);
  expect(['войти', '» Войти «'.toLowerCase(), 'giriş yap', 'логины', 'pin!'].filter(isFound)).toHaveLength(5);
  expect(['войтись', 'girişim', 'агирiş', 'мойлогин', 'pins'].filter(isFound)).toEqual([]);
});

test('a Latin word is found next to a script without spaces', () => {
  expect(searchFor({ whole: ['pin', 'prüfung'] }).test('请prüfung完')).toBe(true);
});

test('patterns are non-empty and of the three kinds', () => {
  const good = [{ whole: ['a'] }, { beginnings: ['a'] }, { anywhere: ['a'] }, { whole: ['a'], anywhere: ['b c'] }];
  expect(good.filter(isPatterns)).toEqual(good);
  for (const value of [
    null,
    {},
    { inside: ['a'] },
    { whole: ['a'], inside: ['a'] },
    { whole: 'a' },
    { whole: [''] },
    { whole: [' a'] },
    { whole: [7] },
  ]) {
    expect(isPatterns(value)).toBe(false);
  }
});
