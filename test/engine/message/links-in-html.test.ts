import { expect, test } from 'bun:test';
import { readMarkup } from '#src/engine/message/links-in-html.ts';
import { cpuMs } from '#test/support/cpu-time.ts';

const linksInHtml = (markup: string) => readMarkup(markup).links;
const urlsOf = (markup: string) => linksInHtml(markup).map(({ url }) => url);

test.each([
  ['<a href="https://evil.example/x">Log in</a>', 'https://evil.example/x'],
  ['<A HREF=https://evil.example/x>Log in</A>', 'https://evil.example/x'],
  ['<a href="http://evil.example/x">Log in</a>', 'http://evil.example/x'],
  ['<a href=" //evil.example/x">Log in</a>', 'https://evil.example/x'],
  ['<a href="https://evil.example/?a=1&amp;b=&#50;">x', 'https://evil.example/?a=1&b=2'],
  ['<a href=" \thttps://evil\n.example/x ">x</a>', 'https://evil.example/x'],
  ['<a href="//evil.example/x">x</a>', 'https://evil.example/x'],
  ['<a href="\\\\evil.example/x">x</a>', 'https://evil.example/x'],
  ['<a href="www.evil.example/x">x</a>', 'http://www.evil.example/x'],
  ['<base href="https://evil.example/a/"><a href="../x">x</a>', 'https://evil.example/x'],
  ['<map><area href="https://evil.example/x" alt="x"></map>', 'https://evil.example/x'],
  ['<form action="https://evil.example/x"><input type=password></form>', 'https://evil.example/x'],
  ['<base href="https://evil.example/"><a href="x//y#">x</a>', 'https://evil.example/x//y#'],
  ['<a href=" www.evil.example/x ">x</a>', 'http://www.evil.example/x'],
  ['<form><button formaction="https://evil.example/x">Go</button></form>', 'https://evil.example/x'],
  ['<svg><a xlink:href="https://evil.example/x"><text>x</text></a></svg>', 'https://evil.example/x'],
  ['<svg><style><a href="https://evil.example/x">x</a></style></svg>', 'https://evil.example/x'],
  ['<meta http-equiv=refresh content="0;url=https://evil.example/x">', 'https://evil.example/x'],
  ['<iframe src="https://evil.example/x"></iframe>', 'https://evil.example/x'],
  [`<iframe srcdoc="<a href='https://evil.example/x'>x</a>"></iframe>`, 'https://evil.example/x'],
  ['<!--[if mso]><v:roundrect href="https://evil.example/x">Go</v:roundrect><![endif]-->', 'https://evil.example/x'],
  ['<p>Go to ev<b>il</b>.example/x now</p>', 'http://evil.example/x'],
  [
    `<a ${Array.from({ length: 100 }, (_, i) => `a${i}`).join(' ')} href="https://evil.example/x">x</a>`,
    'https://evil.example/x',
  ],
])('%s leads to %s', (markup, url) => {
  expect(urlsOf(markup)).toEqual([url]);
});

test.each([
  '<a href="mailto:maria@example.com">maria@example.com</a>',
  '<a href="javascript:alert(1)">x</a><a href="#top">x</a><a href="/there">x</a><a href="cid:1">x</a>',
  '<img src="https://evil.example/pixel.gif"><link href="https://evil.example/a.css" rel=stylesheet>',
  '<script>location = "https://evil.example/"</script><style>@import "https://evil.example/"</style>',
  '<!-- <a href="https://evil.example/">x</a> -->',
  '<svg><image href="https://evil.example/"/><use href="https://evil.example/"/><filter href="https://evil.example/"/></svg>',
  '<svg><linearGradient href="https://evil.example/"/><radialGradient href="https://evil.example/"/></svg>',
  '<svg><pattern href="https://evil.example/"/></svg><base href="https://evil.example/">',
  '',
])('%s contains no link', (markup) => {
  expect(linksInHtml(markup)).toEqual([]);
});

test.each([
  ['<a href="https://evil.example/x">https://www.paypal.com/signin</a>', 'www.paypal.com'],
  ['<a href="https://evil.example/x">Log in at <b>pay</b>pal.com.</a>', 'paypal.com'],
  ['<a href="https://evil.example/x">pay\u200bpal.com</a>', 'paypal.com'],
  ['<a href="https://evil.example/x">ｐａｙｐａｌ．com</a>', 'paypal.com'],
  ['<a href="https://evil.example/x"><img alt="paypal.com"></a>', 'paypal.com'],
  ['<map><area href="https://evil.example/x" alt="www.paypal.com"></map>', 'www.paypal.com'],
  ['<a href="https://evil.example/x">HTTPS://PAYPAL.COM</a>', 'paypal.com'],
  ['<a href="https://evil.example/x">https://paypal.com@evil2.example/</a>', 'evil2.example'],
])('%s shows %s and leads to evil.example', (markup, says) => {
  expect(linksInHtml(markup).map(({ mismatch }) => mismatch)).toEqual([{ says, goesTo: 'evil.example' }]);
});

