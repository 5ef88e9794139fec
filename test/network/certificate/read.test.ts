import { expect, test } from 'bun:test';
import { systemClock } from '#src/core/base/clock.ts';
import { createTrustAnchors } from '#src/network/certificate/path.ts';
import { readCertificate } from '#src/network/certificate/read.ts';
import { createCache } from '#src/network/egress/budget/cache.ts';
import { createCertificateAuthority, createSelfSigned } from '#test/support/certificate-authority.ts';
import { NOW_MS } from '#test/support/now.ts';

const HOST = 'good.test';
const root = createCertificateAuthority(NOW_MS);
const anchors = createTrustAnchors([root.pem]);
const read = (...chain: readonly Uint8Array[]) =>
  readCertificate({ chain, protocol: 'TLSv1.3', host: HOST }, anchors, createCache(8, systemClock));

test('returns the first 100 names in lower case, and counts all of them', () => {
  const names = Array.from({ length: 101 }, (_, i) => `N${i}.test`);
  expect(read(root.issue({ subject: HOST, names: names.slice(0, 100) }).der)).toMatchObject({
    sans: names.slice(0, 100).map((name) => name.toLowerCase()),
    sanCount: 100,
  });
  expect(read(root.issue({ subject: HOST, names }).der)).toMatchObject({
    sans: names.slice(0, 100).map((name) => name.toLowerCase()),
    sanCount: 101,
  });
});

test('reads at most 16 certificates of a chain', () => {
  const middle = root.subordinate({});
  const leaf = middle.issue({ subject: HOST });
  const other = createSelfSigned(NOW_MS, { subject: 'other.test' }).der;
  const behind = (count: number) => read(leaf.der, ...Array.from({ length: count }, () => other), middle.der);
  expect(behind(14)?.lastingFaults).toEqual([]);
  expect(behind(15)?.lastingFaults).toEqual(['incomplete_chain']);
});

test('ignores unreadable certificates after the leaf', () => {
  const middle = root.subordinate({});
  const leaf = middle.issue({ subject: HOST });
  expect(read(leaf.der, Uint8Array.of(1, 2, 3), middle.der)?.lastingFaults).toEqual([]);
  expect(read(Uint8Array.of(1, 2, 3), leaf.der, middle.der)).toBeNull();
  expect(read()).toBeNull();
});

test.each([
  ['1.2.840.113549.1.1.4', 'md5WithRSAEncryption'],
  ['1.2.840.113549.1.1.5', 'sha1WithRSAEncryption'],
  ['1.2.840.113549.1.1.10', 'RSASSA-PSS'],
  ['1.2.840.113549.1.1.11', 'sha256WithRSAEncryption'],
  ['1.2.840.113549.1.1.12', 'sha384WithRSAEncryption'],
  ['1.2.840.113549.1.1.13', 'sha512WithRSAEncryption'],
  ['1.2.840.10045.4.1', 'ecdsa-with-SHA1'],
  ['1.2.840.10045.4.3.2', 'ecdsa-with-SHA256'],
  ['1.2.840.10045.4.3.3', 'ecdsa-with-SHA384'],
  ['1.2.840.10045.4.3.4', 'ecdsa-with-SHA512'],
  ['1.3.101.112', 'Ed25519'],
  ['1.2.3.4', '1.2.3.4'],
])('reports the signature algorithm %s as %s', (signatureOid, name) => {
  expect(read(root.issue({ subject: HOST, signatureOid }).der)?.signatureAlgorithm).toBe(name);
});
