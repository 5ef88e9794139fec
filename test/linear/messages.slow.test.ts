import { expect, test } from 'bun:test';
import { linksInText } from '#src/engine/message/text/links-in-text.ts';
import { createRandom } from '#test/support/random.ts';
import { growthOf, MOST_GROWTH } from './growth.ts';

/** Beginnings of what a reader looks for the rest of. */
const BEGINNINGS = [
  ...[
    '',
    'x',
    'a.b.co/',
    'www.a',
    'http://',
    'https://a.example/',
    'https:\\/\\/',
    'hxxp://',
    'hxxps[://]',
    'meow:',
    'h t t p',
  ],
  ...[
    '[a](http://',
    '[a](',
    '[a][b]',
    '[a]: http://b.example',
    '<https://',
    '<https://a.example/|',
    '<',
    '"http://',
    "('http://",
  ],
  ...['https%3A%2F%2F', 'me@a.example,', 'x:y@', '1.2.3.4', 'a-b.top', 'Received: from ', '- ', '> ', '##', '██'],
];

/** Pieces that are joined, split, counted or read again. */
const PIECES = [
  ...[
    'x',
    ' ',
    '- ',
    '. ',
    '/',
    '-',
    '=',
    '_',
    '%',
    '…',
    '。',
    'へ',
    '\\',
    '\\n',
    '\\/',
    '\u200b',
    '\u0300',
    '|',
    ',',
    ';',
  ],
  ...[
    'a.',
    'a.example',
    'b.in',
    'a.b/c',
    '10.0.0.0/8',
    '?u=https://b.example',
    '[.]',
    '(dot)',
    ' DOT ',
    '[.',
    '.]',
    '<.>',
  ],
  ...['\\.', '[/]', '[:]', '&#46;', '\\u002f', '&amp;', '>', '<', '"', "'", '`', '(', ')', '{', '  ', 'visit '],
];

/** How often a piece follows itself. */
const RUNS = [0, 0, 1, 1, 9, 70];

/** Lengths of an ordinary rest of a line, as wrapped lines and long ones have it. */
const RESTS = [0, 8, 62, 300, 8000, 8000];
const ENDS = ['\n', '\n', '\n', '\n', '\n> ', '\n\n', ' ', ''];

const COMPOSITIONS = 80;

/** Characters of the shorter text: some dozens of the longest lines. */
const LENGTH = 240_000;

/** Returns texts that repeat a random sequence of pieces. */
function composition(seed: number): (length: number) => string {
  const random = createRandom(seed);
  const piece = () => random.pick(PIECES).repeat(random.pick(RUNS));
  const sequence = random.pick(BEGINNINGS) + piece() + piece() + 'x'.repeat(random.pick(RESTS)) + random.pick(ENDS);
  return (length) => sequence.repeat(Math.ceil(length / Math.max(1, sequence.length))).slice(0, length);
}

test('reads a message of any composition of hostile pieces in linear time', async () => {
  const slow: object[] = [];
  for (let seed = 1; seed <= COMPOSITIONS; seed++) {
    const textOf = composition(seed);
    const texts = new Map<number, string>();
    const growth = await growthOf((length) => linksInText(texts.getOrInsertComputed(length, textOf)), LENGTH);
    if (growth > MOST_GROWTH) slow.push({ seed, growth, text: textOf(60) });
  }
  expect(slow).toEqual([]);
});
