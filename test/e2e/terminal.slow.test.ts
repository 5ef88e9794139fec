import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lurecheck } from '#test/support/executable.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { onTerminal, shellOnTerminal } from '#test/support/terminal.ts';

const CHECK = ['check', '--network', 'none'];
const URL = 'http://example.com/';
const PHISHING = 'http://paypal-login.verify-account-secure.cyou/signin/index.php';

test('Ctrl+C ends log --follow', async () => {
  await using directory = temporaryDirectory();
  const data = ['--data-dir', directory.path];
  await lurecheck([...CHECK, '--record', 'public', ...data, URL]);
  using terminal = await onTerminal(['log', '--follow', '--limit', '1', ...data]);
  await terminal.until(URL);
  terminal.type('\u0003');
  expect(await terminal.exited).toBe(130);
});

test('the progress of redirected checks is shown on the terminal, and removed at the end', async () => {
  using terminal = await shellOnTerminal(`yes ${URL} | "$lurecheck" check --network none - > /dev/null`);
  await terminal.until(' checked, 0 warn, 0 block, 0 failed, ');
  terminal.type('\u0003');
  expect(await terminal.exited).toBe(130);
  const line = `echo ${URL} | "$lurecheck" check --network none`;
  using ended = await shellOnTerminal(`${line} - > /dev/null`);
  expect([await ended.exited, ended.shown()]).toEqual([0, '\r\u001b[K']);
  using quiet = await shellOnTerminal(`${line} --quiet - > /dev/null`);
  expect([await quiet.exited, quiet.shown()]).toEqual([0, '']);
});

test('the progress of rescore is shown on the terminal, and removed at the end', async () => {
  await using directory = temporaryDirectory();
  const data = ['--data-dir', directory.path];
  await lurecheck([...CHECK, '--record', 'public', ...data, URL]);
  using terminal = await onTerminal(['rescore', ...data]);
  expect(await terminal.exited).toBe(0);
  expect(terminal.shown()).toStartWith('\r\u001b[K1 check re-scored by ');
  using quiet = await onTerminal(['rescore', '--quiet', ...data]);
  expect([await quiet.exited, quiet.shown()]).toEqual([0, expect.stringMatching(/^1 check re-scored/)]);
});

test('log and brand list print the latest checks and the configured brands on a terminal', async () => {
  await using directory = temporaryDirectory();
  const data = ['--data-dir', directory.path];
  const others = ['http://a.example/', 'http://b.example/'];
  for (const url of [...others, PHISHING]) await lurecheck([...CHECK, '--record', 'public', ...data, url]);
  await lurecheck(['brand', 'add', 'Nordwerk', '--domain', 'nordwerk.example', ...data]);
  const shows = async (...args: string[]) => {
    using terminal = await onTerminal([...args, ...data]);
    expect(await terminal.exited).toBe(0);
    return terminal.shown();
  };
  const newest = await shows('log', '--limit', '1', '--decision', 'allow');
  expect([...others, PHISHING].filter((url) => newest.includes(url))).toEqual(['http://b.example/']);
  expect(await shows('log', '--decision', 'block')).toContain(`\u001b[31mBLOCK \u001b[0m`);
  expect(await shows('brand', 'list')).toBe('Nordwerk\tnordwerk.example\t0 pages\r\n');
});

test.each([
  { args: ['-h'], says: 'Usage: lurecheck COMMAND', code: 0 },
  { args: ['log', '-h'], says: 'Usage: lurecheck log', code: 0 },
  { args: ['-V'], says: 'lurecheck ', code: 0 },
  { args: ['check'], says: 'lurecheck: expected a URL to check', code: 2 },
  { args: ['check', 'page.html'], says: 'page.html is a file', code: 2 },
  { args: [...CHECK, '--color', 'never', URL], says: 'ALLOW', code: 0 },
  { args: ['completions', 'zsh'], says: '#compdef lurecheck', code: 0 },
  { args: ['man'], says: '.TH LURECHECK', code: 0 },
])('$args prints its output on a terminal without escapes, and exits with $code', async ({ args, says, code }) => {
  await using directory = temporaryDirectory();
  writeFileSync(join(directory.path, 'page.html'), '<p>');
  const named = args.map((word) => (word === 'page.html' ? join(directory.path, word) : word));
  using terminal = await onTerminal(named);
  expect(await terminal.exited).toBe(code);
  await terminal.until(says);
  expect(terminal.shown()).not.toContain('\u001b[');
});
