import { describe, expect, test } from 'bun:test';
import { DAY_MS } from '#src/core/base/clock.ts';
import type { CertificateFault } from '#src/network/certificate/info.ts';
import type { CertificatePath, TrustAnchor } from '#src/network/certificate/path.ts';
import { findLastingFaults } from '#src/network/certificate/read.ts';
import { parseX509, type X509 } from '#src/network/certificate/x509.ts';
import {
  type CertificateOrder,
  createCertificateAuthority,
  createSelfSigned,
  EXTENDED_KEY_USAGE,
} from '#test/support/certificate-authority.ts';
import { derOid, derSequence } from '#test/support/der-writer.ts';
import { NOW_MS } from '#test/support/now.ts';

const HOST = 'good.test';

function read(der: Uint8Array): X509 {
  const certificate = parseX509(der);
  if (!certificate) throw new Error('the certificate could not be read');
  return certificate;
}

const root = createCertificateAuthority(NOW_MS);
const intermediate = root.subordinate({});
const leafOf = (order: CertificateOrder = {}) => read(intermediate.issue({ subject: HOST, ...order }).der);
const LEAF = leafOf();
const INTERMEDIATE = read(intermediate.der);
const ROOT = read(root.der);
const PUBLIC: TrustAnchor = { certificate: ROOT, isPublic: true };

/** What is wrong with a leaf at the end of a path to a public root, of which some members may be others. */
function faultsOf(
  leaf: X509,
  { above = INTERMEDIATE, top = ROOT, ...found }: Partial<CertificatePath> & { above?: X509; top?: X509 } = {},
): readonly CertificateFault[] {
  const path = { path: [leaf, above, top], anchor: PUBLIC, brokenSignature: false, ...found };
  return findLastingFaults(leaf, path, HOST);
}

test('an ordinary certificate has no faults', () => {
  expect(faultsOf(LEAF)).toEqual([]);
});

describe('the validity period of a certificate', () => {
  /** The days from which public certificates may live no longer than so many days. */
  test.each([
    [Date.UTC(2017, 0, 1), 1188],
    [Date.UTC(2018, 1, 28, 23, 59, 59), 1188],
    [Date.UTC(2018, 2, 1), 825],
    [Date.UTC(2020, 7, 31, 23, 59, 59), 825],
    [Date.UTC(2020, 8, 1), 398],
    [Date.UTC(2026, 2, 14, 23, 59, 59), 398],
    [Date.UTC(2026, 2, 15), 200],
    [Date.UTC(2027, 2, 14, 23, 59, 59), 200],
    [Date.UTC(2027, 2, 15), 100],
    [Date.UTC(2029, 2, 14, 23, 59, 59), 100],
    [Date.UTC(2029, 2, 15), 47],
    [Date.UTC(2040, 0, 1), 47],
  ])(
    'that starts at %d may last %d days from a public authority, and 825 days from a private one',
    (notBeforeMs, days) => {
      const faults = (life: number, isPublic: boolean) => {
        const leaf = { ...LEAF, notBeforeMs, notAfterMs: notBeforeMs + life };
        return faultsOf(leaf, { anchor: { certificate: ROOT, isPublic } });
      };
      expect(faults(days * DAY_MS, true)).toEqual([]);
      expect(faults(days * DAY_MS + 1, true)).toEqual(['validity_too_long']);
      expect(faults(825 * DAY_MS, false)).toEqual([]);
      expect(faults(825 * DAY_MS + 1, false)).toEqual(['validity_too_long']);
    },
  );

  test('from an unknown authority has the same limit as from a public one', () => {
    const path = [{ ...LEAF, notAfterMs: LEAF.notBeforeMs + 400 * DAY_MS }, INTERMEDIATE];
    expect(faultsOf(path[0] ?? LEAF, { path, anchor: null })).toEqual(['untrusted_issuer', 'validity_too_long']);
  });
});

describe('the names of a certificate', () => {
  test('are reported if they are missing or belong to another host', () => {
    expect(faultsOf(leafOf({ names: null }))).toEqual(['no_subject_alternative_name']);
    expect(faultsOf(leafOf({ names: ['other.test'] }))).toEqual(['name_mismatch']);
  });

  test('must all be permitted by every authority above, in any letter case', () => {
    const above = read(root.subordinate({ permittedNames: ['good.test'] }).der);
    const top = read(createCertificateAuthority(NOW_MS, { permittedNames: ['good.test'] }).der);
    expect(faultsOf(leafOf({ names: ['GOOD.test', 'www.good.test'] }), { above, top })).toEqual([]);
    expect(faultsOf(leafOf({ names: [HOST, 'other.test'] }), { above })).toEqual(['name_not_permitted']);
    expect(faultsOf(leafOf({ names: [HOST, 'other.test'] }), { top })).toEqual(['name_not_permitted']);
    expect(faultsOf(leafOf({ names: null }), { above })).toEqual(['no_subject_alternative_name']);
  });

  test('are not limited by name constraints of the same certificate', () => {
    expect(faultsOf(leafOf({ permittedNames: ['other.test'] }))).toEqual([]);
  });
});

