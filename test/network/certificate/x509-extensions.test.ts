import { describe, expect, test } from 'bun:test';
import { parseX509, type X509 } from '#src/network/certificate/x509.ts';
import { allowsServers, isAuthority, permitsDnsName, subjectNames } from '#src/network/certificate/x509-extensions.ts';
import {
  BASIC_CONSTRAINTS,
  createSelfSigned,
  EXTENDED_KEY_USAGE,
  KEY_USAGE,
  NAME_CONSTRAINTS,
  SUBJECT_ALTERNATIVE_NAME,
  subtrees,
} from '#test/support/certificate-authority.ts';
import {
  der,
  derBoolean,
  derContext,
  derImplicit,
  derInteger,
  derOid,
  derSequence,
  derUtf8,
} from '#test/support/der-writer.ts';
import { NOW_MS } from '#test/support/now.ts';

/** No DER at all, where an extension's value should be. */
const GARBAGE = Uint8Array.of(0x30, 0x05, 0x01);

/** A certificate with these extensions, by OID; null leaves one out that an authority has. */
function withExtensions(extensions: Readonly<Record<string, Uint8Array | null>>): X509 {
  const certificate = parseX509(
    createSelfSigned(NOW_MS, { subject: 'A', names: null, isAuthority: true, extensions }).der,
  );
  if (!certificate) throw new Error('the certificate could not be read');
  return certificate;
}

const number = (value: number) => derInteger(Buffer.from([value]));
/** A bit string with these usages (RFC 5280 §4.2.1.3); of the octet, the sixth bit from the left is keyCertSign. */
const usageBits = (...octets: number[]) => der(0x03, Buffer.from(octets));

describe('a certificate may sign others', () => {
  test.each<[string, Readonly<Record<string, Uint8Array | null>>, number]>([
    ['that says so', {}, 0],
    ['that says so, however deep', {}, 20],
    ['whose length of path is enough', { [BASIC_CONSTRAINTS]: derSequence(derBoolean(true), number(2)) }, 2],
    ['that names no key usage', { [KEY_USAGE]: null }, 0],
    ['whose key signs certificates alone', { [KEY_USAGE]: usageBits(2, 0x04) }, 0],
  ])('%s', (_, extensions, below) => {
    expect(isAuthority(withExtensions(extensions), below)).toBe(true);
  });
});

describe('a certificate may not sign others', () => {
  test.each<[string, Readonly<Record<string, Uint8Array | null>>, number]>([
    ['without basic constraints', { [BASIC_CONSTRAINTS]: null }, 0],
    ['whose basic constraints are empty, which means no', { [BASIC_CONSTRAINTS]: derSequence() }, 0],
    ['that says no in so many words', { [BASIC_CONSTRAINTS]: derSequence(derBoolean(false)) }, 0],
    ['that says no, and how deep', { [BASIC_CONSTRAINTS]: derSequence(derBoolean(false), number(3)) }, 0],
    ['that names a depth alone', { [BASIC_CONSTRAINTS]: derSequence(number(3)) }, 0],
    ['whose basic constraints cannot be read', { [BASIC_CONSTRAINTS]: GARBAGE }, 0],
    ['above as many as it may', { [BASIC_CONSTRAINTS]: derSequence(derBoolean(true), number(0)) }, 1],
    ['above more than it may', { [BASIC_CONSTRAINTS]: derSequence(derBoolean(true), number(2)) }, 3],
    ['whose key is for other uses', { [KEY_USAGE]: usageBits(0, 0xfb) }, 0],
    ['whose key usage is of a second octet', { [KEY_USAGE]: usageBits(7, 0x00, 0x84) }, 0],
    ['whose key usage cannot be read', { [KEY_USAGE]: GARBAGE }, 0],
    ['whose key usage is no bit string', { [KEY_USAGE]: der(0x04, Buffer.from([2, 0x04])) }, 0],
    ['whose key usage is empty', { [KEY_USAGE]: usageBits() }, 0],
  ])('%s', (_, extensions, below) => {
    expect(isAuthority(withExtensions(extensions), below)).toBe(false);
  });
});

test('an authority with path length 1 may have one authority below it, but not two', () => {
  const narrow = withExtensions({ [BASIC_CONSTRAINTS]: derSequence(derBoolean(true), number(1)) });
  expect([0, 1, 2].map((below) => isAuthority(narrow, below))).toEqual([true, true, false]);
});

