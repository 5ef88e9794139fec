import { expect, test } from 'bun:test';
import { linksInText } from '#src/engine/message/links-in-text.ts';
import { createRandom } from '#test/support/random.ts';
import { growthOf, MOST_GROWTH } from './growth.ts';

/** Pieces that readers of messages join, split, count, or read again. */
const UNITS = [
  ...[
    'x',
    ' ',
    '\n',
    '\n\n',
    '- ',
    '> ',
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
  ],
  ...['a.', 'a.example', 'b.in', 'a.b/c', 'a-b.top/', '1.2.3.4', '10.0.0.0/8', 'me@a.example,', 'www.', 'x:y@'],
  ...[
    'http://',
    'https://a.example/',
    'https:\\/\\/',
    'hxxp://',
    'hxxps[://]',
    'h t t p',
    'meow:',
    'https%3A%2F%2F',
    '?u=https://b.example',
  ],
  ...['[.]', '(dot)', ' DOT ', '[.', '.]', '<.>', '\\.', '[/]', '[:]', '&#46;', '\\u002f', '&amp;'],
  ...[
    '[a](http://',
    '[a](',
    '[a][b]',
    '[a]: http://b.example\n',
    '<https://a.example/|',
    '<https://',
    '>',
    '<',
    '"',
    "'",
    '`',
    '(',
    ')',
    '{',
  ],
  ...['██', '▀▄', '##', '####  ##\n', '  \n', '|', ',', ';', 'visit ', 'M:'],
];

/** How often a piece follows itself. */
const RUNS = [1, 1, 1, 2, 9, 70];

/** Lengths of an ordinary rest of a line, which wrapped lines and long ones have. */
const RESTS = [0, 0, 8, 62, 72, 300, 8000];
const ENDS = ['\n', '\n', '\n', '\n> ', '\n\n', ' ', ''];

const MAX_PIECES = 3;
const COMPOSITIONS = 500;

/** Returns texts that repeat a random sequence of pieces. */
function composition(seed: number): (length: number) => string {
  const random = createRandom(seed);
  const pieces = Array.from({ length: 1 + random.below(MAX_PIECES) }, () =>
    random.pick(UNITS).repeat(random.pick(RUNS)),
  );
  const sequence = pieces.join('') + 'x'.repeat(random.pick(RESTS)) + random.pick(ENDS);
  return (length) => sequence.repeat(Math.ceil(length / sequence.length)).slice(0, length);
}

test('reads a message of any composition of hostile pieces in linear time', async () => {
  const slow: object[] = [];
  for (let seed = 1; seed <= COMPOSITIONS; seed++) {
    const textOf = composition(seed);
    const texts = new Map<number, string>();
    const growth = await growthOf((length) => linksInText(texts.getOrInsertComputed(length, textOf)), 120_000);
    if (growth > MOST_GROWTH) slow.push({ seed, growth, text: textOf(60) });
  }
  expect(slow).toEqual([]);
});
