import { expect, test } from 'bun:test';
import { phraseSearch } from '#src/core/knowledge/mail/mail-phrases.ts';

const search = phraseSearch([['gold', ['send|buy gold|silver today', 'old']]] as const);

test('finds the beginnings of words in their order, with up to three others between them', () => {
  expect(search('Please send me your golden ring today!').get('gold')).toBe('send me your golden ring today');
  expect(search('Sending a b c d gold today').size).toBe(0);
  expect(search('gold send today').size).toBe(0);
});

test('a short beginning is a whole word', () => {
  expect(search('an old one').get('gold')).toBe('old');
  expect(search('an older one').size).toBe(0);
});

test('a word that is repeated without end is given up', () => {
  expect(search(`${'buy '.repeat(30)}gold today`).has('gold')).toBe(true);
  expect(search(`${'buy x y z a '.repeat(60)}buy gold today`).size).toBe(0);
});
