import { expect, test } from 'bun:test';
import { MAX_MESSAGE_BYTES, readMessage } from '#src/engine/message/read-message.ts';
import { attachment, htmlMail, LURE_HTML, LURE_URL } from './mails.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const LURE = {
  url: LURE_URL,
  words: 'https://www.paypal.com/signin',
  mismatch: { says: 'www.paypal.com', goesTo: 'paypal-login.verify-account.cyou' },
};

test.each(['', 'message.eml', 'message.txt'])('reads a mail with any name: “%s”', async (name) => {
  const text = `Confirm your account: https://text.example/${'long'.repeat(40)}?a=1`;
  expect(await readMessage(bytesOf(htmlMail(LURE_HTML, text)), name)).toEqual({
    kind: 'mail',
    head: expect.objectContaining({ subject: 'Your account' }),
    traits: expect.objectContaining({
      text: expect.stringContaining('please confirm your account'),
      isMarkupOnly: false,
    }),
    attachments: [],
    sentences: expect.any(Map),
    links: [LURE, { url: `https://text.example/${'long'.repeat(40)}?a=1`, words: null, mismatch: null }],
    nonWeb: [],
    pictures: [],
    unread: [],
    isWhole: true,
  });
});

test('reads attached mails and pages, and returns pictures and the names of other attachments', async () => {
  const inner = htmlMail('<a href="https://inner.example/">x</a>', 'x');
  const mail = htmlMail(LURE_HTML, 'x', [
    attachment('text/html', 'invoice.html', bytesOf('<form action="https://form.example/"></form>')),
    attachment('application/octet-stream', 'INVOICE.HTM', bytesOf('<a href="https://page.example/">x</a>')),
    attachment('application/octet-stream', 'mail.eml', bytesOf(inner)),
    attachment('image/png', 'code.png', new Uint8Array([1, 2, 0, 3])),
    attachment('ximage/png', 'note', bytesOf('https://note.example/')),
    attachment('text/plain', 'LIST.CSV', bytesOf('1;https://list.example/x,y;2')),
    attachment('application/pdf', 'invoice.pdf', bytesOf('%PDF-1.7 https://hidden.example/')),
  ]);
  const message = await readMessage(bytesOf(mail));
  expect(message?.links.map(({ url }) => url)).toEqual([
    LURE_URL,
    'https://form.example/',
    'https://page.example/',
    'https://inner.example/',
    'https://note.example/',
    'https://list.example/x,y',
  ]);
  expect(message?.pictures).toEqual([
    { name: 'code.png', contentType: 'image/png', bytes: new Uint8Array([1, 2, 0, 3]) },
  ]);
  expect(message?.unread).toEqual(['invoice.pdf']);
});

test.each([
  ['saved.html', `<!doctype html>${LURE_HTML}`, 'html', [LURE_URL]],
  ['', LURE_HTML, 'html', [LURE_URL]],
  [
    '',
    'Look: <a class=x href="https://evil.example/">here</a> or b.example/x',
    'html',
    ['https://evil.example/', 'http://b.example/x'],
  ],
  ['notes.txt', 'Look: https://evil.example/ there', 'text', ['https://evil.example/']],
  ['notes.txt', 'Subject: a.example/x\n\nb.example/y', 'text', ['http://a.example/x', 'http://b.example/y']],
  [
    'list.csv',
    'id,link,note\r\n1,https://a.example/x,"see b.example/y, or ""c.example/z"""',
    'text',
    ['https://a.example/x', 'http://b.example/y', 'http://c.example/z'],
  ],
  ['list.csv', '1;https://a.example/x,y;2\n3;b.example;4', 'text', ['https://a.example/x,y', 'http://b.example']],
  ['list.csv', '"https://a.example/x""y"', 'text', ['https://a.example/x"y']],
  ['LIST.CSV', '1;https://a.example/x,y;2', 'text', ['https://a.example/x,y']],
  ['list.csv', ';https://a.example/x,y;', 'text', ['https://a.example/x,y']],
  ['list.csv', 'id;link\n1;https://a.example/x,y,z,w', 'text', ['https://a.example/x,y,z,w']],
  ['list.csv.txt', '"https://a.example/x""y"', 'text', ['https://a.example/x""y']],
  ['mail.eml.txt', 'Subject: a.example/x', 'text', ['http://a.example/x']],
  ['page.html.txt', '<p>https://a.example/x</p>', 'text', ['https://a.example/x']],
  [
    '',
    '\nRECEIVED: by x\n\tfor y\nSubject: a.example/x\n\nb.example/y',
    'mail',
    ['http://b.example/y', 'http://a.example/x'],
  ],
  ['', 'From maria Mon\nReceived: by x\n\nb.example/y', 'mail', ['http://b.example/y']],
  ['', 'Hello\nReceived: a.example/x', 'text', ['http://a.example/x']],
  ['', 'Dear all\nReceived: a.example/x', 'text', ['http://a.example/x']],
  ['', 'Subject: a.example/x\nX-Received: today', 'text', ['http://a.example/x']],
  ['', 'A <body> of https://a.example/x', 'text', ['https://a.example/x']],
  ['', '\n<BODY>https://a.example/x', 'html', ['https://a.example/x']],
  ['list.tsv', '1\thttps://a.example/x\t2', 'text', ['https://a.example/x']],
])('“%s” with %s is read as %s', async (name, text, kind, urls) => {
  const message = await readMessage(bytesOf(text), name);
  expect<string | undefined>(message?.kind).toBe(kind);
  expect(message?.links.map(({ url }) => url)).toEqual(urls);
});

