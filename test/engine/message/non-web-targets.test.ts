import { expect, test } from 'bun:test';
import { readMarkup } from '#src/engine/message/links-in-html.ts';
import { readMessage } from '#src/engine/message/read-message.ts';
import { attachment, htmlMail } from './mails.ts';

const SHOWN = 'https://www.paypal.com/signin';
const bytesOf = (text: string) => new TextEncoder().encode(text);

test.each([
  [`<a href="javascript:location=evil()">${SHOWN}</a>`, 'script'],
  [`<a href=" java\nscript:alert(1)">${SHOWN}</a>`, 'script'],
  [`<a href="\x01javascript:alert(1)">${SHOWN}</a>`, 'script'],
  [`<a href="vbscript:x">${SHOWN}</a>`, 'script'],
  [`<a href="#" onclick="go()">${SHOWN}</a>`, 'script'],
  [`<a onclick="go()">${SHOWN}</a>`, 'script'],
  [`<span onmousedown="go()">${SHOWN}</span>`, 'script'],
  [`<td ontouchstart="go()"><b>www.paypal</b>.com/signin</td>`, 'script'],
  [`<a href="data:text/html,<h1>x">${SHOWN}</a>`, 'embedded'],
  [`<a href="blob:https://evil.example/1">${SHOWN}</a>`, 'embedded'],
  [`<a href="intent://evil.example/#Intent;scheme=http;end">${SHOWN}</a>`, 'app'],
  [`<a href="ms-word:ofe|u|https://evil.example/a.docx">${SHOWN}</a>`, 'app'],
  [`<a href="whatsapp://send?text=x">${SHOWN}</a>`, 'app'],
  [`<a href="search-ms:query=x&crumb=location:\\\\evil.example">${SHOWN}</a>`, 'app'],
  [`<a href="file:////evil.example/x">${SHOWN}</a>`, 'app'],
  [`<a href="mailto:x@evil.example">${SHOWN}</a>`, 'app'],
  [`<a href="/signin">${SHOWN}</a>`, 'relative'],
  [`<a href="../x.html">${SHOWN}</a>`, 'relative'],
  [`<a href="/signin?next=a:b">${SHOWN}</a>`, 'relative'],
  [`<a href="#top">${SHOWN}</a>`, 'relative'],
  [`<a href="">${SHOWN}</a>`, 'relative'],
  [`<a href="JavaScript:x()">${SHOWN}</a>`, 'script'],
] as const)('%s is a finding, and its words are not returned as a link', (markup, kind) => {
  const { links, nonWeb } = readMarkup(markup);
  expect(links).toEqual([]);
  expect(nonWeb.map((one): string => one.kind)).toEqual([kind]);
  expect(nonWeb[0]?.words).toContain('www.paypal.com');
});

test.each([
  ['<a href="telnet://evil.example">Log in</a>', 'app'],
  ['<a href="hotel:1">Log in</a>', 'app'],
  ['<a href="javascripts:x">Log in</a>', 'app'],
  ['<a href="ajavascript:x">Log in</a>', 'app'],
  ['<a href="metadata:x">Log in</a>', 'app'],
  ['<a href="database:x">Log in</a>', 'app'],
  ['<a href="page#">Log in</a>', 'relative'],
  ['<span onclick="doSubmit()">Log in</span>', 'script'],
])('%s is a finding even if its words contain no host', (markup, kind) => {
  expect(readMarkup(markup).nonWeb).toMatchObject([{ kind, words: 'Log in' }]);
});

test('an element with a click handler is a link if its text has at most 300 characters', () => {
  const kindsOf = (length: number) => readMarkup(`<a onclick="go()">${'x'.repeat(length)}</a>`).nonWeb.length;
  expect([300, 301].map(kindsOf)).toEqual([1, 0]);
});

test('returns a repeated target once, truncated to 500 characters', () => {
  const link = `<a href=" /${'x'.repeat(600)}">Log in</a>`;
  const found = { kind: 'relative', element: 'link', target: `/${'x'.repeat(499)}`, words: 'Log in' };
  expect(readMarkup(`${link}${link}<a href="/y"></a>`).nonWeb).toEqual([
    found,
    { ...found, target: '/y', words: null },
  ] as never);
  const [cut] = readMarkup(`<a href="/${'😀'.repeat(250)}">Log in</a>`).nonWeb;
  expect(cut?.target.isWellFormed()).toBeTrue();
});

test.each([
  ['<form action="post.php"><input type=password></form>', 'relative'],
  ['<form><button formaction="javascript:send()">Go</button></form>', 'script'],
  ['<form onsubmit="location.href=send()"></form>', 'script'],
])('%s is a finding about a form', (markup, kind) => {
  const found = readMarkup(markup).nonWeb.map(({ kind, element }): string[] => [kind, element]);
  expect(found).toEqual([[kind, 'form']]);
});

test.each([
  '<a href="mailto:maria@example.com">maria@example.com</a><a href="tel:+4930">+49 30</a><a href="#top">Top</a>',
  '<a href="https://a.example/" onclick="ga(1)">Read more</a><button onclick="menu()">Menu</button>',
  '<iframe src="about:blank"></iframe><img src="cid:logo"><a name="x">x</a>',
  '<a href="x-apple-data-detectors://0">Main Street 5</a>',
  '<a href=" ">Top</a><a href=" #top">Top</a>',
  '<base href="https://a.example/x"><a href="">Top</a><a href=" #top">Top</a>',
])('%s is usual in messages, and not a finding', (markup) => {
  expect(readMarkup(markup).nonWeb).toEqual([]);
});

