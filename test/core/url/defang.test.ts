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
    ['hxxps[://]bad-path[.]example/login[.]php', 'https://bad-path.example/login.php'],
    [
      'hxxps[://]www[.]google[.]com/url?q=hxxps[://]paypal-login[.]verify-acct[.]example/signin',
      'https://www.google.com/url?q=https://paypal-login.verify-acct.example/signin',
    ],
    ['hxxps[:]//r[.]example/?u=hxxp%3A%2F%2Fevil[.]example', 'https://r.example/?u=http%3A%2F%2Fevil.example'],
    ['hxxp://c2-fifteen[.]top[.]example[/]login[.]php', 'http://c2-fifteen.top.example/login.php'],
    ['hxxp[:][/][/]c2[.]example[/]a[/]b(dot)exe', 'http://c2.example/a/b.exe'],
    [String.raw`hxxp:\\c2-four[.]top.example\c.doc`, 'http://c2-four.top.example/c.doc'],
    [String.raw`hxxp:\/\/c2.example\/x`, 'http://c2.example/x'],
    [String.raw`https:\/\/c2.example\/x\/y`, 'https://c2.example/x/y'],
    ['hxxp:/c2.example/y', 'http://c2.example/y'],
    ['h00p://c2-seven(.)top(.)example/e', 'http://c2-seven.top.example/e'],
    ['hXXps://c2-eight[d0t]top[dot]example', 'https://c2-eight.top.example'],
    ['meow://c2-nine.top.example/x', 'http://c2-nine.top.example/x'],
    ['meows://c2-nine.top.example/x', 'https://c2-nine.top.example/x'],
    ['hxtp://c2-29.top.example/x', 'http://c2-29.top.example/x'],
    ['htxps://c2.example/x', 'https://c2.example/x'],
    ['ht tps://c2.example/x', 'https://c2.example/x'],
    ['h t t p s : / / c2.example/x', 'https://c2.example/x'],
    ['http[s]://c2.example/x', 'https://c2.example/x'],
    ['hxxp:// c2.example/x', 'http://c2.example/x'],
    ['hx\u200bxp[\u2060:]//c2[\ufeff.]example', 'http://c2.example'],
    ['https://c2-33.top[.example/x', 'https://c2-33.top.example/x'],
    ['https://c2-35[.top.]example/x', 'https://c2-35.top.example/x'],
    ['c2[.example]/x', 'http://c2.example/x'],
    ['https://c2-24<.>top<.>example/x', 'https://c2-24.top.example/x'],
    ['paypal DOT com', 'http://paypal.com'],
    ['someone[@]c2[.]example/x', 'http://someone@c2.example/x'],
    ['someone[at]c2[.]example[:]8080/x', 'http://someone@c2.example:8080/x'],
    ['hxxp://[2001:db8::1]/x', 'http://[2001:db8::1]/x'],
    ['((((((hxxp://c2.example/x))))))', 'http://c2.example/x'],
  ])('%s', (text, url) => {
    const { url: read } = refang(text);
    expect(read).toBe(url);
    expect(refang(read)).toEqual({ url, isDefanged: false });
  });
});

describe('does not change a URL, or text that cannot be a URL', () => {
  test.each([
    'https://evil.example/a[.]b?c=hxxp://x[.]y',
    'http://[2001:db8::1]/',
    'https://evil.example/?q=<x>',
    'https://c2-41.example/a[.]b',
    'https://c2.example/a(.)b?c=[dot]&d=[:]#[/]',
    String.raw`https://c2.example/a\.b`,
    String.raw`http:\\c2.example\b`,
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
    expect(refang(text)).toEqual({ url: text, isDefanged: false });
  });
});

test('a defanged URL is not clickable, and refanging restores it', () => {
  for (const url of [
    'https://a.b.example:8080/x.y?z=1.2#f.g',
    'http://192.0.2.1/',
    'http://[2001:db8::1]/',
    'https://user:pass@evil.example/',
    'https://xn--80ak6aa92e.example/%5B.%5D',
  ]) {
    expect(URL.canParse(defang(url)) && /^https?:/.test(defang(url))).toBe(false);
    expect(refang(defang(url)).url).toBe(url);
  }
  // Some brackets would be read as marks.
  expect(defang('https://a.example/[x](y)')).toBe('hxxps://a[.]example/[x](y)');
  expect(defang('https://a.example/(dot)')).toBe('hxxps://a[.]example/%28dot%29');
  expect(defang('https://a.example/[.]')).toBe('hxxps://a[.]example/%5B.%5D');
  expect(defang('mailto:a@b.example')).toBe('mailto:a@b.example');
});

test('refangs any text without an exception, once and for all, in bounded time', () => {
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
      '[.]',
      '[://]',
      'x/y',
    ];
    const text = Array.from({ length: random.below(14) }, () => random.pick(parts)).join('');
    const { url } = refang(text);
    expect([text, refang(url).url]).toEqual([text, url]);
  }
  const units = [
    ' ',
    'a.',
    '[.',
    '"',
    'a dot ',
    '(',
    'http',
    '[dot',
    '@',
    'hxxp://',
    '[.]',
    '[:]',
    'h ',
    '\\/',
    '((a))',
  ];
  const texts = units.map((unit) => unit.repeat(16_384 / unit.length));
  expect(cpuMs(() => texts.map(refang), 2000)).toBeLessThan(2000);
});
