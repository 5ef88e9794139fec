import { expect, test } from 'bun:test';
import { asSentence } from '#src/engine/reasons/sentence.ts';

test('a clause becomes a sentence, and a name at its beginning stays as it is spelt', () => {
  expect(asSentence('the host contains “paypal”')).toBe('The host contains “paypal”.');
  expect(asSentence('example.com was registered today')).toBe('example.com was registered today.');
  expect(asSentence('“paypa1” looks like “paypal”')).toBe('“paypa1” looks like “paypal”.');
  expect(asSentence('It is a sentence.')).toBe('It is a sentence.');
});
