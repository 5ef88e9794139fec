import { expect, test } from 'bun:test';
import { X509Certificate } from 'node:crypto';
import { systemClock } from '#src/core/base/clock.ts';
import { createTrustAnchors, type ProvenAuthorities, readSent } from '#src/network/certificate/path.ts';
import { readCertificate } from '#src/network/certificate/read.ts';
import { parseX509 } from '#src/network/certificate/x509.ts';
import { isAuthority } from '#src/network/certificate/x509-extensions.ts';
import { createCache } from '#src/network/egress/budget/cache.ts';
import { PUBLIC_AUTHORITIES } from '#src/network/egress/egress.ts';
import { createCertificateAuthority } from '#test/support/certificate-authority.ts';
import { NOW_MS } from '#test/support/now.ts';

const roots = PUBLIC_AUTHORITIES.map((pem) => new X509Certificate(pem));

test('reads every public root with the same fields as the TLS library', () => {
  expect(roots.length).toBeGreaterThan(100);
  for (const root of roots) {
    const own = parseX509(root.raw);
    expect(own?.notBeforeMs).toBe(Date.parse(root.validFrom));
    expect(own?.notAfterMs).toBe(Date.parse(root.validTo));
    expect(own && isAuthority(own, 0)).toBe(root.ca);
    // Most of what it says is text; the library escapes and orders it in another way.
    const commonName = /^CN=(.*)$/m.exec(root.subject)?.[1];
    if (commonName && /^[\w .-]+$/.test(commonName)) expect(own?.subjectText).toContain(`CN=${commonName}`);
  }
});

test('finds every public root by its name, and none by an empty name', () => {
  const anchors = createTrustAnchors(PUBLIC_AUTHORITIES);
  for (const root of roots) {
    const facts = readCertificate(
      { chain: [root.raw], protocol: '', host: 'example.com' },
      anchors,
      createCache(8, systemClock),
    );
    expect(facts?.lastingFaults).not.toContain('self_signed');
    expect(facts?.lastingFaults).not.toContain('untrusted_issuer');
  }
  expect(anchors.named(new Uint8Array())).toEqual([]);
});

test('accepts a PEM file with several certificates and other text between them', () => {
  const [first, second] = PUBLIC_AUTHORITIES;
  const anchors = createTrustAnchors([], [`# comment\n${first}\nnoise\n${second}`, 'no certificate at all']);
  const subjects = roots.slice(0, 2).map((root) => parseX509(root.raw)?.subject ?? new Uint8Array());
  expect(subjects.map((subject) => anchors.named(subject).map(({ isPublic }) => isPublic))).toEqual([[false], [false]]);
});

test('remembers the authorities that led to a root, and no others', () => {
  const root = createCertificateAuthority(NOW_MS);
  const [good, stray] = [root.subordinate({}), createCertificateAuthority(NOW_MS).subordinate({})];
  const anchors = createTrustAnchors([root.pem]);
  const proven: ProvenAuthorities = createCache(8, systemClock);
  for (const authority of [good, stray]) {
    const chain = [authority.issue({ subject: 'good.test' }).der, authority.der];
    readCertificate({ chain, protocol: 'TLSv1.3', host: 'good.test' }, anchors, proven);
  }
  expect(readSent(good.der, proven)).toBe(readSent(good.der, proven));
  expect(readSent(stray.der, proven)).not.toBe(readSent(stray.der, proven));
});
