import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lurecheck } from '#test/support/executable.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { onTerminal } from '#test/support/terminal.ts';

const CHECK = ['check', '--network', 'none'];
const URL = 'http://example.com/';

test('Ctrl+C ends a log that is followed', async () => {
  await using directory = temporaryDirectory();
  const data = ['--data-dir', directory.path];
  await lurecheck([...CHECK, '--record', 'public', ...data, URL]);
  using terminal = await onTerminal(['log', '--follow', '--limit', '1', ...data]);
  await terminal.until(URL);
  terminal.type('\u0003');
  expect(await terminal.exited).toBe(130);
});

test.each([
  { args: ['-h'], says: 'Usage: lurecheck COMMAND', code: 0 },
  { args: ['log', '-h'], says: 'Usage: lurecheck log', code: 0 },
  { args: ['-V'], says: 'lurecheck ', code: 0 },
  { args: ['check'], says: 'lurecheck: name a URL to check', code: 2 },
  { args: ['check', 'page.html'], says: 'page.html is a file', code: 2 },
  { args: [...CHECK, '--color', 'never', URL], says: 'ALLOW', code: 0 },
  { args: ['completions', 'zsh'], says: '#compdef lurecheck', code: 0 },
  { args: ['man'], says: '.TH LURECHECK', code: 0 },
])('a terminal shows a person what $args comes to, without escapes, and $code', async ({ args, says, code }) => {
  await using directory = temporaryDirectory();
  writeFileSync(join(directory.path, 'page.html'), '<p>');
  const named = args.map((word) => (word === 'page.html' ? join(directory.path, word) : word));
  using terminal = await onTerminal(named);
  expect(await terminal.exited).toBe(code);
  await terminal.until(says);
  expect(terminal.shown()).not.toContain('\u001b[');
});
