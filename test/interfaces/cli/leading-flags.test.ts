import { expect, test } from 'bun:test';
import { commandFirst } from '#src/interfaces/cli/arguments.ts';

const isCommand = (word: string) => ['log', 'check', 'help'].includes(word);

test.each([
  ['log -q', 'log -q'],
  ['-q log', 'log -q'],
  ['--quiet log --limit 3', 'log --quiet --limit 3'],
  ['--data-dir /srv/a log', 'log --data-dir /srv/a'],
  ['--data-dir log log', 'log --data-dir log'],
  ['--data-dir=log --no-public-history log', 'log --data-dir=log --no-public-history'],
  ['--color never --config /a.toml help settings', 'help --color never --config /a.toml settings'],
  ['--format json log', 'log --format json'],
  ['-q --private log', 'log -q --private'],
  ['--network none http://example.com/', '--network none http://example.com/'],
  ['frobnicate log', 'frobnicate log'],
  ['-q', '-q'],
  ['', ''],
])('%s is %s', (typed, read) => {
  expect(commandFirst(typed.split(' ').filter(Boolean), isCommand).join(' ')).toBe(read);
});
