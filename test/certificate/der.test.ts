import { describe, expect, test } from 'bun:test';
import { DER, DerError, readDerElements, readDerOid, readDerTime } from '#src/certificate/der.ts';
import { der, derOid, derSequence, derTime } from '#test/support/der-writer.ts';

const only = (bytes: Uint8Array) => readDerElements(bytes)[0];

test('what is written is read back, whatever its length', () => {
  for (const length of [0, 1, 127, 128, 255, 256, 65_535, 65_536, 200_000]) {
    const content = Buffer.alloc(length, 7);
    const element = only(der(DER.octetString, content));
    expect(element?.tag).toBe(DER.octetString);
    expect(element?.content.length).toBe(length);
  }
  const two = readDerElements(Buffer.concat([derSequence(), derOid('1.2.3')]));
  expect(two.map(({ tag }) => tag)).toEqual([DER.sequence, DER.oid]);
});

test.each(['0.9.2342.19200300.100.1.25', '1.2.840.113549.1.1.11', '2.5.29.17', '1.3.6.1.5.5.7.3.1'])(
  'OID %s',
  (oid) => {
    expect(readDerOid(only(derOid(oid)))).toBe(oid);
  },
);

test.each([0, Date.UTC(1999, 11, 31, 23, 59, 59), Date.UTC(2049, 0, 1), Date.UTC(2050, 0, 1), Date.UTC(9999, 11, 31)])(
  'time %d',
  (ms) => {
    expect(readDerTime(only(derTime(ms)))).toBe(ms);
  },
);

describe('what is refused', () => {
  const time = (tag: number, text: string) => () => readDerTime(only(der(tag, Buffer.from(text))));
  test.each([
    [DER.utcTime, '20260101000000Z'],
    [DER.utcTime, '261301000000Z'],
    [DER.utcTime, '260230000000Z'],
    [DER.utcTime, '260101240000Z'],
    [DER.utcTime, '2601010000Z'],
    [DER.utcTime, '260101000000+0100'],
    [DER.generalizedTime, '20260101000000.5Z'],
    [DER.octetString, '260101000000Z'],
  ])('tag %d, time %p', (tag, text) => {
    expect(time(tag, text)).toThrow(DerError);
  });

  test.each([
    ['a length without an end', [0x30, 0x80, 0, 0]],
    ['a length of four bytes', [0x30, 0x84, 0, 0, 0, 0]],
    ['a content cut short', [0x30, 2, 0]],
    ['a tag of several bytes', [0x3f, 0x81, 0]],
    ['a lone byte', [0x30]],
  ])('%s', (_, bytes) => {
    expect(() => readDerElements(Uint8Array.from(bytes))).toThrow(DerError);
  });
});