test('reports a handler that navigates to another address than its link', () => {
  const { links, nonWeb } = readMarkup(`<a href="${SHOWN}" onclick="location.href='//evil.example'">${SHOWN}</a>`);
  expect(links).toMatchObject([
    { url: 'https://evil.example/', role: 'script', mismatch: { says: 'www.paypal.com', goesTo: 'evil.example' } },
    { url: SHOWN },
  ]);
  expect(nonWeb).toEqual([]);
});

test('reads a page within a link or a frame', () => {
  const page = '<form action="https://evil.example/collect"><input type=password>';
  for (const address of [`data:text/html,${encodeURIComponent(page)}`, `data:text/html;base64,${btoa(page)}`]) {
    for (const markup of [`<a href="${address}">Open</a>`, `<iframe src="${address}"></iframe>`]) {
      expect(readMarkup(markup).links.map(({ url }) => url)).toEqual(['https://evil.example/collect']);
    }
  }
});

test('reads no page within a text, a picture or a script', () => {
  const page = encodeURIComponent('<form action="https://evil.example/collect">');
  for (const type of ['text/plain', 'image/png', 'text/javascript'])
    for (const markup of [
      `<a href="data:${type},${page}">Open</a>`,
      `<iframe src="data:${type},${page}"></iframe>`,
      `<img src="data:${type},${page}">`,
    ])
      expect([markup, readMarkup(markup).links]).toEqual([markup, []]);
});

test('ignores links in the plain text that are words of a script link in the HTML', async () => {
  const mail = htmlMail(`<a href="javascript:x()">${SHOWN}</a>`, `Sign in: ${SHOWN} or https://other.example/`);
  const message = await readMessage(bytesOf(mail));
  expect(message?.links.map(({ url }) => url)).toEqual(['https://other.example/']);
  expect(message?.nonWeb.length).toBe(1);
});

const SAVED = '<!-- saved from url=(0044)https://kit.example/secure/login/index.html -->';
const FORM = '<form action="post.php"><input type=password></form>';

test.each([
  [
    `<!doctype html>\n${SAVED}${FORM}`,
    ['https://kit.example/secure/login/index.html', 'https://kit.example/secure/login/post.php'],
  ],
  [
    `<!doctype html>\n${SAVED}<base href="https://other.example/a/">${FORM}`,
    ['https://kit.example/secure/login/index.html', 'https://other.example/a/post.php'],
  ],
  [
    `${SAVED}<base href="/b/">${FORM}`,
    ['https://kit.example/secure/login/index.html', 'https://kit.example/b/post.php'],
  ],
  [
    `<html><!--\n Page saved with SingleFile \n url: https://kit.example/x \n saved date: today\n-->${FORM}`,
    ['https://kit.example/x', 'https://kit.example/post.php'],
  ],
])('%s: returns the page and its form as links', (markup, urls) => {
  const { links, nonWeb } = readMarkup(markup);
  expect(links.map(({ url, role }) => [role ?? null, url])).toEqual([
    ['page', urls[0] ?? ''],
    ['form', urls[1] ?? ''],
  ]);
  expect(nonWeb).toEqual([]);
});

test('returns the address in the header of a page that was saved as a mail', async () => {
  const mail = htmlMail(FORM, '').replace(
    'MIME-Version',
    'Snapshot-Content-Location: https://kit.example/a/b\r\nMIME-Version',
  );
  const message = await readMessage(bytesOf(mail), 'saved.mhtml');
  expect(message?.links.map(({ url }) => url)).toEqual(['https://kit.example/a/b', 'https://kit.example/a/post.php']);
});

test.each(['file:///home/https:/kit.example', 'about:blank', 'HTTPS://KIT.example/a'])(
  'returns the address of a page that was saved from %s only if it is a web address',
  async (address) => {
    const mail = htmlMail('x', '').replace('MIME-Version', `Snapshot-Content-Location: ${address}\r\nMIME-Version`);
    const isOfWeb = address === 'HTTPS://KIT.example/a';
    expect((await readMessage(bytesOf(mail)))?.links.map(({ url }) => url)).toEqual(
      isOfWeb ? ['https://kit.example/a'] : [],
    );
  },
);

test('a comment without a saved page or with a file: address is not a base', () => {
  const { links, nonWeb } = readMarkup(`<!-- saved from url=(0012)file:///C:/x.html -->${FORM}`);
  expect(links).toEqual([]);
  expect(nonWeb.map(({ kind }) => kind)).toEqual(['relative']);
});

test('returns pictures in data: URLs', async () => {
  const bytes = new Uint8Array([137, 80, 78, 71, 0, 255]);
  const markup = `<img alt="Scan me" src="data:image/png;base64,${bytes.toBase64()}"><img src="DATA:image/gif,%47%00%FF">`;
  const pictures = [
    { name: 'Scan me', contentType: 'image/png', bytes },
    { name: 'img', contentType: 'image/gif', bytes: new Uint8Array([0x47, 0, 255]) },
  ];
  expect(readMarkup(markup).pictures).toEqual(pictures);
  const large = `<img src="data:image/png;base64,${new Uint8Array(300_000).toBase64()}">`;
  expect(readMarkup(large).pictures[0]?.bytes.length).toBe(300_000);
  expect((await readMessage(bytesOf(htmlMail(markup, ''))))?.pictures).toEqual(pictures);
  const attached = htmlMail('', '', [attachment('text/html', 'a.html', bytesOf(markup))]);
  expect((await readMessage(bytesOf(attached)))?.pictures).toEqual(pictures);
});
