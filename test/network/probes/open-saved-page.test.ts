import { describe, expect, test } from 'bun:test';
import zlib from 'node:zlib';
import { readMhtml } from '#src/network/html/saved/saved-file.ts';
import { openSavedPage } from '#src/network/probes/saved-page.ts';
import { createRandom } from '#test/support/random.ts';

const LIMIT = 64 * 1024;
const PAGE = '<form action="/a"><input type=password></form>';
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));
const open = async (bytes: Uint8Array | string) =>
  openSavedPage(typeof bytes === 'string' ? bytesOf(bytes) : bytes, LIMIT);
const textOf = (opened: Awaited<ReturnType<typeof open>>) =>
  'problem' in opened ? opened.problem : Buffer.from(opened.bytes).toString('latin1').trim();

describe('a packed page is unpacked', () => {
  test.each([
    ['gzip', zlib.gzipSync],
    ['deflate', zlib.deflateSync],
    ['Brotli', zlib.brotliCompressSync],
    ['zstd', zlib.zstdCompressSync],
  ])('of %s', async (_, pack) => {
    expect(textOf(await open(pack(PAGE)))).toBe(PAGE);
    expect(textOf(await open(pack(zlib.gzipSync(PAGE))))).toBe(PAGE);
  });

  test('up to the limit', async () => {
    const opened = await open(zlib.gzipSync(Buffer.alloc(100 * LIMIT, 'a')));
    expect(opened).toMatchObject({ truncated: true });
    expect(textOf(opened)).toHaveLength(LIMIT);
  });

  test('as far as it is there', async () => {
    const random = createRandom(6);
    const text = `${PAGE}${Array.from({ length: 20_000 }, () => random.below(10)).join('')}`;
    const opened = await open(zlib.gzipSync(text).subarray(0, 6000));
    expect(opened).toMatchObject({ truncated: true });
    expect(textOf(opened).startsWith(PAGE)).toBe(true);
  });
});

describe('a file that is no page is refused with what it is', () => {
  const nested = zlib.gzipSync(zlib.gzipSync(zlib.gzipSync(zlib.gzipSync(PAGE))));
  const random = createRandom(7);
  test.each([
    ['JSON', ' {"html": "<p>"}'],
    ['JSON', '["<form>"]'],
    ['a PNG image', '\x89PNG\r\n\x1a\n'],
    ['a JPEG image', '\xff\xd8\xff\xe0'],
    ['a GIF image', 'GIF89a'],
    ['a PDF document', '%PDF-1.7'],
    ['a zip archive or an Office document', 'PK\x03\x04'],
    ['a mail', `Received: by x\r\nContent-Type: text/html\r\n\r\n${PAGE}`],
    [
      'an archive without a page',
      'MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b\r\n\r\nx\r\n--b--',
    ],
    ['damaged gzip data', '\x1f\x8b\x08nothing'],
    ['packed more than 3 times', nested],
    ['binary data', Uint8Array.from({ length: 4000 }, () => random.below(256))],
    ['binary data', Buffer.from('\x1f\ufffd\b\0\0\ufffd\ufffd\ufffd'.repeat(50))],
  ])('%s: %#', async (name, content) => {
    expect(textOf(await open(content))).toStartWith(`is ${name}; expected a saved page`);
  });

  test('but a page stays a page, whatever it resembles', async () => {
    for (const page of [
      '',
      'plain text',
      '{not JSON} <p>',
      '[link] <p>',
      `\0\0${PAGE}`,
      'From: me <p>',
      `\ufeff${PAGE}`,
      'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>',
    ]) {
      expect(textOf(await open(page))).toBe(page.replace('\ufeff', '\xff').trim());
    }
    const wide = Buffer.from(`\ufeff${PAGE}`, 'utf16le');
    expect(await open(wide)).toEqual({ bytes: wide, contentType: null, truncated: false });
  });
});

describe('an archive', () => {
  const head = (type: string) =>
    `From: <Saved by Blink>\r\nSnapshot-Content-Location: http://a.example/\r\nMIME-Version: 1.0\r\nContent-Type: ${type}\r\n\r\n`;
  const part = (body: string, encoding: string, type = 'text/html; charset=koi8-r') =>
    `Content-Type: ${type}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${body}\r\n`;
  const quoted = PAGE.replaceAll('=', '=3D').replace('type', 'ty=\r\npe');
  const related = 'multipart/related;\r\n\ttype="text/html";\r\n\tboundary="--x=1"';
  const inside = (...parts: string[]) => [...parts.map((one) => `----x=1\r\n${one}`), '----x=1--\r\n'].join('');

  test.each([
    ['of Chromium', head(related) + inside(part(quoted, 'quoted-printable'), part('body{}', '7bit', 'text/css'))],
    ['in base64', head(related) + inside(part(Buffer.from(PAGE).toString('base64'), 'BASE64'))],
    ['as it is', head(related) + inside(part(PAGE, '8bit'))],
    [
      'behind a preamble and another part',
      `${head(related)}This is MIME.\r\n${inside(part('x', '7bit', 'image/png'), part(PAGE, ''))}`,
    ],
    ['with line feeds alone', (head(related) + inside(part(quoted, 'quoted-printable'))).replaceAll('\r', '')],
    ['without an end', head(related) + inside(part(PAGE, '8bit')).replace('----x=1--\r\n', '')],
    [
      'in a part of parts',
      head('multipart/mixed; boundary=out') +
        `--out\r\nContent-Type: ${related}\r\n\r\n${inside(part(quoted, 'quoted-printable'))}\r\n--out--`,
    ],
    [
      'of a single part',
      `MIME-Version: 1.0\nContent-Type: text/html; charset=koi8-r\nContent-Transfer-Encoding: quoted-printable\n\n${quoted}`,
    ],
  ])('%s is read', async (_, archive) => {
    const opened = await open(archive);
    expect(textOf(opened)).toBe(PAGE);
    expect(opened).toMatchObject({ contentType: 'text/html; charset=koi8-r', truncated: false });
  });

  test('is read if it is packed, too', async () => {
    expect(textOf(await open(zlib.gzipSync(head(related) + inside(part(quoted, 'quoted-printable')))))).toBe(PAGE);
  });

  test('of any nest of marks is read without an exception', () => {
    const random = createRandom(8);
    const pieces = [
      'Content-Type: ',
      'multipart/related; boundary=b',
      'text/html',
      '\n',
      '\n\n',
      '--b',
      '--b--',
      ' ',
      '=3',
      '=\n',
      'x',
    ];
    for (let round = 0; round < 2000; round++) {
      const text = Array.from({ length: random.below(30) }, () => pieces[random.below(pieces.length)]).join('');
      expect(() => readMhtml(bytesOf(text))).not.toThrow();
    }
  });
});
