import { expect, test } from 'bun:test';
import { systemClock } from '#src/base/clock.ts';
import { certificateProbe } from '#src/probes/certificate.ts';
import { createTrustAnchors } from '#src/probes/trust-anchors.ts';
import { target } from '#test/egress/loopback.ts';
import { type Internet, startInternet } from '#test/support/internet.ts';

async function observe(internet: Internet, name: string, isTrusted = true) {
  await using egress = internet.open();
  const anchors = createTrustAnchors([], isTrusted ? [internet.authority.pem] : []);
  const context = { door: egress.open('public'), clock: systemClock, anchors };
  return await certificateProbe.observe(target(internet.url(name)), context, new AbortController().signal);
}

test('the certificate of a live server is told, with the root that vouches for it', async () => {
  await using internet = await startInternet({ 'bank.example': {} });
  expect(await observe(internet, 'bank.example')).toMatchObject({
    trusted: true,
    faults: [],
    sans: ['bank.example'],
    chain: ['CN=bank.example', 'CN=Lab Intermediate', 'CN=Lab Root'],
    protocol: 'TLSv1.3',
  });
});

test('a server that nobody vouches for is told all the same', async () => {
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

test('an authority that the operator does not name is not trusted', async () => {
  await using internet = await startInternet({ 'bank.example': {} });
  expect((await observe(internet, 'bank.example', false)).faults).toEqual(['untrusted_issuer']);
});

test('a link over plain HTTP is looked at on the port of HTTPS, unless it names another', () => {
  expect(certificateProbe.applies(target('http://bank.example/'))).toBe(true);
  expect(certificateProbe.applies(target('http://bank.example:8080/'))).toBe(false);
  expect(certificateProbe.applies(target('https://bank.example:8443/'))).toBe(true);
});