test('reads UTF-16 in both byte orders', async () => {
  const bytes = new Uint8Array([0xff, 0xfe, ...Buffer.from('https://evil.example/', 'utf16le')]);
  expect((await readMessage(bytes, 'a.txt'))?.links.map(({ url }) => url)).toEqual(['https://evil.example/']);
  const swapped = new Uint8Array([0xfe, 0xff, ...Buffer.from('https://evil.example/', 'utf16le').swap16()]);
  expect((await readMessage(swapped, 'a.txt'))?.links.map(({ url }) => url)).toEqual(['https://evil.example/']);
});

test.each(['APDF', '%ADF', '%PAF', '%PDA'])('reads a text that begins with %s', async (beginning) => {
  expect((await readMessage(bytesOf(`${beginning} https://a.example/`)))?.links).toMatchObject([
    { url: 'https://a.example/' },
  ]);
});

test.each([
  [0xff, 0],
  [0, 0xfe],
  [0, 0x61],
  [0xfe, 0],
  [0, 0xff],
])('bytes that begin with %d and %d and contain NUL are not a text', async (first, second) => {
  expect(await readMessage(new Uint8Array([first, second, 0, 0x61]))).toBeNull();
});

test('a file with NUL in its first 64 KiB is binary, and a message may have up to 32 MiB', async () => {
  const withNul = (at: number) => new Uint8Array(65_537).fill(0x61).with(at, 0);
  expect(await readMessage(withNul(0))).toBeNull();
  expect(await readMessage(withNul(65_535))).toBeNull();
  expect((await readMessage(withNul(65_536)))?.kind).toBe('text');
  expect(MAX_MESSAGE_BYTES).toBe(32 * 2 ** 20);
});

test('returns null for a binary file', async () => {
  const outlook = new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0, 0, 0]);
  expect(await readMessage(outlook, 'mail.msg')).toBeNull();
});

test('reads an attached mail as a mail, a drawing as a page, and mails up to ten levels deep', async () => {
  const encoded = `Content-Transfer-Encoding: base64\r\n\r\n${btoa('https://inner.example/')}`;
  const drawing = '<svg><a href="https://drawing.example/">x</a><a href="b.html">x</a></svg>';
  const mail = htmlMail('<a href="a.html">x</a>', '', [
    `Content-Type: message/rfc822\r\nContent-Disposition: attachment\r\n\r\nSubject: x\r\n${encoded}`,
    attachment('image/svg+xml', 'a.svg', bytesOf(drawing)),
  ]);
  const message = await readMessage(bytesOf(mail));
  expect(message?.links.map(({ url }) => url)).toEqual(['https://inner.example/', 'https://drawing.example/']);
  expect(message?.nonWeb.map(({ target }) => target)).toEqual(['a.html', 'b.html']);
  expect(message?.unread).toEqual([]);
  const nested = (depth: number): string =>
    htmlMail(
      '',
      `https://${depth}.example/x`,
      depth === 11 ? [] : [attachment('text/x', 'm.eml', bytesOf(nested(depth + 1)))],
    );
  const outer = await readMessage(bytesOf(nested(0)));
  expect(outer?.links.map(({ url }) => url)).toEqual(
    Array.from({ length: 11 }, (_, depth) => `https://${depth}.example/x`),
  );
  expect(outer?.unread).toEqual(['m.eml']);
});

