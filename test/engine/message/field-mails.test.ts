import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readMessage } from '#src/engine/message/read-message.ts';
import { attachment, htmlMail } from './mails.ts';

const LURE = 'http://paypal-login.verify-acct.example/signin';
const HIT = 'http://hit.top.example/x';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const latin1 = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));
const utf16 = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le'));

/** Returns the links of a message with how a page leads there, and what was not read. */
async function read(bytes: Uint8Array<ArrayBuffer>, name = 'mail.eml') {
  const message = await readMessage(bytes, name);
  return {
    links: message?.links.map(({ url, role }) => (role === undefined ? url : `${role} ${url}`)) ?? null,
    unread: message?.unread,
    isWhole: message?.isWhole,
  };
}

const mail = (...lines: readonly string[]) => ['From: a@b.example', 'MIME-Version: 1.0', ...lines].join('\r\n');

test.each([
  ['41-dup-content-type.eml', HIT],
  ['59-qp-soft-trailing-space.eml', HIT],
  ['104-utf16-eml.eml', HIT],
  ['141-html-attachment.eml', `script ${LURE}`],
  ['143-nul-phish.eml', LURE],
  ['147-att-nul.eml', LURE],
  ['149c-nul-header.eml', LURE],
  ['149e-att-pdfprefix.eml', LURE],
  ['167-js-href.html', `script ${LURE}`],
  ['171-js-onload.html', `script ${LURE}`],
  ['174-js-concat.html', `script ${LURE}`],
  ['179-js-assign.html', `script ${LURE}`],
  ['180-iframe-full.html', `frame ${LURE}`],
  ['185-svg-file.svg', `script ${LURE}`],
  ['187-js-fromcharcode.html', `script ${LURE}`],
  ['191-js-module.html', `script ${LURE}`],
])('reads the link of %s', async (name, link) => {
  const bytes = new Uint8Array(readFileSync(join('test/vectors/messages', name)));
  expect(await read(bytes, name)).toEqual({ links: [link], unread: [], isWhole: true });
});

test('names an encrypted or opaquely signed mail as not read', async () => {
  const bytes = new Uint8Array(readFileSync('test/vectors/messages/109-smime-opaque.eml'));
  expect(await read(bytes)).toEqual({ links: [], unread: ['smime.p7m'], isWhole: true });
});

describe('NULs and other bytes hide nothing', () => {
  test.each([
    ['in the first header', `Fr\0om: a@b.example\r\nContent-Type: text/html\r\n\r\n<a href="${HIT}">x</a>`],
    ['in a separator', mail('Content-Type: multipart/mixed; boundary=bb', '', '--b\0b', '', HIT, '--bb--', '')],
    ['at the end', `${mail('', HIT)}\r\n\0`],
    ['in the address', mail('', 'http://hit.top.\0example/x')],
    ['in each second place', mail('', HIT).replace(/(?=.)/gs, '\0')],
    ['in the name of a type', mail('Content-Type: text/ht\0ml', '', `<a href="${HIT}">x</a>`)],
  ])('%s', async (_, text) => {
    expect((await read(latin1(text))).links).toEqual([HIT]);
    expect((await read(latin1(text), '')).links ?? [HIT]).toEqual([HIT]);
  });

  test.each([
    ['text/html', 'a.html'],
    ['application/octet-stream', 'A.HTM'],
    ['application/octet-stream', 'a.shtml. '],
    ['application/octet-stream', 'invoice.pdf.xhtml'],
    ['image/png', 'a.html'],
    ['application/pdf', 'a.html'],
    ['application/zip', 'a.svg'],
    ['text/html', 'a.pdf'],
    ['text/x-any', 'a'],
    ['text/plain', 'a.bin'],
    ['application/octet-stream', 'a.txt'],
    ['application/octet-stream', 'a.eml'],
    ['application/octet-stream', 'a.vcf'],
  ])('in an attachment of type %s with the name %s', async (type, name) => {
    for (const bytes of ['\0', '%PDF-1.7', '\0'.repeat(300), 'PK\u0003\u0004'].map((beginning) =>
      latin1(
        name.endsWith('.eml') ? `Subject: x\0\r\n\r\n${beginning} ${HIT}\r\n` : `${beginning} <p>see ${HIT} </p>\0`,
      ),
    )) {
      const { links } = await read(bytesOf(htmlMail('', '', [attachment(type, name, bytes)])));
      expect(links).toEqual([HIT]);
    }
  });

  test('a picture is what its bytes say unless its name says more, and a text under its type is read', async () => {
    const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0]);
    const message = await readMessage(
      bytesOf(
        htmlMail('', '', [attachment('image/png', 'a.png', png), attachment('image/gif', 'b.gif', bytesOf(HIT))]),
      ),
    );
    expect(message?.pictures.map(({ name }) => name)).toEqual(['a.png']);
    expect(message?.links.map(({ url }) => url)).toEqual([HIT]);
  });
});

