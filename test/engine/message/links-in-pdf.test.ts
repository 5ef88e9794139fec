import { expect, test } from 'bun:test';
import { deflateSync } from 'node:zlib';
import { isPdf, linksInPdf } from '#src/engine/message/pdf/links-in-pdf.ts';
import { readMessage } from '#src/engine/message/read-message.ts';
import { attachment, htmlMail } from './mails.ts';

const LURE = 'https://paypal-login.verify-account.cyou/signin';
const latin1 = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));
const pdf = (...objects: readonly string[]) =>
  latin1(`%PDF-1.7\n${objects.map((one, at) => `${at + 1} 0 obj\n${one}\nendobj\n`).join('')}%%EOF`);
const link = (string: string) => `<< /Type /Annot /Subtype /Link /A << /S /URI /URI ${string} >> >>`;
const packed = (text: string, entries = '/Type /ObjStm') =>
  `<< ${entries} /Filter /FlateDecode >>\nstream\n${deflateSync(Buffer.from(text, 'latin1')).toString('latin1')}\nendstream`;

async function urlsOf(bytes: Uint8Array<ArrayBuffer>): Promise<readonly string[]> {
  return (await linksInPdf(bytes, 'a.pdf', () => false)).links.map(({ url }) => url);
}

test.each([
  ['a literal string', link(`(${LURE})`)],
  ['escapes and octal digits', link(`(https:\\/\\/paypal-login.verify-account.cyou\\057signin)`)],
  ['hexadecimal digits', link(`<${Buffer.from(LURE).toString('hex')}>`)],
  ['a name with escapes', link(`(${LURE})`).replace('/URI (', '/#55R#49 (')],
  ['an object stream', packed(`1 0 ${link(`(${LURE})`)}`)],
  [
    'a stream whose names have escapes',
    packed(link(`(${LURE})`), '/Type /Obj#53tm').replace('/FlateDecode', '/F#6cateDecode'),
  ],
])('reads a link that is written as %s', async (_, object) => {
  expect(await urlsOf(pdf(object))).toEqual([LURE]);
});

test('keeps parentheses in balance, and completes an address without a scheme', async () => {
  expect(await urlsOf(pdf(link('(https://a.example/x_(y))'), link('(www.b.example/z)')))).toEqual([
    'https://a.example/x_(y)',
    'http://www.b.example/z',
  ]);
});

test('a script is a target that is no web address, and a photograph is a picture', async () => {
  const photograph = '<< /Subtype /Image /Filter /DCTDecode >>\nstream\n\u00ff\u00d8\u00ffx\nendstream';
  const { nonWeb, pictures } = await linksInPdf(pdf(link('(javascript:x())'), photograph), 'a.pdf', () => false);
  expect(nonWeb).toMatchObject([{ kind: 'script' }]);
  expect(pictures.map(({ contentType, bytes }) => [contentType, bytes[0]])).toEqual([['image/jpeg', 0xff]]);
});

test('hostile documents end at the limits', async () => {
  const bomb = packed('/URI ('.repeat(1_000_000));
  expect(await urlsOf(pdf(bomb, bomb))).toEqual([]);
  expect(await urlsOf(latin1(`%PDF-1.7 ${'/URI ('.repeat(200_000)}`))).toEqual([]);
  expect((await urlsOf(latin1(`%PDF-1.7 ${'stream\n'.repeat(100_000)}`))).length).toBe(0);
  expect(await urlsOf(pdf(`${link(`(${LURE})`)} /Encrypt 5 0 R`))).toEqual([]);
  expect(await urlsOf(pdf(packed('x').replace('x\u009c', 'damaged')))).toEqual([]);
});

test('a document in a mail and by itself is read for its links, and named as not read whole', async () => {
  const bytes = pdf(link(`(${LURE})`));
  expect(isPdf(bytes)).toBe(true);
  const alone = await readMessage(bytes, 'terms.pdf');
  expect([alone?.links.map(({ url }) => url), alone?.unread]).toEqual([[LURE], ['terms.pdf']]);
  const mail = htmlMail('<p>x</p>', 'x', [attachment('application/pdf', 'terms.pdf', bytes)]);
  const read = await readMessage(new TextEncoder().encode(mail));
  expect(read?.links).toMatchObject([{ url: LURE, file: 'terms.pdf' }]);
  expect(read?.unread).toEqual(['terms.pdf']);
});
