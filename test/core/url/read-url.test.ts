import { expect, test } from 'bun:test';
import { readUrl, thinMarks } from '#src/core/url/read-url.ts';
import { cpuMs } from '#test/support/cpu-time.ts';
import { createRandom } from '#test/support/random.ts';

/** Marks of several classes, which normalisation has to put in order. */
const ROWS = ['\u0300\u0323', '\u0315\u0300\u0323', '\u0f71\u0f72\u0f74', '\uff9e\u0323'];
const MANY = 60_000;
/** Unbounded, each of these takes seconds. */
const LIMIT_MS = 100;

test.each(ROWS)('rejects a very long host of %j in bounded time', (row) => {
  const host = `a${row.repeat(MANY / row.length)}`;
  for (const text of [
    `http://${host}/`,
    `\n ht\ttps:\\/${host}`,
    `//${host}`,
    `https://u@${host}:80?`,
    `https:${host}`,
  ]) {
    let url: URL | null = null;
    const read = () => {
      url = readUrl(text, 'http://base.example/');
    };
    expect(cpuMs(read, LIMIT_MS)).toBeLessThan(LIMIT_MS);
    expect(url).toBeNull();
  }
});

test.each(ROWS)('normalizes a very long text of %j in bounded time', (row) => {
  const text = `a${row.repeat(MANY / row.length)}`;
  for (const form of ['NFD', 'NFKD', 'NFC']) {
    expect(cpuMs(() => thinMarks(text).normalize(form), LIMIT_MS)).toBeLessThan(LIMIT_MS);
  }
});

test('parses a URL as the platform does', () => {
  const random = createRandom(11);
  const pieces = [
    'http:',
    'https:',
    'foo:',
    '//',
    '/',
    '\\',
    '\t',
    ' ',
    'a',
    'é',
    '.',
    '@',
    '?',
    '#',
    ':80',
    'a\u0301',
    'ﾞ',
  ];
  for (let round = 0; round < 3000; round++) {
    const row = random.pick(ROWS).repeat(random.below(4) === 0 ? random.below(900) : 0);
    const text = Array.from({ length: 10 }, () => random.pick([...pieces, row])).join('');
    expect({ text, href: readUrl(text, 'http://base.example/a/b')?.href }).toEqual({
      text,
      href: URL.parse(text, 'http://base.example/a/b')?.href,
    });
  }
});

test('thinMarks keeps the marks of every language', () => {
  const words = ['Z͑ͫaͤl̇g̈o', 'เกี่ยวกับที่', 'हिन्दी', 'שָׁלוֹם', 'Việt', 'བཀྲ་ཤིས'];
  expect(words.map(thinMarks)).toEqual(words);
});
