import { expect, test } from 'bun:test';
import { type MessageLink, messageLink, shownWords, withoutRepeats } from '#src/engine/message/message-link.ts';
import { compareWords } from '#src/engine/message/mismatch.ts';
import { createReading } from '#src/engine/message/reading.ts';

const URL_SENT = 'https://a.example/';
const READING = createReading(undefined, compareWords);

test('reads the first 800 characters of the words, and returns at most 200 of them on one line', () => {
  const wordsOf = (spaces: number) => shownWords(`a${' '.repeat(spaces)}b`);
  expect([0, 1, 798, 799].map(wordsOf)).toEqual(['ab', 'a b', 'a b', 'a']);
  expect(shownWords(` ${'x'.repeat(200)}y`)).toBe('x'.repeat(200));
  expect(shownWords('\tone\r\n two ')).toBe('one two');
});

test('a link has a role or is marked as reversed only if this applies', () => {
  expect(messageLink(URL_SENT, '')).toEqual({ url: URL_SENT, words: null, mismatch: null });
  expect(messageLink(URL_SENT, URL_SENT, 'form')).toEqual({
    ...{ url: URL_SENT, words: null, mismatch: null },
    role: 'form',
  });
  expect(messageLink(`${URL_SENT}\u202egpj.x`, '')).toMatchObject({ isReversed: true });
});

/** Links to one address, from the most to the least that they say. */
const CONTRADICTING: MessageLink = {
  ...messageLink(URL_SENT, 'paypal.com'),
  mismatch: { says: 'paypal.com', goesTo: 'a.example' },
};
const NAMED = messageLink(URL_SENT, 'Log in');
const BARE = messageLink(URL_SENT, '');
const GUESSED: MessageLink = { ...NAMED, isGuess: true };

test.each([
  ['words that contradict it', [NAMED, CONTRADICTING, messageLink(URL_SENT, 'bank.example')], CONTRADICTING],
  ['words', [BARE, NAMED, messageLink(URL_SENT, 'Here')], NAMED],
  ['nothing', [BARE, BARE], BARE],
  ['certainty, even without words', [GUESSED, BARE], BARE],
  ['certainty and words', [GUESSED, NAMED, GUESSED], NAMED],
])('of repeated links, the first one with %s is returned', (_, links, stays) => {
  expect(withoutRepeats(links, READING)).toEqual([stays]);
});

test('a link has the role of its first occurrence, regardless of which occurrence is returned', () => {
  const form = messageLink(URL_SENT, '', 'form');
  const page = messageLink(URL_SENT, '', 'page');
  for (const links of [
    [form, NAMED],
    [NAMED, form],
    [form, page, NAMED],
    [NAMED, form, page],
  ])
    expect(withoutRepeats(links, READING)).toEqual([{ ...NAMED, role: 'form' }]);
  const other = messageLink('https://b.example/', '');
  expect(withoutRepeats([other, form, other], READING)).toEqual([other, form]);
});
