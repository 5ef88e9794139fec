import { expect, test } from 'bun:test';
import { X509Certificate } from 'node:crypto';
import { createTrustAnchors } from '#src/network/certificate/path.ts';
import { readCertificate } from '#src/network/certificate/read.ts';
import { parseX509 } from '#src/network/certificate/x509.ts';
import { isAuthority } from '#src/network/certificate/x509-extensions.ts';
import { PUBLIC_AUTHORITIES } from '#src/network/egress/egress.ts';

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
    const facts = readCertificate({ chain: [root.raw], protocol: '', host: 'example.com' }, anchors);
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
