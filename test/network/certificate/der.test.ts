import { describe, expect, test } from 'bun:test';
import {
  DER,
  DerError,
  readDerElements,
  readDerOid,
  readDerSequence,
  readDerTime,
} from '#src/network/certificate/der.ts';
import { der, derOid, derSequence, derSet, derTime } from '#test/support/der-writer.ts';

const only = (bytes: Uint8Array) => readDerElements(bytes)[0];

test('encoded content of any length is read back', () => {
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

test('the first octets of an OID encode two numbers, and the second is unbounded after a 2', () => {
  const read = (...octets: number[]) => readDerOid(only(der(DER.oid, Buffer.from(octets))));
  expect(read(39)).toBe('0.39');
  expect(read(40)).toBe('1.0');
  expect(read(79)).toBe('1.39');
  expect(read(80)).toBe('2.0');
  expect(read(120)).toBe('2.40');
  expect(read(0x88, 0x37, 0x03)).toBe('2.999.3');
  expect(() => readDerOid(only(derSequence()))).toThrow(DerError);
});

test('a sequence must be the only element and have the expected tag', () => {
  const two = derSequence(derOid('1.2.3'), derOid('1.2.4'));
  expect(readDerSequence(two).map((element) => readDerOid(element))).toEqual(['1.2.3', '1.2.4']);
  expect(readDerSequence(derSet(), DER.set)).toEqual([]);
  for (const [bytes, tag] of [
    [Buffer.concat([two, two])],
    [Buffer.concat([two, two, two])],
    [derSet()],
    [derSequence(), DER.set],
    [new Uint8Array()],
  ] as const)
    expect(() => readDerSequence(bytes, tag)).toThrow(DerError);
});

test('a sequence has at most 20,000 elements', () => {
  const empty = (count: number) => Buffer.alloc(2 * count, Buffer.from([0x04, 0x00]));
  expect(readDerElements(empty(20_000))).toHaveLength(20_000);
  expect(() => readDerElements(empty(20_001))).toThrow(DerError);
});

test('reads two-digit years as 1950 to 2049', () => {
  const year = (digits: string) =>
    new Date(readDerTime(only(der(DER.utcTime, Buffer.from(`${digits}0101000000Z`))))).getUTCFullYear();
  expect(['00', '49', '50', '51', '99'].map(year)).toEqual([2000, 2049, 1950, 1951, 1999]);
});

test('reads the last second of a day', () => {
  expect(readDerTime(only(der(DER.utcTime, Buffer.from('260131235959Z'))))).toBe(Date.UTC(2026, 0, 31, 23, 59, 59));
});

test.each([0, Date.UTC(1999, 11, 31, 23, 59, 59), Date.UTC(2049, 0, 1), Date.UTC(2050, 0, 1), Date.UTC(9999, 11, 31)])(
  'time %d',
  (ms) => {
    expect(readDerTime(only(derTime(ms)))).toBe(ms);
  },
);

describe('refuses', () => {
  const time = (tag: number, text: string) => () => readDerTime(only(der(tag, Buffer.from(text))));
  test.each([
    [DER.utcTime, '20260101000000Z'],
    [DER.utcTime, '261301000000Z'],
    [DER.utcTime, '260230000000Z'],
    [DER.utcTime, '260101240000Z'],
    [DER.utcTime, '260101250000Z'],
    [DER.utcTime, '260101006000Z'],
    [DER.utcTime, '260101006100Z'],
    [DER.utcTime, '260101000060Z'],
    [DER.utcTime, '260001000000Z'],
    [DER.utcTime, '260100000000Z'],
    [DER.utcTime, '260101000000ZZ'],
    [DER.utcTime, ' 260101000000Z'],
    [DER.generalizedTime, '20260101000000Z '],
    [DER.generalizedTime, '120260101000000Z'],
    [DER.generalizedTime, '260101000000Z'],
    [DER.utcTime, '2601010000Z'],
    [DER.utcTime, '260101000000+0100'],
    [DER.generalizedTime, '20260101000000.5Z'],
    [DER.octetString, '260101000000Z'],
    [DER.octetString, '20260101000000Z'],
  ])('tag %d, time %p', (tag, text) => {
    expect(time(tag, text)).toThrow(DerError);
  });

  test.each([
    ['a length without an end', [0x30, 0x80, 0, 0]],
    ['a length without an end, and as much behind it as it might be', [0x30, 0x80, ...Array(128).fill(0)]],
    ['a length of four bytes', [0x30, 0x84, 0, 0, 0, 0]],
    ['a content cut short', [0x30, 2, 0]],
    ['a tag of several bytes', [0x3f, 0x81, 0]],
    ['a lone byte', [0x30]],
  ])('%s', (_, bytes) => {
    expect(() => readDerElements(Uint8Array.from(bytes))).toThrow(DerError);
  });
});
