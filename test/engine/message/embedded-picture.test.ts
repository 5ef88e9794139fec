import { expect, test } from 'bun:test';
import { readDataUrl } from '#src/engine/message/pictures.ts';

const BYTES = new Uint8Array([0xfb, 0xff, 0xfe, 0]);

test.each([
  ['data:image/png;base64,+//+AA==', 'image/png', BYTES],
  ['data:image/png;base64,-__-AA==', 'image/png', BYTES],
  [' DATA: Image/PNG ;charset=x; BASE64 ,%2B%2f%2F+AA', 'image/png', BYTES],
  ['data:,a%zz%4', 'text/plain', new TextEncoder().encode('a%zz%4')],
  ['data:image/gif;base64x,%FB%ff%fE%00', 'image/gif', BYTES],
  ['data:text/html,é', 'text/html', new TextEncoder().encode('é')],
])('decodes %s', (address, contentType, bytes) => {
  expect(readDataUrl(address)).toEqual({ contentType, bytes });
});

test.each(['https://a.example/', 'data:image/png', 'metadata:,a', 'data:image/png;base64,!', ''])(
  '“%s” contains no data that can be decoded',
  (address) => expect(readDataUrl(address)).toBeNull(),
);