describe('the extended key usage decides if a certificate may identify servers', () => {
  const SERVERS = '1.3.6.1.5.5.7.3.1';
  const CLIENTS = '1.3.6.1.5.5.7.3.2';
  const ANY = '2.5.29.37.0';
  const usages = (...oids: string[]) => derSequence(...oids.map(derOid));
  test.each<[string, Uint8Array | null, boolean]>([
    ['none named', null, true],
    ['servers', usages(SERVERS), true],
    ['clients and servers', usages(CLIENTS, SERVERS), true],
    ['any', usages(ANY), true],
    ['clients and any', usages(CLIENTS, ANY), true],
    ['clients', usages(CLIENTS), false],
    ['an empty list', usages(), false],
    ['nothing that can be read', GARBAGE, false],
    ['servers, and something that is no purpose', derSequence(derOid(SERVERS), number(1)), false],
  ])('%s', (_, value, isAllowed) => {
    expect(allowsServers(withExtensions({ [EXTENDED_KEY_USAGE]: value }))).toBe(isAllowed);
  });
});

describe('an authority may sign for a name', () => {
  const constraints = (permitted: readonly string[], excluded: readonly string[] = []) =>
    derSequence(
      ...(permitted.length > 0 ? [derContext(0, ...subtrees(permitted))] : []),
      ...(excluded.length > 0 ? [derContext(1, ...subtrees(excluded))] : []),
    );
  const ADDRESS = derSequence(derImplicit(7, Buffer.alloc(8)));
  test.each<[string, Uint8Array | null, string, boolean]>([
    ['without constraints', null, 'any.test', true],
    ['with empty ones', constraints([]), 'any.test', true],
    ['of just that name', constraints(['good.test']), 'good.test', true],
    ['below it', constraints(['good.test']), 'www.good.test', true],
    ['of either case', constraints(['GOOD.Test']), 'good.test', true],
    ['of one base of several', constraints(['other.test', 'good.test']), 'good.test', true],
    ['below a base with a dot', constraints(['.good.test']), 'www.good.test', true],
    ['below nothing at all, which is everything', constraints(['']), 'any.test', true],
    ['constrained in addresses alone', derSequence(derContext(0, ADDRESS)), 'any.test', true],
    ['with others excluded', constraints([], ['bad.test']), 'good.test', true],
    ['not of another', constraints(['good.test']), 'other.test', false],
    ['not of one that ends alike', constraints(['good.test']), 'notgood.test', false],
    ['not above its base', constraints(['www.good.test']), 'good.test', false],
    ['not of the base with a dot itself', constraints(['.good.test']), 'good.test', false],
    ['not of an excluded one', constraints([], ['bad.test']), 'bad.test', false],
    ['not below an excluded one', constraints([], ['bad.test']), 'www.bad.test', false],
    ['not of one both permitted and excluded', constraints(['test'], ['bad.test']), 'bad.test', false],
    ['not where all is excluded', constraints([], ['']), 'any.test', false],
    ['not where the constraints cannot be read', GARBAGE, 'any.test', false],
    ['not where a base cannot be read', derSequence(derContext(0, GARBAGE)), 'any.test', false],
  ])('%s', (_, value, name, isPermitted) => {
    expect(permitsDnsName(withExtensions({ [NAME_CONSTRAINTS]: value }), name)).toBe(isPermitted);
  });
});

describe('the names of a certificate', () => {
  const namesOf = (value: Uint8Array | null) => subjectNames(withExtensions({ [SUBJECT_ALTERNATIVE_NAME]: value }));

  test('contain host names and IP addresses in order, and no other kinds of names', () => {
    const value = derSequence(
      derImplicit(2, Buffer.from('B.test')),
      derImplicit(1, Buffer.from('someone@mail.test')),
      derImplicit(6, Buffer.from('https://uri.test/')),
      derImplicit(7, Buffer.from([192, 0, 2, 1])),
      derImplicit(7, Buffer.from('20010db8000000000000000000000001', 'hex')),
      derImplicit(2, Buffer.from('\u00e9.test', 'latin1')),
      derUtf8('c.test'),
    );
    expect(namesOf(value)).toEqual({ dns: ['B.test', '\u00e9.test'], ips: ['192.0.2.1', '2001:db8::1'] });
  });

  test('exclude IP addresses of invalid length', () => {
    const lengths = [0, 3, 5, 8, 15, 17, 32];
    expect(namesOf(derSequence(...lengths.map((length) => derImplicit(7, Buffer.alloc(length, 1)))))).toEqual({
      dns: [],
      ips: [],
    });
  });

  test('are null if they are missing or unreadable', () => {
    expect(namesOf(null)).toBeNull();
    expect(namesOf(GARBAGE)).toBeNull();
  });
});