describe('other encodings', () => {
  const page = `<html><p>Zahlung für Müller</p><a href="${HIT}">x</a>`;
  const swapped = (bytes: Uint8Array) => new Uint8Array(Buffer.from(bytes).swap16());

  test.each([
    ['a mail in UTF-16 with a mark', utf16(`\ufeff${mail('Content-Type: text/html', '', page)}`)],
    ['a mail in UTF-16 without a mark', utf16(mail('Content-Type: text/html', '', page))],
    ['a mail in UTF-16, big end first', swapped(utf16(`\ufeff${mail('Content-Type: text/html', '', page)}`))],
    ['a mail in UTF-16, big end first, without a mark', swapped(utf16(mail('Content-Type: text/html', '', page)))],
    [
      'an attachment in UTF-16 without a mark',
      bytesOf(htmlMail('', '', [attachment('text/html', 'a.html', utf16(page))])),
    ],
    [
      'a body in UTF-16, big end first',
      bytesOf(
        mail(
          'Content-Type: text/html; charset=utf-16',
          'Content-Transfer-Encoding: base64',
          '',
          swapped(utf16(`\ufeff${page}`)).toBase64(),
        ),
      ),
    ],
    [
      'a body in UTF-16LE in quoted-printable',
      bytesOf(
        mail(
          'Content-Type: text/html; charset="utf-16le"',
          'Content-Transfer-Encoding: quoted-printable',
          '',
          Array.from(utf16(page), (byte) => `=${byte.toString(16).padStart(2, '0').toUpperCase()}`)
            .join('')
            .replace(/.{72}/g, '$&=\r\n'),
        ),
      ),
    ],
    [
      'a body in UTF-7',
      bytesOf(mail('Content-Type: text/html; charset=UTF-7', '', `+ADw-a href+AD0AIg-${HIT}+ACIAPg-x+ADw-/a+AD4-`)),
    ],
    [
      'a text in UTF-7 in quoted-printable',
      bytesOf(
        mail(
          'Content-Type: text/plain; charset=unicode-1-1-utf-7',
          'Content-Transfer-Encoding: quoted-printable',
          '',
          'http:+AC8ALw-hit.top.=',
          'example+AC8-x',
        ),
      ),
    ],
  ])('reads %s', async (_, bytes) => {
    expect(await read(bytes)).toEqual({ links: [HIT], unread: [], isWhole: true });
  });

  test('reads pages in UTF-16 without a mark, by name and by content', async () => {
    expect((await read(utf16(page), 'a.html')).links).toEqual([HIT]);
    expect((await read(swapped(utf16(page)), '')).links).toEqual([HIT]);
  });
});

