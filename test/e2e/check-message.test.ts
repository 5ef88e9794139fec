import { expect, test } from 'bun:test';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attachment, htmlMail, LURE_HTML, LURE_URL } from '#test/engine/message/mails.ts';
import { lurecheck } from '#test/support/executable.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const MESSAGE = ['check', '--network', 'none', '--message'];
const ORDINARY = 'https://www.wikipedia.org/';
const MAIL = htmlMail(LURE_HTML, `Please confirm. ${ORDINARY}`);

test('checks the links of a mail or HTML, from a file or standard input, and reports misleading words', async () => {
  await using directory = temporaryDirectory();
  const file = join(directory.path, 'mail.eml');
  writeFileSync(file, MAIL);
  for (const [path, stdin] of [
    [file, ''],
    ['-', MAIL],
    ['-', `${LURE_HTML}<a href=${ORDINARY}>More</a>`],
  ] as const) {
    const { stdout, stderr, exitCode } = await lurecheck([...MESSAGE, path], { stdin });
    expect(stdout).toMatch(/^BLOCK +\d+\.\d % +https:\/\/paypal-login\.verify-account\.cyou\/signin$/m);
    expect(stdout).toMatch(
      /^ +the message says www\.paypal\.com, but this goes to paypal-login\.verify-account\.cyou$/m,
    );
    expect(stdout).toMatch(/^ALLOW\? +<?\d+\.\d % +https:\/\/www\.wikipedia\.org\/$/m);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  }
});

test('JSON contains the words and the destination of each link, in order', async () => {
  const { stdout } = await lurecheck([...MESSAGE, '-', '--format', 'json'], { stdin: MAIL });
  const answers: { url: string; in_message: unknown }[] = JSON.parse(stdout);
  expect(answers.map(({ url, in_message }) => [url, in_message])).toEqual([
    [
      LURE_URL,
      { words: 'https://www.paypal.com/signin', says: 'www.paypal.com', goes_to: 'paypal-login.verify-account.cyou' },
    ],
    [ORDINARY, { words: null, says: null, goes_to: null }],
    ['https://paypal.example/', { words: 'service@paypal.example', says: null, goes_to: null, how: 'sender' }],
  ]);
  const lines = await lurecheck([...MESSAGE, '-', '--format', 'ndjson'], { stdin: LURE_URL });
  expect(JSON.parse(lines.stdout).in_message).toEqual({ words: null, says: null, goes_to: null });
});

test('the exit code follows --fail-on, as for any check', async () => {
  const codeOf = async (stdin: string, failOn: string) =>
    (await lurecheck([...MESSAGE, '-', '--fail-on', failOn], { stdin })).exitCode;
  expect(await codeOf(MAIL, 'block')).toBe(20);
  expect(await codeOf(ORDINARY, 'block')).toBe(0);
});

test('reports unread attachments, and a message without links', async () => {
  const mail = htmlMail(LURE_HTML, 'x', [
    attachment('image/png', 'code.png', new Uint8Array([1, 0, 2])),
    attachment('application/pdf', 'a\u001b[31m.pdf', new Uint8Array([0])),
  ]);
  const { stderr } = await lurecheck([...MESSAGE, '-'], { stdin: mail });
  expect(stderr).toMatch(/^lurecheck: not read: code\.png, a\S*\.pdf\n$/);
  expect(stderr).not.toContain('\u001b');
  const none = await lurecheck([...MESSAGE, '-', '--format', 'json'], { stdin: 'no link here' });
  expect(none).toEqual({ stdout: '[]\n', stderr: 'lurecheck: no links in standard input\n', exitCode: 0 });
});

test('names what was not read instead of reporting no links, in each format, without failing', async () => {
  const mail = htmlMail('<p>x</p>', 'x', [
    attachment('application/pkcs7-mime', 'smime.p7m', new Uint8Array([0x30, 0])),
    attachment('text/html', 'a.html', new TextEncoder().encode('<script>run(data)</script>')),
  ]);
  const names = ['smime.p7m', 'a.html: script'];
  for (const format of ['text', 'ndjson', 'json', 'tsv']) {
    const { stdout, stderr, exitCode } = await lurecheck([...MESSAGE, '-', '--format', format], { stdin: mail });
    expect({ stderr, exitCode }).toEqual({ stderr: `lurecheck: not read: ${names.join(', ')}\n`, exitCode: 0 });
    if (format === 'text') expect(stdout).toMatch(/^not read {9}smime\.p7m, a\.html: script$/m);
    const last = { url: '', code: 'invalid_body', not_read: names };
    if (format === 'ndjson') expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject(last);
    if (format === 'json') expect(JSON.parse(stdout)).toMatchObject([{ url: 'https://paypal.example/' }, last]);
  }
});

test('states how a page leads to an address', async () => {
  const page = `<html><script>location.href="${LURE_URL}"</script></html>`;
  const { stdout } = await lurecheck([...MESSAGE, '-', '--format', 'ndjson'], { stdin: page });
  expect(JSON.parse(stdout)).toMatchObject({ url: LURE_URL, in_message: { how: 'script' } });
  const text = await lurecheck([...MESSAGE, '-'], { stdin: page });
  expect(text.stdout).toContain('a script of the page leads here');
});

test.each([
  [['-', 'https://example.com/'], '--message contains the URLs: no operand expected'],
  [['-', '--input', 'ndjson'], '--input requires -, not --message'],
  [['-', '--html', 'x'], '--html does not apply to --message'],
  [['nothing.eml'], '--message: file not found: nothing.eml'],
])('%j is rejected with the reason', async (args, words) => {
  const { stderr, exitCode } = await lurecheck([...MESSAGE, ...args]);
  expect(stderr).toContain(words);
  expect(exitCode).toBe(2);
});

test('rejects a binary file, because it may contain links', async () => {
  await using directory = temporaryDirectory();
  const file = join(directory.path, 'mail.msg');
  writeFileSync(file, new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0, 0]));
  const { stdout, stderr, exitCode } = await lurecheck([...MESSAGE, file]);
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
  expect(stderr).toContain('mail.msg is neither a mail nor HTML nor text: save it as .eml, .msg or .html');
});

test('fails with an error if a message is not read completely', async () => {
  const frame = (inner: string) =>
    `<iframe srcdoc="${inner.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></iframe>`;
  const stdin = `<html>${LURE_URL} ${frame(frame(frame(`<a href=${ORDINARY}>x</a>`)))}</html>`;
  const { stdout, exitCode } = await lurecheck([...MESSAGE, '-', '--format', 'json'], { stdin });
  const [lure, rest] = JSON.parse(stdout);
  expect(lure.url).toBe(LURE_URL);
  expect(rest).toMatchObject({ code: 'invalid_body', url: '', line: 2 });
  expect(rest.detail).toContain('not read completely');
  expect(exitCode).toBe(1);
});

test('rejects a file of more than 32 MiB, and an endless device', async () => {
  await using directory = temporaryDirectory();
  const large = join(directory.path, 'large.eml');
  writeFileSync(large, MAIL);
  truncateSync(large, 32 * 1024 ** 2 + 1);
  for (const [path, problem] of [
    [large, 'is larger than a message: expected at most 32 MiB'],
    ['/dev/zero', 'is a device; expected a file'],
  ] as const) {
    const { stdout, stderr, exitCode } = await lurecheck([...MESSAGE, path]);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain(`${path} ${problem}`);
  }
});
