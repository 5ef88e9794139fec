import { expect, test } from 'bun:test';
import { linksInText } from '#src/engine/message/text/links-in-text.ts';

const urlsOf = (text: string) => linksInText(text).links.map(({ url }) => new URL(url).href);

test.each([
  ['paypal-login [.] verify-acct [.] example/signin', 'http://paypal-login.verify-acct.example/signin'],
  ['paypal-login(dot)verify-acct{.}example/signin', 'http://paypal-login.verify-acct.example/signin'],
  ['paypal-login DOT verify-acct DOT com', 'http://paypal-login.verify-acct.com/'],
  ['c2-24<.>top<.>example/x', 'http://c2-24.top.example/x'],
  ['hxxps[://]bad-path[.]example/login[.]php', 'https://bad-path.example/login.php'],
  ['hxxps[:]//bad-path[.]example[/]login.php', 'https://bad-path.example/login.php'],
  ['hxxp : // c2.example/x', 'http://c2.example/x'],
  ['ht tps://c2.example/x', 'https://c2.example/x'],
  ['meow://c2.example/x', 'http://c2.example/x'],
  ['h00p://c2(.)top(.)example/e', 'http://c2.top.example/e'],
  [String.raw`hxxp:\\c2.example\c.doc`, 'http://c2.example/c.doc'],
  ['https://c2-33.top[.example/x', 'https://c2-33.top.example/x'],
  ['ht\u200btps://c2\u2060.example/x', 'https://c2.example/x'],
  ['www[.]c2[.]example/x[.]y', 'http://www.c2.example/x.y'],
  ['https://c2-41.example/a[.]b', 'https://c2-41.example/a[.]b'],
  [String.raw`"url":"https:\/\/b10.top.example\/x\/y"`, 'https://b10.top.example/x/y'],
  [String.raw`"h":"http:\u002f\u002fhit2.top.example\u002fx"`, 'http://hit2.top.example/x'],
  [String.raw`'http:\x2f\x2fhit2.top.example\x2fx'`, 'http://hit2.top.example/x'],
  ['https://login&#46;verify.example&#x2f;x', 'https://login.verify.example/x'],
  ['url=https%3A%2F%2Fb31.example.top%2Fx', 'https://b31.example.top/x'],
  ["DownloadString('https://b1.top.example/rdp.ps1');g $I", 'https://b1.top.example/rdp.ps1'],
  ["get('https://b1.top.example/it's')", "https://b1.top.example/it's"],
  ['url,https://b4.top.example/g/v,Malicious', 'https://b4.top.example/g/v'],
  ['1;https://b4.top.example/g/v;phish', 'https://b4.top.example/g/v'],
  ['https://b21.top.example/x…', 'https://b21.top.example/x'],
  ['https://daytips.example/recommend.html--------', 'https://daytips.example/recommend.html'],
  ['www.daytips.example/recommend.html====', 'http://www.daytips.example/recommend.html'],
])('%s is read as %s', (written, url) => {
  expect(urlsOf(written)).toEqual([url]);
  expect(urlsOf(`please look at ${written} now`)).toEqual([url]);
});

test('escaped line breaks separate links', () => {
  expect(urlsOf(String.raw`https://b25.top.example/x\n\nhttps://b26.top.example/y`)).toEqual([
    'https://b25.top.example/x',
    'https://b26.top.example/y',
  ]);
  expect(urlsOf(String.raw`"https://b25.top.example/x\nThank you"`)).toEqual(['https://b25.top.example/x']);
});

test('in scripts without spaces an address begins and ends at their letters, or is one with them', () => {
  expect(urlsOf('今すぐpaypal-secure.comを確認')).toEqual(['http://paypal-secure.com/']);
  expect(linksInText('次はevil-login.example/resetへ').links.map(({ url }) => url)).toEqual([
    'http://次はevil-login.example/resetへ',
    'http://evil-login.example/reset',
  ]);
});

test('in a list of defanged links, each line is a link of its own, also one that is not understood', () => {
  const lines = ['http://c2-six.example.top/d', 'h00p://c2-seven(.)example(.)top/e', 'c2-eight[.]example[.]top/f'];
  const { links } = linksInText([...lines, 'gopher://c2.example/x', 'zzxp://c2.example/9'].join('\n'));
  expect(links.map(({ url, isGuess }) => [url, isGuess])).toEqual([
    ['http://c2-six.example.top/d', undefined],
    ['http://c2-seven.example.top/e', undefined],
    ['http://c2-eight.example.top/f', undefined],
  ]);
});

test('a link that lines cut is joined up to the length that is checked', () => {
  const lines = Array.from({ length: 200 }, () => 'x'.repeat(90));
  const [joined] = linksInText(`<https://a.example/-\n${lines.join('\n')}>`).links;
  expect(joined?.url.length).toBeLessThanOrEqual(8200);
  expect(joined?.url.length).toBeGreaterThan(8000);
});

test('long lines that look cut are read once', () => {
  const line = `[a](http://${'x'.repeat(8000)}\n`;
  expect(linksInText(line.repeat(60)).links.length).toBe(1);
});

test('characters within an address that reverse its direction stay, and mark the link', () => {
  const [link] = linksInText('https://www.debian.org/\u202egnp.exe', undefined, true).links;
  expect(link).toMatchObject({ isReversed: true });
});