test.each([
  ['<a href="https://www.paypal.com/x">paypal.com</a>'],
  ['<a href="https://paypal.com/x">www.paypal.com</a>'],
  ['<a href="https://links.paypal.com/x">www.paypal.com</a>'],
  ['<a href="https://shop.barclays.co.uk/x">www.barclays.co.uk</a>'],
  ['<a href="https://evil.example/x">Your invoice.pdf</a>'],
  ['<a href="https://evil.example/x">invoice.zip</a>'],
  ['<a href="https://evil.example/x">Click here, e.g. now.</a>'],
  ['<a href="https://evil.example/x">maria@paypal.com</a>'],
  [
    '<a href="https://nam02.safelinks.protection.outlook.com/?url=https%3A%2F%2Fwww.paypal.com%2Fx&amp;data=1">www.paypal.com</a>',
  ],
  ['<a href="https://urldefense.com/v3/__https://www.paypal.com/x__;!!a!b$">www.paypal.com</a>'],
  ['<a href="https://urldefense.proofpoint.com/v2/url?u=https-3A__www.paypal.com_x&amp;d=1">www.paypal.com</a>'],
])('%s has no mismatch', (markup) => {
  expect(linksInHtml(markup).map(({ mismatch }) => mismatch)).toEqual([null]);
});

test.each([
  ['https://nam02.safelinks.protection.outlook.com/?url=https%3A%2F%2Fevil.example%2Fx', 'evil.example'],
  ['https://evil.example/?url=https%3A%2F%2Fwww.paypal.com%2F', 'evil.example'],
  ['https://www.paypal.com.evil.example/', 'www.paypal.com.evil.example'],
  ['https://www.paypal.com@evil.example/', 'evil.example'],
])('the words paypal.com do not match %s', (url, goesTo) => {
  expect(linksInHtml(`<a href="${url}">www.paypal.com</a>`)[0]?.mismatch).toEqual({ says: 'www.paypal.com', goesTo });
});

test('names under one public suffix are not one site', () => {
  const [link] = linksInHtml('<a href="https://evil.co.uk/">www.barclays.co.uk</a>');
  expect(link?.mismatch).toEqual({ says: 'www.barclays.co.uk', goesTo: 'evil.co.uk' });
});

test('returns every link once, with the words that contradict it', () => {
  const one = '<a href="https://evil.example/">';
  expect(linksInHtml(`${one}Logo</a> ${one}paypal.com</a> ${one}Here</a> <a href=https://b.example/>b</a>`)).toEqual([
    { url: 'https://evil.example/', words: 'paypal.com', mismatch: { says: 'paypal.com', goesTo: 'evil.example' } },
    { url: 'https://b.example/', words: 'b', mismatch: null },
  ]);
});

test('the content of an inner page is at the position of its frame', () => {
  const frame = `<iframe srcdoc="<a href='https://b.example/'>b</a><a href='javascript:go()'>c</a>"></iframe>`;
  const { links, nonWeb } = readMarkup(`<a href="https://a.example/">a</a>${frame}`);
  expect(links.map(({ url }) => url)).toEqual(['https://a.example/', 'https://b.example/']);
  expect(nonWeb.map(({ kind, target }) => [kind, target])).toEqual([['script', 'javascript:go()']]);
});

test('only a meta element refreshes a page', () => {
  expect(urlsOf('<p http-equiv=refresh content="0;url=https://evil.example/x">x</p>')).toEqual([]);
  expect(urlsOf('<meta name=refresh content="0;url=https://evil.example/x">')).toEqual([]);
});

test('a refresh, a form, a button and a frame have no words', () => {
  const markup =
    '<meta http-equiv=refresh content="0;url=//a.example/"><form action="//b.example/"><button formaction="//c.example/">Go</button></form><iframe src="//d.example/">e</iframe>';
  expect(linksInHtml(markup).map(({ url, words }) => [url, words])).toEqual(
    ['a', 'b', 'c', 'd'].map((name) => [`https://${name}.example/`, null]),
  );
});

