import { expect, test } from 'bun:test';
import { isRandom, isRandomValue } from '#src/checks/record/redact/random-looking.ts';

test.each([
  ['four changes in twenty characters', 'aeiouy12ae-aei34aeio'],
  ['four changes in the shortest text that counts', 'aeio12aeio34aeio'],
  ['three changes in eighteen characters of one run', 'aeiouya12aeiouya12'],
  ['three changes in the shortest run', 'aeiouy12aeiouy12'],
  ['sixteen letters of which three are vowels', 'bcdfgbcdfgbcdaei'],
  ['a capital too early for the next word', 'aeZaeioua1aeiouaeio2'],
  ['a capital that begins no word', '1aeioua2aeiouaeiouZe'],
  ['a capital of which only one small letter comes', '1aeioua2aeiouaeiZa3e'],
  ['single digits between small letters', 'aeio1aeio2aeio3aeio'],
  ['capitals behind digits', '1234Abcd5678Efgh'],
  ['two words too short for a title', 'a-is-a1b2c3d4e5f6'],
  ['a word and a run that begins like one', 'how-ab1c2d3e4f5g6h7'],
  ['a title with two runs that are no words', 'how-to-a1b2c3-d4e5f6'],
])('a text with %s is random: %s', (_, text) => {
  expect(isRandom(text)).toBe(true);
});

test.each([
  ['four changes in twenty-one characters', 'aeiouy12ae-aei34aeiou'],
  ['fifteen characters', 'aeio12aeio34aei'],
  ['three changes in two runs', 'aeio12ae-aeio345'],
  ['three changes in nineteen characters', 'aeiouya12aeiouyae12'],
  ['two changes in sixteen', 'aeiouya12aeiouya'],
  ['fifteen letters without a vowel', 'bcdfgbcdfgbcdfg'],
  ['as many vowels as in words', 'bcdfgbcdfgbcaeio'],
  ['words run together', 'moveHouseInTwoDays'],
  ['a title with a number behind it', 'how-we-moved-a1b2c3d4e5f6'],
  ['a title in capitals', 'HOW-WE-MOVED-a1b2c3d4e5f6'],
])('a text with %s is readable: %s', (_, text) => {
  expect(isRandom(text)).toBe(false);
});

test.each([
  ['three changes in eight characters', 'abc12de3', true],
  ['three changes in twelve', 'abcde12de345', true],
  ['three changes in thirteen', 'abcdef12de345', false],
  ['two changes', 'abc123de', false],
  ['seven characters', 'ab1cd2e', false],
  ['a time in a film', '1h30m20s', false],
  ['what begins like a time in a film', '1h30m20sx7', true],
  ['what ends like one', 'x1h30m20s', true],
  ['a date', '2026-01-31T12:00', false],
])('in the value of a parameter such as key, %s: %s', (_, text, isSecret) => {
  expect(isRandomValue(text)).toBe(isSecret);
});
