import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ShortResultSchema } from '#src/checks/record/short-result.ts';
import { lurecheck } from '#test/support/executable.ts';
import { parseAs } from '#test/support/parse-as.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const OFFLINE = ['check', '--network', 'none'];
const URL = 'https://www.wikipedia.org/';

test('JSON for standard input is an array, regardless of the number of lines', async () => {
  for (const count of [0, 1, 3]) {
    const { stdout } = await lurecheck([...OFFLINE, '--format', 'json', '-'], { stdin: `${URL}\n`.repeat(count) });
    expect(JSON.parse(stdout)).toHaveLength(count);
  }
});

test('re-scores a single result with observations from standard input, in its original format', async () => {
  const flags = ['--format', 'json', '--with-observations'];
  for (const first of [
    await lurecheck([...OFFLINE, ...flags, URL]),
    await lurecheck([...OFFLINE, ...flags, '-'], { stdin: `${URL}\n` }),
  ]) {
    expect(await lurecheck(['check', ...flags, '--observations', '-'], { stdin: first.stdout })).toEqual(first);
  }
});

test('for an invalid line, tsv reports the reason on stderr, and ndjson contains the start of the line', async () => {
  const tsv = await lurecheck([...OFFLINE, '--format', 'tsv', '-'], { stdin: 'http://a b/\n' });
  expect(tsv.stdout).toBe('http://a b/\t\terror\n');
  expect(tsv.stderr).toMatch(/^lurecheck: line 1: the URL [^\n]+\n$/);
  const stdin = `{"url":"${URL}","status":200}\nnot json\n${'x'.repeat(1000)}\n`;
  const ndjson = await lurecheck([...OFFLINE, '--input', 'ndjson', '--format', 'ndjson', '-'], { stdin });
  const lines = ndjson.stdout.trim().split('\n');
  const [known, short, long] = lines.map((line): string => JSON.parse(line).url);
  expect([known, short]).toEqual([URL, 'not json']);
  expect(long).toBe(`${'x'.repeat(200)}…`);
});

test('a file instead of a URL is rejected with the right command, unless its name is a URL', async () => {
  await using directory = temporaryDirectory();
  for (const name of ['big.txt', 'page.html']) writeFileSync(join(directory.path, name), `${URL}\n`);
  const options = { cwd: directory.path };
  const list = await lurecheck([...OFFLINE, 'big.txt'], options);
  expect(list).toMatchObject({ exitCode: 2, stdout: '' });
  expect(list.stderr).toContain('big.txt is a file: to check the URLs in it, use check - < big.txt');
  const page = await lurecheck([...OFFLINE, URL, 'page.html'], options);
  expect(page.stderr).toContain('to classify a saved page, use check --html page.html URL');
  expect((await lurecheck([...OFFLINE, 'http://big.txt'], options)).exitCode).toBe(0);
});

test('colours follow the flag, then the environment variables', async () => {
  const coloured = async (flags: string[], environment: Record<string, string>) =>
    (await lurecheck([...OFFLINE, ...flags, URL], { environment })).stdout.includes('\u001b[');
  expect(await coloured([], {})).toBe(false);
  expect(await coloured(['--color', 'always'], { NO_COLOR: '1' })).toBe(true);
  expect(await coloured(['--color', 'never'], { FORCE_COLOR: '1' })).toBe(false);
  expect(await coloured([], { FORCE_COLOR: '1' })).toBe(true);
  expect(await coloured([], { FORCE_COLOR: '0' })).toBe(false);
  expect(await coloured(['--color=auto'], { NO_COLOR: '1' })).toBe(false);
});

test('the output marks an allowed link that needs caution, and calls no link without a page clean', async () => {
  const { stdout } = await lurecheck([...OFFLINE, 'http://docs-update.example/', URL]);
  expect(stdout.match(/no clear phishing, but some signals call for caution/g)).toHaveLength(1);
  expect(stdout).toMatch(
    /^ALLOW\? [^\n]+docs-update\.example\/\n +page not fetched: no page was requested\n +no clear phishing/,
  );
});

test('--view short prints a small JSON object per URL, also in threads, and rejects incompatible flags', async () => {
  const offline = ['check', '--network', 'none', '--view', 'short'];
  const { stdout, exitCode } = await lurecheck([...offline, 'https://example.com/', 'http://a.example/']);
  const lines = stdout.trim().split('\n');
  expect([exitCode, lines.length]).toEqual([0, 2]);
  for (const line of lines) {
    const short = parseAs(ShortResultSchema, JSON.parse(line));
    expect(Buffer.byteLength(line) - Buffer.byteLength(JSON.stringify(short.url))).toBeLessThanOrEqual(300);
    expect(short.reasons.length).toBeGreaterThan(0);
  }
  const array = await lurecheck([...offline, '--format', 'json', 'https://example.com/', 'ftp://a.example/']);
  expect(JSON.parse(array.stdout)).toMatchObject([{ coverage: 'url_only' }, { code: 'unsupported_scheme' }]);
  const many = await lurecheck([...offline, '-'], { stdin: 'http://a.example/\n'.repeat(3000) });
  expect(
    many.stdout
      .trim()
      .split('\n')
      .filter((line) => !line.startsWith('{"request_id"')),
  ).toEqual([]);
  for (const flags of [['--format', 'tsv'], ['--format', 'text'], ['--trace'], ['--with-observations']]) {
    const refused = await lurecheck([...offline, ...flags, 'https://example.com/']);
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('--view short')]);
  }
});
