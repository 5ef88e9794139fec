import { expect, test } from 'bun:test';
import encodeQR from 'qr';
import decodeQR from 'qr/decode.js';
import { drawnCodes } from '#src/engine/message/drawn-code.ts';
import { readMessage } from '#src/engine/message/read-message.ts';

const LINK = 'https://paypal-login.verify-acct.example/signin';

/** Decodes a bitmap of 24 bits per pixel. */
function textOf(bytes: Uint8Array<ArrayBuffer>): string {
  const view = new DataView(bytes.buffer);
  const [width, height] = [view.getUint32(18, true), view.getUint32(22, true)];
  const data = new Uint8Array(4 * width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = 54 + 3 * ((height - 1 - y) * width + x);
      data.set([...bytes.subarray(at, at + 3), 255], 4 * (y * width + x));
    }
  }
  return decodeQR({ width, height, data }, { timeLimit: 5000 });
}

const codesIn = (text: string) => drawnCodes(text).map(({ bytes }) => textOf(bytes));

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
])('finds a code of %s', (_, code) => {
  expect(codesIn(`Scan this:\n\n${code}\n\nThank you`)).toEqual([LINK]);
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
