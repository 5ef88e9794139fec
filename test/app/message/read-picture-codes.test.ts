import { expect, test } from 'bun:test';
import { crc32, deflateSync } from 'node:zlib';
import encodeQR from 'qr';
import { readPictureCodes } from '#src/app/message/read-picture-codes.ts';
import { UNREAD_MESSAGE } from '#src/engine/message/message.ts';
import { readMessage } from '#src/engine/message/read-message.ts';
import { drawnCodes } from '#src/engine/message/text/drawn-code.ts';

const LINK = 'https://paypal-login.verify-acct.example/signin';

/** Returns the links of a message by its codes. */
async function linksOf(text: string) {
  const message = await readMessage(new TextEncoder().encode(text));
  if (message === null) throw new TypeError('not a message');
  const { links, pictures } = await readPictureCodes(message, () => false, 'all');
  return { urls: links.map(({ url }) => url), unread: pictures.map(({ name }) => name) };
}

const drawnWith = (dark: string, light: string) =>
  encodeQR(LINK, 'raw')
    .map((row) => row.map((isDark) => (isDark ? dark : light)).join(''))
    .join('\n');

test.each([
  ['full blocks, twice as wide', drawnWith('██', '  ')],
  ['full blocks on a dark ground', drawnWith('  ', '██')],
  ['number signs', drawnWith('##', '  ')],
  ['one sign for a module', drawnWith('#', ' ')],
  ['squares', drawnWith('⬛', '⬜')],
  ['squares with their outlines', drawnWith('■', '□')],
  ['half blocks', encodeQR(LINK, 'ascii')],
  ['colours of a terminal', encodeQR(LINK, 'term')],
  ['without white space at the ends of lines', drawnWith('██', '  ').replace(/ +$/gm, '')],
  ['quoted', drawnWith('██', '  ').replace(/^/gm, '> ')],
  ['ends of lines of Windows', drawnWith('██', '  ').replaceAll('\n', '\r\n')],
])('reads a code of %s', async (_, code) => {
  expect(await linksOf(`Scan this:\n\n${code}\n\nThank you`)).toEqual({ urls: [LINK], unread: [] });
});

test('a drawing that is no code stays unread', async () => {
  const checkered = Array.from({ length: 25 }, (_, row) => (row % 2 ? '# ' : ' #').repeat(13).slice(0, 25)).join('\n');
  expect(await linksOf(checkered)).toEqual({ urls: [], unread: ['QR code drawn with characters'] });
});

test.each([
  '##########\n# Title #\n##########',
  Array.from({ length: 30 }, () => '#'.repeat(30)).join('\nx\n'),
  '█████████████████████████████ 80 %',
  '* * * * * * * * * * *\n'.repeat(5),
  '',
])('%j has no code', (text) => {
  expect(drawnCodes(text)).toEqual([]);
});

test('a message names the pictures of drawn codes', async () => {
  const message = await readMessage(new TextEncoder().encode(`Scan:\n${drawnWith('██', '  ')}\n`));
  expect(message?.pictures.map(({ name, contentType }) => [name, contentType])).toEqual([
    ['QR code drawn with characters', 'image/bmp'],
  ]);
});

/** A PNG file of one byte per pixel. */
function pngOf(rows: readonly (readonly boolean[])[]): Uint8Array<ArrayBuffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(rows[0]?.length ?? 0, 0);
  header.writeUInt32BE(rows.length, 4);
  header[8] = 8;
  const pixels = Buffer.concat(rows.map((row) => Buffer.from([0, ...row.map((isDark) => (isDark ? 0 : 255))])));
  const chunks = (
    [
      ['IHDR', header],
      ['IDAT', deflateSync(pixels)],
      ['IEND', Buffer.alloc(0)],
    ] as const
  ).map(([type, data]) => {
    const chunk = Buffer.concat([Buffer.alloc(4), Buffer.from(type), data, Buffer.alloc(4)]);
    chunk.writeUInt32BE(data.length, 0);
    chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
    return chunk;
  });
  return new Uint8Array(Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks]));
}

test.each(['png', 'jpeg', 'webp'] as const)('reads a code of a %s file, and names the file', async (format) => {
  const bytes = new Uint8Array(await new Bun.Image(pngOf(encodeQR(LINK, 'raw', { scale: 4 })))[format]().bytes());
  const message = { ...UNREAD_MESSAGE, pictures: [{ name: 'pay.bin', contentType: `image/${format}`, bytes }] };
  const { links, pictures } = await readPictureCodes(message, () => false, 'all');
  expect([links.map(({ url, file }) => [url, file]), pictures]).toEqual([[[LINK, 'pay.bin']], []]);
  const left = await readPictureCodes(message, () => false, 'drawn');
  expect(left.pictures.map(({ name }) => name)).toEqual(['pay.bin']);
});

test('a picture that cannot be decoded, or for which no time is left, stays unread', async () => {
  const [drawn] = drawnCodes(drawnWith('██', '  '));
  if (drawn === undefined) throw new TypeError('no code');
  const broken = { name: 'broken', contentType: 'image/png', bytes: new Uint8Array([1, 2]) };
  const message = { ...UNREAD_MESSAGE, pictures: [broken, drawn] };
  expect((await readPictureCodes(message, () => true, 'all')).pictures).toEqual([broken, drawn]);
  expect((await readPictureCodes(message, () => false, 'all')).pictures).toEqual([broken]);
});
