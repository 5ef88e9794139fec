import { describe, expect, test } from 'bun:test';
import { parseX509 } from '#src/network/certificate/x509.ts';
import {
  der,
  derBits,
  derBoolean,
  derContext,
  derInteger,
  derOctets,
  derOid,
  derSequence,
  derSet,
  derTime,
  derUtf8,
} from '#test/support/der-writer.ts';
import { NOW_MS } from '#test/support/now.ts';
import { ed25519PublicKey } from '#test/support/public-key.ts';

const name = (text: string) => derSequence(derSet(derSequence(derOid('2.5.4.3'), derUtf8(text))));
const algorithm = derSequence(derOid('1.3.101.112'));
const extension = (oid: string, text: string) => derSequence(derOid(oid), derOctets(derUtf8(text)));

/** The fields of a certificate in their order; all but the last must be there. */
const FIELDS = {
  version: derContext(0, derInteger(Buffer.from([2]))),
  serial: derInteger(Buffer.from([7])),
  algorithm,
  issuer: name('Issuer'),
  validity: derSequence(derTime(NOW_MS), derTime(NOW_MS + 1000)),
  subject: name('Subject'),
  key: ed25519PublicKey(),
  extensions: derContext(3, derSequence(extension('1.2.3', 'a'))),
};

const signed = (body: Uint8Array, by = algorithm) => derSequence(body, by, derBits(Buffer.alloc(64)));
const certificate = (fields: Readonly<Record<string, Uint8Array>> = {}) =>
  parseX509(signed(derSequence(...Object.values({ ...FIELDS, ...fields }))));
const NOTHING = new Uint8Array();
const told = (bytes: ReadonlyMap<string, Uint8Array> | undefined) =>
  [...(bytes ?? [])].map(([oid, value]) => [oid, Buffer.from(value.subarray(2)).toString()]);

describe('a certificate', () => {
  test('is parsed into its fields', () => {
    const found = certificate();
    expect(found).toMatchObject({
      issuerText: 'CN=Issuer',
      subjectText: 'CN=Subject',
      notBeforeMs: NOW_MS,
      notAfterMs: NOW_MS + 1000,
      key: { label: 'Ed25519' },
      signatureOid: '1.3.101.112',
    });
    expect([found?.issuer, found?.subject].map((bytes) => Buffer.from(bytes ?? []).toString('hex'))).toEqual(
      [FIELDS.issuer, FIELDS.subject].map((bytes) => Buffer.from(bytes).toString('hex')),
    );
    expect(told(found?.extensions)).toEqual([['1.2.3', 'a']]);
  });

  test('may omit its version and its extensions', () => {
    expect(certificate({ version: NOTHING })?.subjectText).toBe('CN=Subject');
    expect(certificate({ version: NOTHING, extensions: NOTHING })?.extensions.size).toBe(0);
  });

  test('may have unique identifiers before its extensions', () => {
    const more = { key: Buffer.concat([FIELDS.key, der(0x81, Buffer.from([0])), der(0x82, Buffer.from([0]))]) };
    expect(told(certificate(more)?.extensions)).toEqual([['1.2.3', 'a']]);
  });

  test('has only the first of two extension blocks', () => {
    const second = derContext(3, derSequence(extension('1.2.3', 'b'), extension('1.2.4', 'c')));
    const twice = { extensions: Buffer.concat([FIELDS.extensions, second]) };
    expect(told(certificate(twice)?.extensions)).toEqual([['1.2.3', 'a']]);
  });

  test('may mark an extension as critical', () => {
    const critical = derSequence(derOid('1.2.5'), derBoolean(true), derOctets(derUtf8('d')));
    expect(told(certificate({ extensions: derContext(3, derSequence(critical)) })?.extensions)).toEqual([
      ['1.2.5', 'd'],
    ]);
  });

  test('has the signature algorithm that follows its body', () => {
    const body = derSequence(...Object.values(FIELDS));
    expect(parseX509(signed(body, derSequence(derOid('1.2.3'))))?.signatureOid).toBe('1.2.3');
  });
});

describe('refuses a certificate', () => {
  test.each(['serial', 'issuer', 'validity', 'subject', 'key'] as const)('without its %s', (field) => {
    expect(certificate({ [field]: NOTHING })).toBeNull();
  });

  test.each([
    ['whose serial is no number', { serial: derUtf8('7') }],
    ['whose issuer is no name', { issuer: derUtf8('Issuer') }],
    ['whose subject is no name', { subject: derUtf8('Subject') }],
    ['whose subject is a set', { subject: derSet() }],
    ['whose validity is no pair', { validity: derTime(NOW_MS) }],
    ['that begins without an end', { validity: derSequence(derTime(NOW_MS)) }],
    ['whose extension has no value', { extensions: derContext(3, derSequence(derSequence(derOid('1.2.3')))) }],
    ['whose extensions are no sequence', { extensions: derContext(3, extension('1.2.3', 'a')) }],
  ])('%s', (_, fields) => {
    expect(certificate(fields)).toBeNull();
  });

  test('whose body is not a sequence, or that has no signature', () => {
    expect(parseX509(signed(derSet(...Object.values(FIELDS))))).toBeNull();
    expect(parseX509(derSequence(derSequence(...Object.values(FIELDS))))).toBeNull();
    expect(parseX509(derSequence(derSequence(...Object.values(FIELDS)), derUtf8('x')))).toBeNull();
  });
});
