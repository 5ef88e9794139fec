import { expect, test } from 'bun:test';
import { X509Certificate } from 'node:crypto';
import { readCertificate } from '#src/network/certificate/read.ts';
import { createTrustAnchors } from '#src/network/certificate/trust-anchors.ts';
import { parseX509 } from '#src/network/certificate/x509.ts';
import { isAuthority } from '#src/network/certificate/x509-extensions.ts';
import { PUBLIC_AUTHORITIES } from '#src/network/egress/egress.ts';

const roots = PUBLIC_AUTHORITIES.map((pem) => new X509Certificate(pem));

test('every public root is read as the library reads it', () => {
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

test('every public root is found by its name, and nothing is by another', () => {
  const anchors = createTrustAnchors(PUBLIC_AUTHORITIES);
  for (const root of roots) {
    const facts = readCertificate({ chain: [root.raw], protocol: '', host: 'example.com' }, anchors);
    expect(facts?.lastingFaults).not.toContain('self_signed');
    expect(facts?.lastingFaults).not.toContain('untrusted_issuer');
  }
  expect(anchors.named(new Uint8Array())).toEqual([]);
});

test('a PEM file may hold several certificates, and other things between them', () => {
  const [first, second] = PUBLIC_AUTHORITIES;
  const anchors = createTrustAnchors([], [`# comment\n${first}\nnoise\n${second}`, 'no certificate at all']);
  const subjects = roots.slice(0, 2).map((root) => parseX509(root.raw)?.subject ?? new Uint8Array());
  expect(subjects.map((subject) => anchors.named(subject).map(({ isPublic }) => isPublic))).toEqual([[false], [false]]);
});