describe('headers and separators', () => {
  const part = ['Content-Type: text/html', '', `<a href="${HIT}">x</a>`];
  const real = ['', '--real', ...part, '--real--', ''];

  test.each([
    ['the second of two types', ['Content-Type: text/plain', 'Content-Type: multipart/mixed; boundary=real', ...real]],
    ['the first of two types', ['Content-Type: multipart/mixed; boundary=real', 'Content-Type: text/plain', ...real]],
    [
      'the second of two types whose separators both occur',
      [
        'Content-Type: multipart/mixed; boundary=unused',
        'Content-Type: multipart/mixed; boundary=real',
        ...['', '--unused', '', 'nothing', '--unused--'],
        ...real.slice(1),
      ],
    ],
    [
      'the second of two encodings',
      [
        'Content-Type: text/html',
        ...['Content-Transfer-Encoding: 7bit', 'Content-Transfer-Encoding: base64', ''],
        btoa(`<a href="${HIT}">x</a>`),
      ],
    ],
    [
      'two types in a part',
      [
        'Content-Type: multipart/mixed; boundary=real',
        ...['', '--real', 'Content-Type: application/zip', ...part, '--real--'],
      ],
    ],
    ['a separator that never occurs', ['Content-Type: multipart/mixed; boundary=none', ...real]],
    ['an empty separator', ['Content-Type: multipart/alternative; boundary=""', ...real]],
    ['no separator', ['Content-Type: multipart/alternative', ...real]],
    ['no parts', ['Content-Type: multipart/mixed; boundary=none', '', `<html><a href="${HIT}">x</a></html>`]],
    ['no parts, and text', ['Content-Type: multipart/mixed', '', `see ${HIT}`]],
    [
      'a separator that never occurs in a part',
      [
        'Content-Type: multipart/mixed; boundary=o',
        '',
        '--o',
        'Content-Type: multipart/mixed; boundary=no',
        ...real,
        '--o--',
      ],
    ],
    ['a separator in continued parameters', ['Content-Type: multipart/mixed; boundary*0=re; boundary*1=al', ...real]],
  ])('reads %s', async (_, lines) => {
    expect(await read(bytesOf(mail(...lines)))).toEqual({ links: [HIT], unread: [], isWhole: true });
  });

  test.each([
    ['carriage returns alone', (text: string) => text.replaceAll('\r\n', '\r')],
    ['line feeds alone', (text: string) => text.replaceAll('\r\n', '\n')],
    ['two carriage returns', (text: string) => text.replaceAll('\r\n', '\r\r\n')],
    [
      'carriage returns alone in the headers',
      (text: string) => text.replace(/^[\s\S]*?\r\n\r\n/, (head) => head.replaceAll('\r\n', '\r')),
    ],
  ])('reads lines that end with %s', async (_, change) => {
    const text = mail('Content-Type: multipart/mixed; boundary=real', ...real);
    expect(await read(bytesOf(change(text)))).toEqual({ links: [HIT], unread: [], isWhole: true });
  });

  test.each(['= \r\n', '=\t\r\n', '=   \t \n', '=\r\n'])('reads a soft line break with %j', async (soft) => {
    const text = mail(
      'Content-Type: text/plain',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      `See http://hit.top.ex${soft}ample/x now`,
    );
    expect((await read(bytesOf(text))).links).toEqual([HIT]);
    const inner = `Content-Type: message/rfc822\r\n\r\n${text}`;
    expect(
      (await read(bytesOf(mail('Content-Type: multipart/mixed; boundary=o', '', '--o', inner, '--o--')))).links,
    ).toEqual([HIT]);
  });

  test('white space at the end of other bodies stays', async () => {
    const text = mail(
      'Content-Type: text/plain; format=flowed; delsp=yes',
      '',
      'see http://hit.top.ex \r\nample/x now',
    );
    expect((await read(bytesOf(text))).links).toEqual([HIT]);
  });
});

