import { expect, test } from 'bun:test';
import { sentenceAround } from '#src/engine/message/message-link.ts';

/** The sentence around the first `LINK` of a text. */
function around(text: string): [string, string] {
  const start = text.indexOf('LINK');
  const { before, after } = sentenceAround(text, start, start + 'LINK'.length);
  return [before, after];
}

test.each<[string, [string, string]]>([
  ['First. Please  click LINK now! Last.', ['Please click', 'now!']],
  ['“Done.” Click LINK today', ['Click', 'today']],
  ['Version 1.2 is at LINK for you', ['Version 1.2 is at', 'for you']],
  ['One line\nGo to LINK\nNext line', ['Go to', '']],
  ['見て。ここ LINK です。次', ['ここ', 'です。']],
  ['LINK comes first. Then more.', ['', 'comes first.']],
  ['Confirm here:\n  LINK\nThanks', ['Confirm here:', '']],
  ['Confirm here: \nLINK', ['Confirm here:', '']],
  ['LINK', ['', '']],
])('the sentence of the link in %j is %j', (text, sentence) => {
  expect(around(text)).toEqual(sentence);
});

test('truncates each side to 140 characters next to the link', () => {
  const [before, after] = around(`${'a'.repeat(139)}bb LINK cc${'d'.repeat(139)}`);
  expect(before).toBe(`…${'a'.repeat(138)}bb`);
  expect(after).toBe(`cc${'d'.repeat(138)}…`);
  expect(around(`${'a'.repeat(140)} LINK ${'d'.repeat(140)}`)).toEqual(['a'.repeat(140), 'd'.repeat(140)]);
});

test('reads words up to 560 characters from the link, across white space', () => {
  expect(around(`Please${' '.repeat(554)}LINK${'\t'.repeat(557)}now`)).toEqual(['Please', 'now']);
  expect(around(`Please${' '.repeat(560)}LINK${'\t'.repeat(560)}now`)).toEqual(['', '']);
});

test('leaves no half of a surrogate pair where a side is truncated', () => {
  const pairs = '😀'.repeat(100);
  const sides = around(`${pairs}a LINK a${pairs}`);
  expect(sides.map((side) => [side.length, side.isWellFormed()])).toEqual([
    [141, true],
    [141, true],
  ]);
});
