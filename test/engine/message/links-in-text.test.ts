import { expect, test } from 'bun:test';
import { compareWords } from '#src/engine/message/mismatch.ts';
import { createReading } from '#src/engine/message/reading.ts';
import { linksInText } from '#src/engine/message/text/links-in-text.ts';
import { cpuMs } from '#test/support/cpu-time.ts';

const READING = createReading(undefined, compareWords);

const urlsOf = (text: string) => linksInText(text).links.map(({ url }) => url);

test('returns a URL unchanged', () => {
  for (const url of [
    'https://example.com/',
    'http://a.example/?q=hxxp://b',
    'https://a.example/wiki/A_(b)',
    'http://a.example/x.',
    'https://a.example/"><script>',
  ]) {
    expect(linksInText(url)).toEqual({ links: [{ url, words: null, mismatch: null }], linesWithout: [] });
  }
});

test.each([
  ['hxxps://paypal[.]com/login', 'https://paypal.com/login'],
  ['example.com/path', 'http://example.com/path'],
  ['localhost:8080/x', 'http://localhost:8080/x'],
  ['paypal dot com', 'http://paypal.com'],
  ['please look at evil-login.example/reset now', 'http://evil-login.example/reset'],
  ['please look at evil-login[.]example/reset now', 'http://evil-login.example/reset'],
  ['please look at evil-login[dot]example/reset now', 'http://evil-login.example/reset'],
  ['call www.evil.example!', 'http://www.evil.example'],
  ['see 192.0.2.7/login', 'http://192.0.2.7/login'],
  ['log in (evil.example/a_(b)), quickly', 'http://evil.example/a_(b)'],
  ['paypal.com@evil.example/login', 'http://paypal.com@evil.example/login'],
  ['give it to paypal.com:pw@evil.example please', 'http://paypal.com:pw@evil.example'],
  ['**https://evil.example/x**', 'https://evil.example/x'],
  ['こちらhttps://evil.example/resetへ。', 'https://evil.example/resetへ'],
  ['次のリンク：evil.example/reset。お早めに', 'http://evil.example/reset'],
  ['https://paypal。com/x', 'https://paypal.com/x'],
  ['<a href="https://evil.example/login">Your bank</a>', 'https://evil.example/login'],
  ["<a href='https://evil.example/login'>Your bank</a>", 'https://evil.example/login'],
  ['<a href=https://evil.example/login>Your bank</a>', 'https://evil.example/login'],
  ['[click](https://evil.example/login)', 'https://evil.example/login'],
  ['[click](<https://evil.example/login> "your bank")', 'https://evil.example/login'],
  ['go: https:/evil.example/x', 'https:/evil.example/x'],
])('%s leads to %s', (text, url) => {
  expect(urlsOf(text)).toEqual([url]);
});

test.each([
  ['https://a.example/ https://b.example/', ['https://a.example/', 'https://b.example/']],
  ['https://a.example/,https://b.example/', ['https://a.example/', 'https://b.example/']],
  ['https://a.example/;https://b.example/', ['https://a.example/', 'https://b.example/']],
  ['https://first.example/ahttps://second.example/b', ['https://first.example/a', 'https://second.example/b']],
  ['https://first.example/ahxxps://second[.]example/b', ['https://first.example/a', 'https://second.example/b']],
  ['evil.example, other.example', ['http://evil.example', 'http://other.example']],
  ['evil.example,other.example', ['http://evil.example', 'http://other.example']],
  ['evil.example/a,b,other.example/c', ['http://evil.example/a,b', 'http://other.example/c']],
  [
    'https://paypal.comをhttps://evil.example/へ',
    ['https://paypal.com', 'https://paypal.comを', 'https://evil.example/へ'],
  ],
  [
    'https://a.example/\n\n  https://b.example/ \r\nc.example',
    ['https://a.example/', 'https://b.example/', 'http://c.example'],
  ],
  ['> https://a.example/x\n> > b.example/y', ['https://a.example/x', 'http://b.example/y']],
])('%s contains several links', (text, urls) => {
  expect(urlsOf(text)).toEqual(urls);
});

test('reads at most the first 8,200 characters of each part of a very long word', () => {
  const rest = 'y'.repeat(20_000);
  expect(urlsOf(`a.example/x,${rest}`).map((url) => url.length)).toEqual(['http://a.example/x,'.length + 8200]);
  expect(urlsOf(`see https://a.example/${rest} there`).map((url) => url.length)).toEqual([8200]);
});

test('a link that contains another link, as in redirectors, is one link', () => {
  for (const url of [
    'https://web.example/2020/https://b.example/',
    'https://r.example/?to=https://b.example/&x=http://c.example',
  ]) {
    expect(urlsOf(`look: ${url} there`)).toEqual([url]);
  }
});