describe('what was not read is named', () => {
  const files = (...parts: readonly string[]) => read(bytesOf(htmlMail('', '', parts)));

  test.each([
    ['a PDF', attachment('application/pdf', 'a.pdf', bytesOf('%PDF-1.7')), ['a.pdf']],
    ['an archive', attachment('application/zip', 'a.zip', latin1('PK\u0003\u0004\0\0')), ['a.zip']],
    ['an encrypted part', attachment('application/pkcs7-mime', 'smime.p7m', bytesOf('MIAGCSqG')), ['smime.p7m']],
    [
      'an encrypted text',
      attachment('application/octet-stream', 'a.asc', bytesOf('-----BEGIN PGP MESSAGE-----\n\nhQ')),
      ['a.asc: encrypted text'],
    ],
    [
      'a script that leads nowhere known',
      attachment('text/html', 'a.html', bytesOf('<script>run(data)</script>')),
      ['a.html: script'],
    ],
    [
      'a script of another file',
      attachment('text/html', 'a.html', bytesOf('<script src="https://a.example/x.js"></script>')),
      ['a.html: script'],
    ],
    [
      'a drawing that a style sheet makes another document of',
      attachment('image/svg+xml', 'a.svg', bytesOf('<?xml-stylesheet type="text/xsl" href="a.xsl"?><svg>x</svg>')),
      ['a.svg: script'],
    ],
    [
      'a text that is none',
      attachment(
        'text/html',
        'a.html',
        Uint8Array.from({ length: 900 }, (_, at) => (at * 97) % 256),
      ),
      ['a.html'],
    ],
  ])('%s', async (_, part, unread) => {
    expect(await files(part)).toMatchObject({ links: [], unread });
  });

  test('a file in the text, and an encrypted text', async () => {
    const uuencoded = mail('', 'begin 644 invoice.html', "M/&$@:')E9CTB", '`', 'end');
    expect((await read(bytesOf(uuencoded))).unread).toEqual(['text: invoice.html']);
    const encrypted = mail('', '-----BEGIN PGP MESSAGE-----', '', 'hQEMA');
    expect((await read(bytesOf(encrypted))).unread).toEqual(['text: encrypted text']);
  });

  test('but not data for other programs, or a saved page whose address is checked', async () => {
    const data = '<script type="application/ld+json">{"@id":"x"}</script><script type="text/template"><p></script>';
    expect(await files(attachment('text/html', 'a.html', bytesOf(data)))).toMatchObject({ unread: [] });
    const saved = '<!-- saved from url=(0019)https://a.example/x --><script>run()</script>';
    expect(await read(bytesOf(saved), 'a.html')).toMatchObject({ unread: [], links: ['page https://a.example/x'] });
  });
});