test('a link ends where the next one begins', () => {
  const markup = '<a href="https://a.example/">one <b><a href="https://b.example/">two</a> three';
  expect(linksInHtml(markup).map(({ url, words }) => [url, words])).toEqual([
    ['https://a.example/', 'one'],
    ['https://b.example/', 'two'],
  ]);
});

test('a link without an address, or with a fragment only, leads nowhere, whatever the base', () => {
  for (const href of ['', ' ', '#', ' #top'])
    expect([href, linksInHtml(`<base href="https://a.example/x"><a href="${href}">Top</a>`)]).toEqual([href, []]);
});

test('a slash at the end of an HTML link does not close it', () => {
  expect(linksInHtml('<a href="https://a.example/"/>Log in</a>').map(({ words }) => words)).toEqual(['Log in']);
});

test('a self-closing link in a drawing has no words', () => {
  const markup = '<svg><g><a href="https://a.example/"/><text>paypal.com</text></g></svg>';
  expect(linksInHtml(markup)).toEqual([
    { url: 'https://a.example/', words: null, mismatch: null },
    { url: 'http://paypal.com', words: null, mismatch: null },
  ]);
});

test('a link within a link has separate words, and the text after both is read', () => {
  const markup =
    '<v:a href="https://a.example/">one <v:b href="https://b.example/">two</v:b> three</v:a> see c.example/x';
  const found = linksInHtml(markup).map(({ url, words }) => [url, words]);
  expect(found).toContainEqual(['https://a.example/', 'one two three']);
  expect(found).toContainEqual(['https://b.example/', 'two']);
  expect(found.map(([url]) => url)).toContain('http://c.example/x');
});

test('an address that is in a link and in a form has the role of a form, in either order', () => {
  const parts = ['<a href="https://a.example/">Log in</a>', '<form action="https://a.example/"></form>'];
  for (const markup of [parts.join(''), parts.toReversed().join('')])
    expect(linksInHtml(markup)).toEqual([{ url: 'https://a.example/', words: 'Log in', mismatch: null, role: 'form' }]);
});

test('of 17 nested links, the outermost 16 contain the words of all inner links', () => {
  const open = Array.from({ length: 17 }, (_, at) => `<v:x href="https://n${at}.example/">${at} `).join('');
  const words = new Map(linksInHtml(`${open}end${'</v:x>'.repeat(17)}`).map((link) => [link.url, link.words]));
  const from = (at: number) => [...Array.from({ length: 17 - at }, (_, more) => at + more), 'end'].join(' ');
  for (let at = 0; at < 16; at++) expect([at, words.get(`https://n${at}.example/`)]).toEqual([at, from(at)]);
  expect(words.get('https://n16.example/')).toBeNull();
});

test('addresses are cut to 16,384 characters', () => {
  const address = 'https://a.example/'.padEnd(16_384, 'x');
  expect(urlsOf(`<a href="${address}y">x</a>`)).toEqual([address]);
  expect(urlsOf(`<iframe src="${address}y"></iframe>`)).toEqual([address]);
});

test('words are reduced to one line of at most 200 characters, without half a surrogate pair', () => {
  const wordsOf = (words: string) => linksInHtml(`<a href="https://a.example/x">${words}</a>`)[0]?.words;
  expect(wordsOf('a'.repeat(201))).toBe('a'.repeat(200));
  expect(wordsOf(`a${'😀'.repeat(100)}`)?.isWellFormed()).toBeTrue();
  expect(wordsOf('<div>one</div> <div>two</div>')).toBe('one two');
});

test('words that equal the address are omitted', () => {
  for (const words of ['https://a.example/x', ' https://a.example/x ', ''])
    expect(linksInHtml(`<a href="https://a.example/x">${words}</a>`)).toEqual([
      { url: 'https://a.example/x', words: null, mismatch: null },
    ]);
});

test.each(['ftp://a.example/', 'xhttp://a.example/', 'https+x://a.example/', 'ws://a.example/'])(
  '%s is not a web link',
  (address) => expect(urlsOf(`<a href="${address}">x</a>`)).toEqual([]),
);

test('reads hostile markup in linear time', () => {
  const units = [
    '<a href=x>',
    '<b href=//a.example>',
    '<',
    '<!--[if',
    '<svg>',
    '&amp;',
    '<a',
    '<iframe srcdoc="',
    '<p>a.example ',
    '<form action=//a.example/>',
  ];
  const read = () => units.map((unit) => unit.repeat(30_000)).forEach((markup) => void linksInHtml(markup));
  expect(cpuMs(read, 4000)).toBeLessThan(4000);
});