test.each([
  ['https://evil.example/lo\ngin?x=1', ['https://evil.example/lo', 'https://evil.example/login?x=1']],
  [
    'Go to https://paypal.com\n.evil.example/login now',
    ['https://paypal.com', 'https://paypal.com.evil.example/login'],
  ],
  [
    'https://paypal.com-\nsecure.example/login',
    ['https://paypal.com-', 'https://paypal.com-secure.example/login', 'http://secure.example/login'],
  ],
  ['<https://evil.example/lo\ngin> now', ['https://evil.example/login']],
  ['b.example/y <https://evil.example/lo\ngin> now', ['http://b.example/y', 'https://evil.example/login']],
  ['> <https://evil.example/lo\n> gin/a\n> b> now', ['https://evil.example/login/ab']],
  ['https://evil.example/?a=\nb', ['https://evil.example/?a=', 'https://evil.example/?a=b']],
  [
    `https://evil.example/${'a'.repeat(50)}\n${'b'.repeat(70)}\ncc\nBest regards`,
    [`https://evil.example/${'a'.repeat(50)}`, `https://evil.example/${'a'.repeat(50)}${'b'.repeat(70)}cc`],
  ],
  [
    '<https://r.example/\n?u=https://b.example/> now',
    ['https://r.example/?u=https://b.example/', 'https://b.example/'],
  ],
  ['<https://a.example/x\ny> b.example/z\nc', ['https://a.example/xy', 'http://b.example/z']],
  ['https://evil.\nexample/x', ['https://evil.', 'https://evil.example/x']],
  ['https://evil.example/x.\ny/z', ['https://evil.example/x.', 'https://evil.example/x.y/z']],
  ['https://evil.example/login\nX9', ['https://evil.example/login', 'https://evil.example/loginX9']],
  ['https://evil.example/login\n9X', ['https://evil.example/login', 'https://evil.example/login9X']],
  ['https://evil.example/a\nb.c', ['https://evil.example/a', 'https://evil.example/ab.c']],
  ['https://evil.example/x\n-y', ['https://evil.example/x', 'https://evil.example/x-y']],
  ['https://evil.example/x%\n20y', ['https://evil.example/x%', 'https://evil.example/x%20y']],
  ['https://evil.example/x_\ny z', ['https://evil.example/x_', 'https://evil.example/x_y']],
  ['https://evil.example/?a=1&\nb=2,', ['https://evil.example/?a=1&', 'https://evil.example/?a=1&b=2']],
])('%j may be a link with a line break, and both readings are returned', (text, urls) => {
  expect(urlsOf(text)).toEqual(urls);
});

test('a single word continues a link only after a line of at least 60 characters', () => {
  const lineOf = (length: number) => 'https://evil.example/'.padEnd(length, 'a');
  expect(urlsOf(`${lineOf(60)}\nrest`)).toEqual([lineOf(60), `${lineOf(60)}rest`]);
  expect(urlsOf(`${lineOf(60)}\nrest of it`)).toEqual([lineOf(60)]);
  expect(urlsOf(`${lineOf(59)}\nrest`)).toEqual([lineOf(59)]);
});

test('a link continues for at most 115 lines', () => {
  const ends = Array.from({ length: 116 }, (_, at) => `${at}-`);
  expect(urlsOf(['<https://evil.example/-', ...ends].join('\n'))).toEqual([
    `https://evil.example/-${ends.slice(0, 115).join('')}`,
  ]);
});

test.each([
  ['https://a.example/-\nHTTPS://b.example/y', ['https://a.example/-', 'HTTPS://b.example/y']],
  ['https://a.example/-\nWWW.b.example/y', ['https://a.example/-', 'http://WWW.b.example/y']],
  ['https://a.example/-\nmaria@b.example', ['https://a.example/-']],
  ['https://a.example/-\n“x/y” z', ['https://a.example/-']],
  ['evil.example\n/login', ['http://evil.example']],
  ['<https://a.example/x\nnow "', ['https://a.example/x']],
  ['https://a.example/x\n-- \nMaria', ['https://a.example/x']],
  ['https://a.example/x\n-----BEGIN PGP SIGNATURE-----', ['https://a.example/x']],
  ['https://a.example/x\n________________________________\nFrom: B', ['https://a.example/x']],
  ['https://a.example/x\n## Next', ['https://a.example/x']],
  ['https://www.corner-shop.de\n-- Maria', ['https://www.corner-shop.de']],
  ['https://www.corner-shop.de\nHRB12345', ['https://www.corner-shop.de']],
  ['https://www.corner-shop.de\n24/7 service', ['https://www.corner-shop.de']],
  ['> https://www.corner-shop.de:443\n> Tel.:0421/1234', ['https://www.corner-shop.de:443']],
])('%j is not joined', (text, urls) => {
  expect(urlsOf(text)).toEqual(urls);
});