describe('the purpose of a certificate', () => {
  const forClients = { [EXTENDED_KEY_USAGE]: derSequence(derOid('1.3.6.1.5.5.7.3.2')) };
  test('must include server authentication for leaf and intermediate, but not for the root', () => {
    expect(faultsOf(leafOf({ extensions: forClients }))).toEqual(['wrong_purpose']);
    expect(faultsOf(LEAF, { above: read(root.subordinate({ extensions: forClients }).der) })).toEqual([
      'wrong_purpose',
    ]);
    expect(faultsOf(LEAF, { top: read(createCertificateAuthority(NOW_MS, { extensions: forClients }).der) })).toEqual(
      [],
    );
  });
});

describe('a key', () => {
  test.each<[X509['key'], boolean]>([
    [{ algorithm: 'RSA', bits: 2047, label: '' }, true],
    [{ algorithm: 'RSA', bits: 2048, label: '' }, false],
    [{ algorithm: 'RSA', bits: null, label: '' }, true],
    [{ algorithm: 'EC', bits: 255, label: '' }, true],
    [{ algorithm: 'EC', bits: 256, label: '' }, false],
    // Curves by explicit parameters cannot be told apart.
    [{ algorithm: 'EC', bits: null, label: '' }, false],
    [{ algorithm: 'DSA', bits: null, label: '' }, true],
    [{ algorithm: 'Ed25519', bits: null, label: '' }, false],
    [{ algorithm: 'Ed448', bits: null, label: '' }, false],
    [{ algorithm: 'unknown', bits: null, label: '' }, false],
  ])('%p is weak: %p, in the leaf and in intermediates, but never in the root', (key, isWeak) => {
    const expected = isWeak ? ['weak_key'] : [];
    expect<readonly string[]>(faultsOf({ ...LEAF, key })).toEqual(expected);
    expect<readonly string[]>(faultsOf(LEAF, { above: { ...INTERMEDIATE, key } })).toEqual(expected);
    expect(faultsOf(LEAF, { top: { ...ROOT, key } })).toEqual([]);
  });
});

describe('a signature', () => {
  test.each([
    ['MD2 with RSA', '1.2.840.113549.1.1.2', true],
    ['MD4 with RSA', '1.2.840.113549.1.1.3', true],
    ['MD5 with RSA', '1.2.840.113549.1.1.4', true],
    ['SHA-1 with RSA', '1.2.840.113549.1.1.5', true],
    ['SHA-1 with RSA, of OIW', '1.3.14.3.2.29', true],
    ['SHA-1 with DSA', '1.2.840.10040.4.3', true],
    ['SHA-1 with ECDSA', '1.2.840.10045.4.1', true],
    ['SHA-256 with RSA', '1.2.840.113549.1.1.11', false],
    ['SHA-256 with ECDSA', '1.2.840.10045.4.3.2', false],
    ['Ed25519', '1.3.101.112', false],
  ])('of %s (%s) is weak: %p, but never on the root', (_, signatureOid, isWeak) => {
    const expected = isWeak ? ['weak_signature'] : [];
    expect<readonly string[]>(faultsOf({ ...LEAF, signatureOid })).toEqual(expected);
    expect<readonly string[]>(faultsOf(LEAF, { above: { ...INTERMEDIATE, signatureOid } })).toEqual(expected);
    expect(faultsOf(LEAF, { top: { ...ROOT, signatureOid } })).toEqual([]);
  });
});

describe('an untrusted issuer', () => {
  const own = read(createSelfSigned(NOW_MS, { subject: HOST }).der);
  const forged = read(createSelfSigned(NOW_MS, { subject: HOST, signingKey: root.privateKey }).der);
  const lone = { anchor: null, brokenSignature: false };
  test.each<[string, X509, Partial<CertificatePath>, CertificateFault]>([
    ['is the certificate itself', own, { ...lone, path: [own] }, 'self_signed'],
    ['is the certificate itself, which did not sign', forged, { ...lone, path: [forged] }, 'bad_signature'],
    ['did not sign', LEAF, { ...lone, path: [LEAF], brokenSignature: true }, 'bad_signature'],
    ['was not sent', LEAF, { ...lone, path: [LEAF] }, 'incomplete_chain'],
    ['was sent, and leads nowhere', LEAF, { ...lone, path: [LEAF, INTERMEDIATE] }, 'untrusted_issuer'],
  ])('%s', (_, leaf, found, fault) => {
    expect(faultsOf(leaf, found)).toEqual([fault]);
  });
});
