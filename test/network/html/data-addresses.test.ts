import { describe, expect, test } from 'bun:test';
import { htmlOfDataAddress, readDataAddress, scriptOfDataAddress } from '#src/network/html/addresses.ts';

const BYTES = new Uint8Array([0xfb, 0xff, 0xfe, 0]);

test.each([
  ['data:image/png;base64,+//+AA==', 'image/png', BYTES],
  ['data:image/png;base64,-__-AA==', 'image/png', BYTES],
  [' DATA: Image/PNG ;charset=x; BASE64 ,%2B%2f%2F+AA', 'image/png ;charset=x', BYTES],
  ['data:,a%zz%4', 'text/plain', new TextEncoder().encode('a%zz%4')],
  ['data:;charset=utf-8,a', 'text/plain', new TextEncoder().encode('a')],
  ['data:image/gif;base64x,%FB%ff%fE%00', 'image/gif;base64x', BYTES],
  ['data:text/html,é', 'text/html', new TextEncoder().encode('é')],
  ['\n da\tta:text/html;a=1;b=2;c=3;d=4;e=5;base64,+//\r\n+AA', 'text/html;a=1;b=2;c=3;d=4;e=5', BYTES],
  ['data:text/html,a#b', 'text/html', new TextEncoder().encode('a')],
])('decodes %s', (address, contentType, bytes) => {
  expect(readDataAddress(address)).toEqual({ contentType, bytes });
});

test.each(['https://a.example/', 'data:image/png', 'data:#,a', 'metadata:,a', 'data:image/png;base64,!', ''])(
  '“%s” contains no data that can be decoded',
  (address) => expect(readDataAddress(address)).toBeNull(),
);

const wide = (text: string) => Buffer.from(text, 'utf16le').toString('base64');
const XHTML = '<html xmlns="http://www.w3.org/1999/xhtml"><p>é</p></html>';

describe('a page in an address', () => {
  test.each([
    ['data:text/html,<p style="width:100%;top:5%">é</p>', '<p style="width:100%;top:5%">é</p>'],
    ['data:text/html;charset=windows-1252,%3Cp>%E9', '<p>é'],
    [`data:text/html;charset=utf-16le;base64,${wide('<p>é')}`, '<p>é'],
    [`data:text/html;base64,${wide('\ufeff<p>é')}`, '<p>é'],
    [`data:text/xml,${XHTML}`, XHTML],
    [`data:application/atom+xml,${XHTML}`, XHTML],
    ['data:image/svg+xml,<svg/>', '<svg/>'],
  ])('is decoded as its type says: %s', (address, html) => expect(htmlOfDataAddress(address)).toBe(html));

  test.each(['data:,<p>', 'data:text/plain,<p>', 'data:image/png,<p>', 'data:text/xml,<p/>', 'data:html,<p>'])(
    'is not %s',
    (address) => expect(htmlOfDataAddress(address)).toBeNull(),
  );
});

test('a script in an address runs by any type but that of a picture, a sound, a film or a table', () => {
  const types = ['', 'text/javascript', 'text/plain', 'image/png', 'audio/ogg', 'video/mp4', 'text/csv'];
  const run = types.filter((type) => scriptOfDataAddress(`data:${type},a=5%2`) === 'a=5%2');
  expect(run).toEqual(['', 'text/javascript', 'text/plain']);
  expect(scriptOfDataAddress(`data:text/javascript;charset=utf-16le;base64,${wide('go()')}`)).toBe('go()');
});