test('a sentence that continues after a link is not part of it', () => {
  for (const next of ['now to confirm', 'Best regards', 'maria@example.com', '', '- first']) {
    expect(urlsOf(`Visit https://evil.example/login\n${next}`)).toEqual(['https://evil.example/login']);
  }
});

test.each([
  'maria@example.com',
  'write to maria@example.com, or <maria@example.com>',
  'maria@example.com,peter@example.com',
  'mailto:maria@example.com?subject=x',
  'Node.js and ASP, e.g. 1.2.3.4, at 10.30, invoice.pdf',
  'The end.The beginning',
  'javascript:alert(1)',
  'ftp://a.example/',
  'hello',
  'https://',
  '<a href="mailto:maria@example.com">maria@example.com</a>',
])('%s contains no link', (text) => {
  expect(linksInText(text)).toEqual({ links: [], linesWithout: [text] });
});

test('lines without links are returned in their order', () => {
  expect(linksInText('one\nhttps://a.example/\n\ntwo\nthree').linesWithout).toEqual(['one', 'two', 'three']);
  // The rest of a line that a link has ended.
  expect(linksInText('https://a.example/x-\ny  rest of it ').linesWithout).toEqual(['rest of it']);
});

test('finds links in sentences, and returns the other lines unchanged', () => {
  const message = 'Your parcel is waiting.\nPay the fee at https://post.example/pay?id=7, or (hxxp://b[.]example/y).';
  expect(linksInText(message).linesWithout).toEqual(['Your parcel is waiting.']);
  expect(urlsOf(message)).toEqual(['https://post.example/pay?id=7', 'http://b.example/y']);
});

test.each([
  ['[paypal.com](https://evil.example/x)', 'evil.example'],
  ['<https://evil.example/x|paypal.com>', 'evil.example'],
  ['Log in at paypal.com <https://evil.example/x>', 'evil.example'],
  ['https://paypal.com/signin<https://evil.example/x>', 'evil.example'],
])('%s shows paypal.com and leads to another site', (text, goesTo) => {
  expect(linksInText(text, READING).links.flatMap(({ mismatch }) => mismatch ?? [])).toEqual([
    { says: 'paypal.com', goesTo },
  ]);
});

test('the words of a link without a valid target are read as text', () => {
  expect(urlsOf('[b.example/x](https://[)')).toEqual(['http://b.example/x']);
  expect(urlsOf('[b.example/x](https://a.example/)')).toEqual(['https://a.example/']);
});

test('returns an address among Markdown’s words as well, since not every program renders it', () => {
  expect(urlsOf('[https://evil.example/](https://paypal.com/)')).toEqual([
    'https://paypal.com/',
    'https://evil.example/',
  ]);
});

test('reads a very long text in linear time', () => {
  const units = [
    '.',
    'https://',
    '(',
    'a.',
    'www.',
    '[.]',
    '[',
    '[a](',
    '<',
    'a@',
    'a,',
    'a.com,',
    '。',
    '>',
    'https://a.example/-\n',
    'a\n',
    '%',
    '*',
  ];
  const read = () =>
    [...units.map((unit) => unit.repeat(50_000)), 'https://a.example/. '.repeat(5000)].forEach((text) => {
      linksInText(text);
    });
  expect(cpuMs(read, 4000)).toBeLessThan(4000);
});

test('the halves of a link with a possible line break are guesses, unless they occur elsewhere', () => {
  const guessesIn = (text: string) =>
    linksInText(text)
      .links.filter(({ isGuess }) => isGuess)
      .map(({ url }) => url);
  const cut = 'https://paypal.com-\nsecure.example/login';
  expect(guessesIn(cut)).toEqual(['https://paypal.com-', 'http://secure.example/login']);
  expect(guessesIn(`${cut}\n\nsee http://secure.example/login`)).toEqual(['https://paypal.com-']);
  expect(guessesIn(`see http://secure.example/login\n\n${cut}`)).toEqual(['https://paypal.com-']);
  expect(guessesIn('https://a.example/x\nhttps://b.example/y')).toEqual([]);
  expect(guessesIn(`https://a.example/x;${cut}`)).toEqual(['https://paypal.com-', 'http://secure.example/login']);
});

test('Markdown references lead to their definition, and keep their words', () => {
  const text =
    '[https://www.paypal.com/signin][1] or [Help][] or [this][Two] or [none][9]\n\n[1]: http://evil.example/a "Title"\n[help]: <https://b.example/>\n[two]: hxxps://c[.]example/x';
  const { links } = linksInText(text, READING);
  expect(links.map(({ url, words }) => [url, words])).toEqual([
    ['http://evil.example/a', 'https://www.paypal.com/signin'],
    ['https://b.example/', 'Help'],
    ['https://c.example/x', 'this'],
    ['https://www.paypal.com/signin', null],
  ]);
  expect(links[0]?.mismatch).toEqual({ says: 'www.paypal.com', goesTo: 'evil.example' });
});
