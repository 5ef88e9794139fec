import { describe, expect, test } from 'bun:test';
import { defang, refang } from '#src/core/url/defang.ts';
import { cpuMs } from '#test/support/cpu-time.ts';
import { createRandom } from '#test/support/random.ts';

describe('reads a defanged or incomplete URL as the intended URL', () => {
  test.each([
    ['hxxps://evil[.]example/a', 'https://evil.example/a'],
    ['hXXp://evil(.)example', 'http://evil.example'],
    ['h**p://evil{.}example', 'http://evil.example'],
    ['hxxps[:]//evil[.]example', 'https://evil.example'],
    ['hxxps[://]evil.example', 'https://evil.example'],
    ['hxxp : // evil[.]example', 'http://evil.example'],
    ['evil[dot]example/x', 'http://evil.example/x'],
    ['evil (dot) example', 'http://evil.example'],
    ['evil dot example', 'http://evil.example'],
    ['a [.] b [.] example', 'http://a.b.example'],
    ['evil[.]example[:]8080', 'http://evil.example:8080'],
    ['evil。example', 'http://evil.example'],
    ['<https://evil.example/>', 'https://evil.example/'],
    ['"hxxp://evil.example"', 'http://evil.example'],
    ['„evil.example“', 'http://evil.example'],
    ['(evil.example)', 'http://evil.example'],
    ['[evil.example]', 'http://evil.example'],
    ['  https://evil.example/ \n', 'https://evil.example/'],
    ['ht\u200btps://ev\u00adil.example', 'https://evil.example'],
    ['evil.example', 'http://evil.example'],
    ['evil.example:8080/x', 'http://evil.example:8080/x'],
    ['user@evil.example/x', 'http://user@evil.example/x'],
    ['//evil.example/x', 'http://evil.example/x'],
    ['localhost:3000', 'http://localhost:3000'],
    ['[2001:db8::1]/x', 'http://[2001:db8::1]/x'],
    ['192.0.2[.]1', 'http://192.0.2.1'],
  ])('%s', (text, url) => {
    const read = refang(text);
    expect(read.url).toBe(url);
    expect(read.changes).not.toBeEmpty();
  });
});

describe('does not change a URL, or text that cannot be a URL', () => {
  test.each([
    'https://evil.example/a[.]b?c=hxxp://x[.]y',
    'http://[2001:db8::1]/',
    'https://evil.example/?q=<x>',
    'ftp://evil.example',
    'mailto:someone@evil.example',
    'javascript:alert(1)',
    'data:text/html,a.b',
    'word',
    'two words',
    'see evil.example',
    'hello dot',
    '',
  ])('%s', (text) => {
    expect(refang(text)).toEqual({ url: text, changes: [] });
  });
});

test('reports each change', () => {
  expect(refang(' <evil[.]example> ').changes).toEqual([
    'removed white space around it',
    'removed quotes or brackets around it',
    'read the marked dots as dots',
    'added http:// in front',
  ]);
});

test('a defanged URL is not clickable, and refanging restores it', () => {
  for (const url of [
    'https://a.b.example:8080/x.y?z=1.2#f.g',
    'http://192.0.2.1/',
    'http://[2001:db8::1]/',
    'https://user:pass@evil.example/',
    'https://xn--80ak6aa92e.example/[.]',
  ]) {
    expect(URL.canParse(defang(url)) && /^https?:/.test(defang(url))).toBe(false);
    expect(refang(defang(url)).url).toBe(url);
  }
  expect(defang('mailto:a@b.example')).toBe('mailto:a@b.example');
});

test('refangs any text without an exception, in bounded time', () => {
  const random = createRandom(9);
  for (let round = 0; round < 5000; round++) {
    const parts = [
      'hxxp',
      'http',
      's',
      ':',
      '//',
      '[',
      ']',
      '(',
      ')',
      '.',
      'dot',
      ' ',
      '"',
      '<',
      '>',
      'a',
      '1',
      '@',
      '/',
      '\u200b',
      '\\',
    ];
    const text = Array.from({ length: random.below(14) }, () => random.pick(parts)).join('');
    expect(typeof refang(text).url).toBe('string');
  }
  const units = [' ', 'a.', '[.', '"', 'a dot ', '(', 'http', '[dot', '@'];
  const texts = units.map((unit) => unit.repeat(16_384 / unit.length));
  expect(cpuMs(() => texts.map(refang), 2000)).toBeLessThan(2000);
});
