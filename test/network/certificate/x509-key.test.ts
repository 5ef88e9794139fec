import { describe, expect, test } from 'bun:test';
import { type DerElement, DerError, readDerElements } from '#src/network/certificate/der.ts';
import { readPublicKeyKind } from '#src/network/certificate/x509.ts';
import { der, derBits, derInteger, derOid, derSequence } from '#test/support/der-writer.ts';
import { ed25519PublicKey, rsaPublicKey } from '#test/support/public-key.ts';

const RSA = '1.2.840.113549.1.1.1';
const EC = '1.2.840.10045.2.1';
const KEY = derBits(Buffer.alloc(65, 4));

const kindOf = (info: Uint8Array) => readPublicKeyKind(readDerElements(info)[0] as DerElement);
/** A SubjectPublicKeyInfo of an algorithm, with its parameters. */
const info = (oid: string, ...parameters: readonly Uint8Array[]) =>
  derSequence(derSequence(derOid(oid), ...parameters), KEY);

describe('a curve', () => {
  test.each([
    ['1.2.840.10045.3.1.1', 'P-192', 192],
    ['1.3.132.0.33', 'P-224', 224],
    ['1.2.840.10045.3.1.7', 'P-256', 256],
    ['1.3.132.0.34', 'P-384', 384],
    ['1.3.132.0.35', 'P-521', 521],
    ['1.3.132.0.10', 'secp256k1', 256],
  ])('%s is %s, of %d bits', (oid, name, bits) => {
    expect(kindOf(info(EC, derOid(oid)))).toEqual({ algorithm: 'EC', bits, label: `EC ${name}` });
  });

  test('that is unknown is reported by its OID, without a key length', () => {
    expect(kindOf(info(EC, derOid('1.3.36.3.3.2.8.1.1.7')))).toEqual({
      algorithm: 'EC',
      bits: null,
      label: 'EC 1.3.36.3.3.2.8.1.1.7',
    });
    for (const parameters of [[], [derSequence()]])
      expect(kindOf(info(EC, ...parameters))).toEqual({
        algorithm: 'EC',
        bits: null,
        label: 'EC explicit parameters',
      });
  });
});

describe('an algorithm', () => {
  test.each([
    ['1.2.840.10040.4.1', 'DSA', 'DSA'],
    ['1.3.101.112', 'Ed25519', 'Ed25519'],
    ['1.3.101.113', 'Ed448', 'Ed448'],
    ['1.2.3.4', 'unknown', '1.2.3.4'],
  ] as const)('%s is %s', (oid, algorithm, label) => {
    expect(kindOf(info(oid))).toEqual({ algorithm, bits: null, label });
  });

  test('is read from a key of the crypto library', () => {
    expect(kindOf(ed25519PublicKey()).label).toBe('Ed25519');
  });
});

describe('the length of an RSA key', () => {
  const withModulus = (modulus: Uint8Array, oid = RSA) =>
    derSequence(derSequence(derOid(oid)), derBits(derSequence(der(0x02, modulus), derInteger(Buffer.from([1, 0, 1])))));

  test.each([512, 1024, 2048, 4096])('is %d bits', (bits) => {
    expect(kindOf(rsaPublicKey(bits))).toEqual({ algorithm: 'RSA', bits, label: `RSA ${bits}` });
  });

  test.each([
    [[0x01], 1],
    [[0x7f], 7],
    [[0x00, 0x80], 8],
    [[0x00, 0x00, 0x03, 0xff], 10],
    [[0x01, 0x00, 0x00], 17],
    [[0x00], 0],
    [[], 0],
  ])('with the modulus %p is %d', (modulus, bits) => {
    expect(kindOf(withModulus(Buffer.from(modulus))).bits).toBe(bits);
  });

  test('is read in the same way from an RSA-PSS key', () => {
    expect(kindOf(withModulus(Buffer.from([0x7f]), '1.2.840.113549.1.1.10')).label).toBe('RSA 7');
  });
});

test.each([
  ['without an algorithm', derSequence()],
  ['whose algorithm is no sequence', derSequence(derOid(RSA), KEY)],
  ['of RSA without a modulus', derSequence(derSequence(derOid(RSA)), derBits(derSequence()))],
  ['of RSA whose key is no bit string', derSequence(derSequence(derOid(RSA)), derSequence())],
  ['of RSA whose modulus is no number', derSequence(derSequence(derOid(RSA)), derBits(derSequence(derOid('1.2.3'))))],
])('refuses a key %s', (_, bytes) => {
  expect(() => kindOf(bytes)).toThrow(DerError);
});