test('links, targets, pictures and unread files of attachments follow those of the mail, in their order', async () => {
  const page = (name: string, inner = '') =>
    `<html><a href="https://${name}.example/">x</a><a href="${name}.html">x</a><img alt="${name}" src="data:image/png,x">${inner}`;
  const file = (name: string) => attachment('text/html', `${name}.html`, bytesOf(page(name)));
  const pdf = (name: string) => attachment('application/pdf', `${name}.pdf`, bytesOf('%PDF'));
  const inner = htmlMail(page('inner'), '', [file('below'), pdf('one')]);
  const mail = htmlMail(page('own'), '', [
    attachment('application/octet-stream', 'm.eml', bytesOf(inner)),
    file('last'),
    pdf('two'),
    attachment('image/png', 'first.png', new Uint8Array(1)),
    attachment('image/png', 'second.png', new Uint8Array(1)),
  ]);
  const message = await readMessage(bytesOf(mail));
  const names = ['own', 'inner', 'below', 'last'];
  const pictures = [...names, 'first.png', 'second.png'];
  expect(message?.links.map(({ url }) => url)).toEqual(names.map((name) => `https://${name}.example/`));
  expect(message?.nonWeb.map(({ target }) => target)).toEqual(names.map((name) => `${name}.html`));
  expect(message?.pictures.map(({ name }) => name)).toEqual(pictures);
  expect(message?.unread).toEqual(['one.pdf', 'two.pdf']);
});

test('reads links in the subject and unsubscribe headers', async () => {
  const mail = `From: a@b.example\r\nSubject: =?utf-8?Q?Act_now:_https://evil.example/x?=\r
List-Unsubscribe: <https://leave.example/u?id=1>, <mailto:leave@b.example>\r\nX-Other: https://other.example/\r\nX-List-Help: https://other.example/\r
List-Help-Too: https://other.example/\r\n\r\nHello`;
  const message = await readMessage(bytesOf(mail), 'a.eml');
  expect(message?.links.map(({ url }) => url)).toEqual(['https://evil.example/x', 'https://leave.example/u?id=1']);
});

test('reads an element with very many attributes, and very many hosts without spaces', async () => {
  const attributes = Array.from({ length: 12_000 }, (_, at) => `a${at}=1`).join(' ');
  const markup = `<html><a ${attributes} href="https://evil.example/">x</a></html>`;
  expect((await readMessage(bytesOf(markup)))?.links.map(({ url }) => url)).toEqual(['https://evil.example/']);
  const hosts = Array.from({ length: 2000 }, (_, at) => `h${at}.example`);
  const message = await readMessage(bytesOf(`see ${hosts.join(',')} there`));
  expect(message?.links.map(({ url }) => url)).toEqual(hosts.map((host) => `http://${host}`));
});

test('reports an exhausted budget, and markup and mails that are nested too deeply', async () => {
  const lines = bytesOf('https://a.example/\n'.repeat(10));
  expect(await readMessage(lines, 'a.txt', () => true)).toMatchObject({ links: [], isWhole: false });
  let left = 2;
  expect(await readMessage(lines, 'a.txt', () => left-- <= 0)).toMatchObject({ links: [{}], isWhole: false });
  expect(await readMessage(bytesOf(htmlMail(LURE_HTML, 'x')), '', () => true)).toMatchObject({ isWhole: false });
  const frame = (inner: string) =>
    `<iframe srcdoc="${inner.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></iframe>`;
  const deep = (depth: number): string => (depth === 0 ? LURE_HTML : frame(deep(depth - 1)));
  expect(await readMessage(bytesOf(deep(2)), 'a.html')).toMatchObject({ links: [{ url: LURE_URL }], isWhole: true });
  expect(await readMessage(bytesOf(deep(3)), 'a.html')).toMatchObject({ isWhole: false });
  const withoutPage = frame(frame('<iframe src="about:blank"></iframe>'));
  expect(await readMessage(bytesOf(withoutPage), 'a.html')).toMatchObject({ isWhole: true });
  const parts = Array.from(
    { length: 300 },
    (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`,
  );
  const nested = `MIME-Version: 1.0\r\n${parts.join('')}\r\nhttps://evil.example/x`;
  const message = await readMessage(bytesOf(nested), 'a.eml');
  expect(message).toMatchObject({ links: [{ url: 'https://evil.example/x' }], isWhole: false });
});

test.each([
  ['an address alone', 'service@paypa1.example'],
  ['a link to an address', 'mailto:service@paypa1.example'],
  ['the head of a copied mail', 'From: PayPal <service@paypa1.example>\nSubject: Hello\n\nHello'],
])('a text with %s has the domain of the address as a link', async (_, text) => {
  const message = await readMessage(new TextEncoder().encode(text), 'a.txt');
  expect(message?.links).toMatchObject([{ url: 'https://paypa1.example/', role: 'sender' }]);
});

test('a picture by itself is one of its pictures', async () => {
  const bytes = Uint8Array.from([...Buffer.from('89504e470d0a1a0a', 'hex'), 0, 0]);
  const message = await readMessage(bytes, 'code.png');
  expect([message?.pictures.map(({ name }) => name), message?.unread]).toEqual([['code.png'], []]);
});