describe('scripts, refreshes, forms and frames of files', () => {
  const SIGN_IN = `<form action="${LURE}"><input type=password></form>`;

  test.each([
    ['a refresh', `<meta http-equiv=refresh content="0;url=${LURE}">`, `refresh ${LURE}`],
    ['a form', SIGN_IN, `form ${LURE}`],
    ['a form that a script writes', `<script>document.write('${SIGN_IN}')</script>`, `form ${LURE}`],
    ['a frame', `<p>Please wait</p><iframe src="${LURE}"></iframe>`, `frame ${LURE}`],
    ['code in base64', `<script>location=atob("${btoa(LURE)}")</script>`, `script ${LURE}`],
    ['a handler of a body', `<body onload="location.href='${LURE}'">`, `script ${LURE}`],
    ['a handler of a button', `<button onclick="location.href='${LURE}'">Open</button>`, `script ${LURE}`],
    ['a link that is code', `<a href="javascript:location.replace('${LURE}')">Open</a>`, `script ${LURE}`],
  ])('reads %s, also as a saved page and a pasted one', async (_, markup, link) => {
    const page = `<html><body>${markup}</body></html>`;
    expect((await read(bytesOf(page), 'a.html')).links).toEqual([link]);
    expect((await read(bytesOf(page), '')).links).toEqual([link]);
    expect((await read(bytesOf(htmlMail('', '', [attachment('text/html', 'a.html', bytesOf(page))])))).links).toEqual([
      link,
    ]);
  });

  const code = `location.href="${LURE}"`;
  test.each([
    ['character data', `<svg><script><![CDATA[${code}]]></script></svg>`],
    ['entities', `<svg><script>${code.replaceAll('"', '&quot;').replaceAll('l', '&#x6c;')}</script></svg>`],
    ['a handler', `<svg onload='${code}'></svg>`],
    ['a prefix', `<svg:svg xmlns:svg="http://www.w3.org/2000/svg"><svg:script>${code}</svg:script></svg:svg>`],
    [
      'a declaration before it',
      `<?xml version="1.0"?><!DOCTYPE svg><svg><script type="text/javascript">${code}</script></svg>`,
    ],
  ])('reads a drawing with %s', async (_, svg) => {
    expect((await read(bytesOf(svg), 'a.svg')).links).toEqual([`script ${LURE}`]);
    expect((await read(bytesOf(svg.replace('svg:svg', 'svg')), '')).links).toEqual([`script ${LURE}`]);
  });

  test.each([
    [`<svg><a xlink:href="${LURE}"><text>x</text></a></svg>`, LURE],
    [`<!DOCTYPE svg [<!ENTITY a '<a href="${LURE}">x</a>'>]><svg>&a;</svg>`, LURE],
    [`<svg><a><set attributeName="href" to="${LURE}"/><text>x</text></a></svg>`, LURE],
    [`<svg><a><animate attributeName="xlink:href" values="#;${LURE}"/><text>x</text></a></svg>`, LURE],
    [
      `<svg><foreignObject><form xmlns="http://www.w3.org/1999/xhtml" action="${LURE}"/></foreignObject></svg>`,
      `form ${LURE}`,
    ],
  ])('reads the drawing %s', async (svg, link) => {
    expect((await read(bytesOf(svg), 'a.svg')).links).toEqual([link]);
  });

  test('reads XHTML by the rules of XML', async () => {
    const page = `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/><script src="x.js"/><style/></head>
<body><h:form xmlns:h="http://www.w3.org/1999/xhtml" action="${LURE}"><input type="password"/></h:form></body></html>`;
    expect((await read(bytesOf(page), 'a.xhtml')).links).toEqual([`form ${LURE}`]);
    expect((await read(bytesOf(page), '')).links).toEqual([`form ${LURE}`]);
  });

  test('reads XHTML with elements that are left open', async () => {
    const page = `<?xml version="1.0"?><html><body><p><a href="${LURE}">Open<br></a> https://paypal.com/</p></body></html>`;
    const { links } = (await readMessage(bytesOf(page))) ?? {};
    expect(links).toMatchObject([{ url: LURE, words: 'Open' }, { url: 'https://paypal.com/' }]);
  });

  test('names a drawing whose entities are not all read', async () => {
    const parameter = '<!DOCTYPE svg [<!ENTITY % a SYSTEM "b">%a;]><svg>&c;</svg>';
    expect(await read(bytesOf(parameter), 'a.svg')).toMatchObject({ isWhole: false });
  });
});

describe('hostile mails cost what they weigh', () => {
  test('the parts and headers beyond the bounds are left out, and the link before them is read', async () => {
    const parts = Array.from({ length: 5000 }, () => '--b\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nx\r\n');
    const many = mail('Content-Type: multipart/mixed; boundary=b', '', '--b', '', HIT, ...parts);
    expect(await read(bytesOf(many))).toMatchObject({ links: [HIT], isWhole: false });
    const headers = Array.from({ length: 50_000 }, () => 'a: b');
    const long = mail(...headers, 'Content-Type: text/html', '', `<a href="${HIT}">x</a>`);
    expect(await read(bytesOf(long))).toMatchObject({ links: [HIT], isWhole: false });
  });

  test('a body of line ends is one line for the parser', async () => {
    const text = mail('', `${'\n'.repeat(200_000)}see ${HIT} `);
    expect(await read(bytesOf(text))).toEqual({ links: [HIT], unread: [], isWhole: true });
  });
});
