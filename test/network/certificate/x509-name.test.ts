import { expect, test } from 'bun:test';
import { type DerElement, DerError, readDerElements } from '#src/network/certificate/der.ts';
import { formatX509Name } from '#src/network/certificate/x509.ts';
import { der, derOid, derSequence, derSet, derUtf8 } from '#test/support/der-writer.ts';

const format = (name: Uint8Array) => formatX509Name(readDerElements(name)[0] as DerElement);
const attribute = (oid: string, value: Uint8Array) => derSequence(derOid(oid), value);
const nameOf = (...pairs: readonly (readonly [string, string])[]) =>
  derSequence(...pairs.map(([oid, text]) => derSet(attribute(oid, derUtf8(text)))));

test('formats a distinguished name with its last and most specific part first', () => {
  const pairs = [
    ['0.9.2342.19200300.100.1.25', 'test'],
    ['2.5.4.6', 'NO'],
    ['2.5.4.8', 'Troms'],
    ['2.5.4.7', 'Tromsø'],
    ['2.5.4.10', 'Nordwerk'],
    ['2.5.4.11', 'Web'],
    ['2.5.4.5', '42'],
    ['1.2.840.113549.1.9.1', 'web@nordwerk.test'],
    ['1.3.6.1.4.1.311.60.2.1.3', 'NO'],
    ['2.5.4.3', 'nordwerk.test'],
  ] as const;
  expect(format(nameOf(...pairs))).toBe(
    'CN=nordwerk.test, 1.3.6.1.4.1.311.60.2.1.3=NO, emailAddress=web@nordwerk.test, serialNumber=42, OU=Web, O=Nordwerk, L=Tromsø, ST=Troms, C=NO, DC=test',
  );
});

test('lists the attributes of a multi-valued part side by side', () => {
  const both = derSet(attribute('2.5.4.3', derUtf8('a')), attribute('2.5.4.10', derUtf8('b')));
  expect(format(derSequence(both, derSet(attribute('2.5.4.6', derUtf8('NO')))))).toBe('C=NO, O=b, CN=a');
});

test('decodes each string type with its own character set', () => {
  const told = (tag: number, hex: string) =>
    format(derSequence(derSet(attribute('2.5.4.3', der(tag, Buffer.from(hex, 'hex'))))));
  expect(told(0x0c, 'c3b8')).toBe('CN=ø');
  expect(told(0x1e, '00f82116')).toBe('CN=ø№');
  expect(told(0x13, 'f8')).toBe('CN=ø');
  expect(told(0x14, 'c3b8')).toBe('CN=Ã¸');
});

test('escapes commas, backslashes, control characters and bidirectional overrides in a value', () => {
  expect(format(nameOf(['2.5.4.10', 'Evil, O=Good\\, Inc.\r\u202e'], ['2.5.4.3', 'x']))).toBe(
    'CN=x, O=Evil\\, O=Good\\x5c\\, Inc.\\x0d\\u{202e}',
  );
});

test('truncates a name to 1,024 characters, and returns an empty string for an empty name', () => {
  const long = format(nameOf(['2.5.4.3', 'x'.repeat(2000)]));
  expect(long).toBe(`CN=${'x'.repeat(1021)}`);
  expect(format(derSequence())).toBe('');
  expect(format(derSequence(derSet(derSequence(derOid('2.5.4.3')))))).toBe('CN=');
});

test.each([
  ['whose part is no set', derSequence(attribute('2.5.4.3', derUtf8('a')))],
  ['whose attribute is no pair', derSequence(derSet(derUtf8('a')))],
  ['whose attribute has no type', derSequence(derSet(derSequence(derUtf8('a'))))],
])('refuses a name %s', (_, bytes) => {
  expect(() => format(bytes)).toThrow(DerError);
});
