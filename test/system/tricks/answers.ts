import zlib from 'node:zlib';
import { HONEST_TEXT, pageOf, type SiteAnswer, type Tricks } from './trick.ts';

const coded = (coding: string, body: Uint8Array): SiteAnswer => ({ headers: { 'Content-Encoding': coding }, body });
const gzip = (text: string) => zlib.gzipSync(text);

/** A member of gzip with a file name, a comment and an extra field. */
function gzipWithFields(text: string): Uint8Array {
  const plain = gzip(text);
  const fields = Buffer.concat([
    Buffer.from([4, 0]),
    Buffer.from('AB\0\0'),
    Buffer.from('a.html\0'),
    Buffer.from('c\0'),
  ]);
  const head = Buffer.from(plain.subarray(0, 10));
  head[3] = 4 | 8 | 16;
  return Buffer.concat([head, fields, plain.subarray(10)]);
}

function wrongSum(text: string): Uint8Array {
  const bytes = Buffer.from(gzip(text));
  bytes.writeUInt32LE(1, bytes.length - 8);
  return bytes;
}

/** Codings of a body. */
export const CODINGS: Tricks = {
  'gzip with fields': ({ page }) => ({ '/': coded('gzip', gzipWithFields(page)) }),
  'gzip without its end': ({ page }) => ({ '/': coded('gzip', gzip(page).subarray(0, -6)) }),
  'gzip of a wrong sum': ({ page }) => ({ '/': coded('gzip', wrongSum(page)) }),
  'gzip and more bytes': ({ page }) => ({ '/': coded('gzip', Buffer.concat([gzip(page), Buffer.from('more')])) }),
  'gzip in capitals': ({ page }) => ({ '/': coded('GZip', gzip(page)) }),
  'gzip by its old name': ({ page }) => ({ '/': coded('x-gzip', gzip(page)) }),
  'gzip twice': ({ page }) => ({ '/': coded('gzip, gzip', zlib.gzipSync(gzip(page))) }),
  'deflate with a header': ({ page }) => ({ '/': coded('deflate', zlib.deflateSync(page)) }),
  'deflate without a header': ({ page }) => ({ '/': coded('deflate', zlib.deflateRawSync(page)) }),
  'brotli that nobody offered': ({ page }) => ({ '/': coded('br', zlib.brotliCompressSync(page)) }),
  'coding that is none': ({ page }) => ({ '/': coded('binary', Buffer.from(page)) }),
  'coding of an empty name': ({ page }) => ({ '/': coded('', Buffer.from(page)) }),
};

const withStatus =
  (status: string, headers: Readonly<Record<string, string>> = {}): Tricks[string] =>
  ({ page }) => ({ '/': { status, headers, body: page } });

/** Statuses of the page. */
export const STATUSES: Tricks = {
  'not found': withStatus('404 Not Found'),
  forbidden: withStatus('403 Forbidden'),
  gone: withStatus('410 Gone'),
  teapot: withStatus("418 I'm a teapot"),
  'too many requests': withStatus('429 Too Many Requests', { 'Retry-After': '1' }),
  'server error': withStatus('500 Internal Server Error'),
  unavailable: withStatus('503 Service Unavailable'),
  'status of a cloud': withStatus('530 Origin DNS Error', { Server: 'cloudflare' }),
  'unauthorized, and nothing to answer with': withStatus('401 Unauthorized'),
  'payment required': withStatus('402 Payment Required'),
  'multiple choices with a place': withStatus('300 Multiple Choices', { Location: '/elsewhere' }),
  'created with a place': withStatus('201 Created', { Location: '/elsewhere' }),
  'not modified for nobody': withStatus('226 IM Used'),
  'found, and nowhere': withStatus('302 Found'),
};

const to = (location: string, more: Readonly<Record<string, string>> = {}): SiteAnswer => ({
  status: '302 Found',
  headers: { Location: location, ...more },
});

/** Redirects by status, header and element. */
export const REDIRECTS: Tricks = {
  'relative path': ({ page }) => ({ '/': to('en/signin?x=1'), '/en/signin': page }),
  'a query alone': ({ page }) => ({ '/': ({ query }) => (query === 'go=1' ? page : to('?go=1')) }),
  'a host without a scheme': ({ page, other }) => ({ '/': to(`//${other}/id`), [`//${other}/id`]: page }),
  backslashes: ({ page, other }) => ({ '/': to(`http:\\\\${other}\\id`), [`//${other}/id`]: page }),
  'a tab within the scheme': ({ page, other }) => ({ '/': to(`ht\ttp://${other}/id`), [`//${other}/id`]: page }),
  'a user that looks like a host': ({ page, other }) => ({
    '/': to(`http://www.wikipedia.org@${other}/id`),
    [`//${other}/id`]: page,
  }),
  'permanent, with another method': ({ page }) => ({
    '/': { status: '308 Permanent Redirect', headers: { Location: '/id' } },
    '/id': page,
  }),
  'status without a reason': ({ page }) => ({ '/': { status: '307', headers: { Location: 'id' } }, '/id': page }),
  'a chain of four': ({ page }) => ({ '/': to('/1'), '/1': to('/2'), '/2': to('/3'), '/3': to('/4'), '/4': page }),
  'a chain of nine': ({ page }) => ({
    '/': to('/1'),
    ...Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`/${at + 1}`, to(`/${at + 2}`)])),
    '/9': page,
  }),
  'a place of 12,000 characters': ({ page }) => ({ '/': to(`/id?state=${'e'.repeat(12_000)}`), '/id': page }),
  'refresh in a header': ({ page }) => ({
    '/': { headers: { Refresh: '0; url=/id' }, body: pageOf('Wait', HONEST_TEXT) },
    '/id': page,
  }),
  'refresh of an element after two seconds': ({ page }) => ({
    '/': pageOf('Please wait', HONEST_TEXT, '<meta http-equiv="refresh" content="2; URL=\'verify.html\'">'),
    '/verify.html': page,
  }),
  'refresh and a status of error': ({ page }) => ({
    '/': {
      status: '404 Not Found',
      body: '<meta http-equiv="Refresh" content="0,/id"><h1>Not Found</h1>',
    },
    '/id': page,
  }),
  'relative to a base': ({ page }) => ({
    '/': '<base href="/deep/er/"><meta http-equiv="refresh" content="0;url=../id">',
    '/deep/id': page,
  }),
};

/** Pages that lead no further by themselves: Chromium shows nothing of the page. */
export const LINKS: Tricks = {
  'a link alone': ({ page }) => ({ '/': pageOf('Document', '<a href="/doc">Open the document</a>'), '/doc': page }),
  'a button that leads on': ({ page }) => ({
    '/': pageOf('Voicemail', '<button onclick="location.href=\'/play\'">Play message</button>'),
    '/play': page,
  }),
  'a link within a picture': ({ page, other }) => ({
    '/': pageOf('Invoice', `<a href="http://${other}/i"><img alt="View invoice" src="/i.png" width="900"></a>`),
    [`//${other}/i`]: page,
  }),
  'a link amid honest words': ({ page, other }) => ({
    '/': pageOf('Riverside choir', `${HONEST_TEXT}<p><a href="http://${other}/m">Members</a></p>`),
    [`//${other}/m`]: page,
  }),
};
