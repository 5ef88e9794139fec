import { describe, expect, test } from 'bun:test';
import table from '#src/core/knowledge/words/lure-words.json' with { type: 'json' };
import { LURE_WORDS, readLureWords, setsNoSpaces } from '#src/core/knowledge/words/lure-words.ts';

const FILE = { source: 'made up', retrieved: '2026-11-22', licence: 'none' };

test('each word is in the table once, with all its roles', () => {
  const words = Object.values(table.entries).flatMap((lines) => lines.flatMap((line) => line.split(' ')));
  expect(words.filter((word, index) => words.indexOf(word) !== index)).toEqual([]);
  expect(words.filter((word) => word !== word.toLowerCase())).toEqual([]);
  expect(Object.values(LURE_WORDS).every(({ size }) => size > 0)).toBe(true);
});

test('words have the roles of their row, and phrases contain their spaces', () => {
  const words = readLureWords({
    ...FILE,
    entries: { 'besideBrand button': ['login verify'], button: ['log_in 登录'], trained: ['login2'] },
  });
  expect([...words.button]).toEqual(['login', 'verify', 'log in', '登录']);
  expect([...words.besideBrand]).toEqual(['login', 'verify']);
  expect([...words.trained]).toEqual(['login2']);
  expect([...words.nobodysName, ...words.disguised]).toEqual([]);
});

describe('rejects a damaged table, and the error names the file', () => {
  test.each([
    ['an unknown role', { 'besideBrand bystander': ['login'] }],
    ['no role', { '': ['login'] }],
    ['two spaces', { trained: ['login  verify'] }],
    ['one good row and one of an unknown role', { trained: ['login'], bystander: ['login'] }],
    ['no lines', { trained: 'login' }],
    ['a list', ['login']],
  ])('%s', (_, entries) => {
    expect(() => readLureWords({ ...FILE, entries })).toThrow('lure-words.json');
  });
});

test('distinguishes scripts without spaces between words from other scripts', () => {
  const unspaced = [...LURE_WORDS.nobodysName, ...LURE_WORDS.button].filter(setsNoSpaces);
  expect(unspaced).toContain('サインイン');
  expect(unspaced).toContain('로그인');
  expect(unspaced.filter((word) => /[a-z]|\p{Script=Cyrillic}/u.test(word))).toEqual([]);
  expect(['войти', 'login', 'sign in', 'giriş', 'login登录', '登录login'].some(setsNoSpaces)).toBe(false);
});
