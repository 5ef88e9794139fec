import { expect, test } from 'bun:test';
import encodeQR from 'qr';
import { readDrawnCodes } from '#src/app/message/read-drawn-codes.ts';
import { readMessage } from '#src/engine/message/read-message.ts';
import { drawnCodes } from '#src/engine/message/text/drawn-code.ts';

const LINK = 'https://paypal-login.verify-acct.example/signin';

/** Returns the links of a message by its codes. */
async function linksOf(text: string) {
  const message = await readMessage(new TextEncoder().encode(text));
  if (message === null) throw new TypeError('not a message');
  const { links, pictures } = await readDrawnCodes(message);
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
