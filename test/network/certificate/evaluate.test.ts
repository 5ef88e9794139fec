import { describe, expect, test } from 'bun:test';
import { DAY_MS, systemClock } from '#src/core/base/clock.ts';
import { certificateAnalyzer } from '#src/engine/analyzers/certificate.ts';
import { type CertificateFault, type CertificateInfo, evaluateCertificate } from '#src/network/certificate/info.ts';
import { createTrustAnchors, type ProvenAuthorities } from '#src/network/certificate/path.ts';
import { readCertificate } from '#src/network/certificate/read.ts';
import { createCache } from '#src/network/egress/budget/cache.ts';
import { skippedObservations } from '#src/network/probes/observations.ts';
import {
  type CertificateOrder,
  createCertificateAuthority,
  createSelfSigned,
} from '#test/support/certificate-authority.ts';
import { derOid, derSequence, derSet, derUtf8 } from '#test/support/der-writer.ts';
import { NOW_MS } from '#test/support/now.ts';
import { ed25519PublicKey, rsaPublicKey } from '#test/support/public-key.ts';
import { targetOf } from '#test/support/target.ts';
import vectors from '#test/vectors/tls-certificates.json' with { type: 'json' };

const HOST = 'good.test';

const root = createCertificateAuthority(NOW_MS);
const intermediate = root.subordinate({});
const anchors = createTrustAnchors([root.pem]);
/** All readings share it, as those of a compartment do. */
const proven: ProvenAuthorities = createCache(8, systemClock);

const judge = (chain: readonly Uint8Array[], host = HOST, trust = anchors): CertificateInfo => {
  const facts = readCertificate({ chain, protocol: 'TLSv1.3', host }, trust, proven);
  if (!facts) throw new Error('the certificate could not be read');
  return evaluateCertificate(facts, NOW_MS);
};
/** A leaf for the host as the order wants it, with its intermediate. */
const chainOf = (order: CertificateOrder = {}) => [
  intermediate.issue({ subject: HOST, ...order }).der,
  intermediate.der,
];

const strangeRoot = createCertificateAuthority(NOW_MS, { subject: 'Strange Root' });
const constrained = root.subordinate({ subject: 'Constrained', permittedNames: ['allowed.test'] });
const organisation = (text: string) => derSequence(derSet(derSequence(derOid('2.5.4.10'), derUtf8(text))));

/** What the server sends in each vector of the table. */
const CHAINS: Readonly<Record<string, () => readonly Uint8Array[]>> = {
  'good-ec': () => chainOf(),
  ed25519: () => chainOf({ publicKey: ed25519PublicKey() }),
  expired: () => chainOf({ notBeforeMs: NOW_MS - 95 * DAY_MS, notAfterMs: NOW_MS - 5 * DAY_MS }),
  notyet: () => chainOf({ notBeforeMs: NOW_MS + 30 * DAY_MS, notAfterMs: NOW_MS + 120 * DAY_MS }),
  wronghost: () => chainOf({ names: ['other.test'] }),
  selfsigned: () => [createSelfSigned(NOW_MS, { subject: HOST }).der],
  'selfsigned-wronghost': () => [createSelfSigned(NOW_MS, { subject: HOST, names: ['other.test'] }).der],
  'selfsigned-ca': () => [createSelfSigned(NOW_MS, { subject: HOST, isAuthority: true }).der],
  untrusted: () => [strangeRoot.issue({ subject: HOST }).der, strangeRoot.der],
  'missing-intermediate': () => chainOf().slice(0, 1),
  'bad-signature': () => chainOf({ signingKey: strangeRoot.privateKey }),
  nameconstraint: () => [constrained.issue({ subject: HOST }).der, constrained.der],
  clientauth: () => chainOf({ usages: ['1.3.6.1.5.5.7.3.2'] }),
  weak1024: () => chainOf({ publicKey: rsaPublicKey(1024) }),
  'san-only-ip': () => chainOf({ names: ['192.0.2.1'] }),
  year9999: () => chainOf({ notAfterMs: Date.UTC(9999, 11, 31) }),
  backdated: () => chainOf({ notBeforeMs: 0 }),
  shortlived: () => chainOf({ notBeforeMs: NOW_MS - 3_600_000, notAfterMs: NOW_MS + 18_000_000 }),
  'wildcard-all': () => chainOf({ names: ['*'] }),
  'uppercase-san': () => chainOf({ names: ['GOOD.TEST'] }),
  'empty-subject': () => chainOf({ subject: '', names: [HOST] }),
  'nul-san': () => chainOf({ names: ['good.test\u0000.evil.test'] }),
  'html-san': () => chainOf({ names: [HOST, '<script>alert(1)</script>.test'] }),
  'crlf-san': () => chainOf({ names: [HOST, 'a.test\r\nX: y'] }),
  'comma-san': () => chainOf({ names: [HOST, 'a.test, DNS:paypal.com'] }),
  htmlsubject: () => chainOf({ subject: organisation('<script>\r\n'), names: [HOST] }),
  bigsubject: () => chainOf({ subject: organisation('x'.repeat(60_000)), names: [HOST] }),
  manysans8k: () => chainOf({ names: [HOST, ...Array.from({ length: 3500 }, (_, i) => `n${i}.test`)] }),
  extrachain: () => [
    ...chainOf(),
    ...Array.from({ length: 5 }, (_, i) => createSelfSigned(NOW_MS, { subject: `x${i}.test` }).der),
  ],
  rsa4096: () => chainOf({ publicKey: rsaPublicKey(4096) }),
  rsa8192: () => chainOf({ publicKey: rsaPublicKey(8192) }),
};

/** Findings of the vectors that are no faults: the analyzer speaks of them. */
const FEATURES: Readonly<Record<string, string>> = {
  'odd-san': 'certificate.odd_names',
  'many-names': 'certificate.many_sites',
  'very-new': 'certificate.issued_under_1_day_ago',
};
/** Findings that say nothing of a site's honesty, and are told without a judgement or not at all. */
const LEFT_OUT = ['unusual-key', 'short-lived', 'odd-subject', 'odd-chain'];

/** What the vectors call a fault. */
const FAULTS: Readonly<Record<string, CertificateFault>> = {
  expired: 'expired',
  'not-yet-valid': 'not_yet_valid',
  'host-mismatch': 'name_mismatch',
  'self-signed': 'self_signed',
  // The TLS library refuses that handshake already; a judge who sees the certificate all the same calls it what it is.
  'handshake-refused': 'self_signed',
  'untrusted-root': 'untrusted_issuer',
  'incomplete-chain': 'incomplete_chain',
  'bad-signature': 'bad_signature',
  'name-constraint': 'name_not_permitted',
  'wrong-purpose': 'wrong_purpose',
  'weak-key': 'weak_key',
  'validity-too-long': 'validity_too_long',
};

function featuresOf(info: CertificateInfo, host: string): string[] {
  const certificate = { state: 'observed', value: info, elapsedMs: 0 } as const;
  const observations = { ...skippedObservations('disabled', { state: 'skipped', reason: 'disabled' }), certificate };
  const subject = { target: targetOf(`https://${host}/`), observations, knowledge: { hostFact: () => null } };
  return certificateAnalyzer.analyze(subject)?.features.map(({ name }) => name) ?? [];
}

describe('the certificate vectors', () => {
  test.each(vectors.vectors.map((vector) => [vector.id, vector] as const))('%s', (id, { host, expect: expected }) => {
    const chain = CHAINS[id]?.();
    if (!chain) throw new Error(`no chain is made for ${id}`);
    const info = judge(chain, host);
    expect(info.faults.toSorted()).toEqual(expected.findings.flatMap((finding) => FAULTS[finding] ?? []).toSorted());
    expect(info.trusted).toBe(expected.trusted);
    const features = featuresOf(info, host);
    for (const finding of expected.findings) {
      if (finding in FEATURES) expect(features).toContain(FEATURES[finding] ?? '');
      else expect([...Object.keys(FAULTS), ...LEFT_OUT]).toContain(finding);
    }
  });

  test('has one certificate chain for each vector, and no others', () => {
    expect(Object.keys(CHAINS).toSorted()).toEqual(vectors.vectors.map(({ id }) => id).toSorted());
  });
});

describe('reports faults that the TLS library accepts', () => {
  test('a common name without a subject alternative name', () => {
    expect(judge(chainOf({ names: null })).faults).toEqual(['no_subject_alternative_name']);
  });
  test('a SHA-1 signature', () => {
    expect(judge(chainOf({ hash: 'sha1' })).faults).toEqual(['weak_signature']);
  });
  test('a name with a trailing dot', () => {
    expect(judge(chainOf({ names: ['good.test.'] })).faults).toEqual(['name_mismatch']);
  });
});

test('reports several faults of one certificate', () => {
  const order = { names: ['other.test'], notBeforeMs: 0, notAfterMs: NOW_MS - DAY_MS } as const;
  const { der } = createSelfSigned(NOW_MS, { subject: 'other.test', hash: 'sha1', ...order });
  expect(judge([der]).faults).toEqual([
    'self_signed',
    'expired',
    'name_mismatch',
    'weak_signature',
    'validity_too_long',
  ]);
});

describe('names', () => {
  test.each([
    ['*.good.test', 'www.good.test', true],
    ['*.good.test', 'good.test', false],
    ['*.good.test', 'a.b.good.test', false],
    ['*.test', 'good.test', false],
    ['w*.good.test', 'www.good.test', false],
    ['192.0.2.1', '192.0.2.1', true],
    ['2001:db8::1', '2001:db8::1', true],
    ['192.0.2.1', '192.0.2.2', false],
  ])('%s covers %s: %p', (name, host, isCovered) => {
    expect(judge(chainOf({ names: [name] }), host).faults).toEqual(isCovered ? [] : ['name_mismatch']);
  });
});

describe('the validity period of a certificate', () => {
  const at = (nowMs: number, chain: readonly Uint8Array[], trust = anchors) => {
    const facts = readCertificate({ chain, protocol: 'TLSv1.3', host: HOST }, trust, proven);
    return facts && evaluateCertificate(facts, nowMs).faults;
  };

  test('includes its first and its last millisecond', () => {
    const life = { notBeforeMs: NOW_MS - DAY_MS, notAfterMs: NOW_MS + DAY_MS };
    const chain = chainOf(life);
    expect(at(life.notBeforeMs - 1, chain)).toEqual(['not_yet_valid']);
    expect(at(life.notBeforeMs, chain)).toEqual([]);
    expect(at(life.notAfterMs, chain)).toEqual([]);
    expect(at(life.notAfterMs + 1, chain)).toEqual(['expired']);
  });

  test('is checked for intermediates, but not for a trusted root', () => {
    const below = (life: CertificateOrder) => {
      const middle = root.subordinate({ subject: 'Middle', ...life });
      return [middle.issue({ subject: HOST }).der, middle.der];
    };
    expect(at(NOW_MS, below({ notBeforeMs: NOW_MS + DAY_MS }))).toEqual(['not_yet_valid']);
    expect(at(NOW_MS, below({ notAfterMs: NOW_MS - DAY_MS }))).toEqual(['expired']);
    const old = createCertificateAuthority(NOW_MS, { notAfterMs: NOW_MS - DAY_MS });
    expect(at(NOW_MS, [old.issue({ subject: HOST }).der], createTrustAnchors([old.pem]))).toEqual([]);
  });

  test('is checked for a trusted root that a host presents, and for an untrusted chain', () => {
    const own = createSelfSigned(NOW_MS, { subject: HOST, notAfterMs: NOW_MS - DAY_MS });
    expect(at(NOW_MS, [own.der], createTrustAnchors([], [own.pem]))).toEqual(['expired']);
    const middle = strangeRoot.subordinate({ notAfterMs: NOW_MS - DAY_MS });
    const chain = [middle.issue({ subject: HOST }).der, middle.der];
    expect(at(NOW_MS, chain)).toEqual(['untrusted_issuer', 'expired']);
  });
});

describe('trust', () => {
  test('accepts intermediates in any order', () => {
    const lower = intermediate.subordinate({ subject: 'Lower' });
    const { der } = lower.issue({ subject: HOST });
    expect(judge([der, intermediate.der, lower.der]).faults).toEqual([]);
  });

  test('refuses a server certificate as an issuer', () => {
    const leaf = intermediate.issue({ subject: 'evil.test' });
    const forged = createSelfSigned(NOW_MS, { subject: HOST }).der;
    expect(judge([forged, leaf.der, intermediate.der]).faults).toEqual(['self_signed']);
    const evil = intermediate.subordinate({ subject: 'evil.test', isAuthority: false });
    expect(judge([evil.issue({ subject: HOST }).der, evil.der, intermediate.der]).trusted).toBe(false);
  });

  test('enforces the path length of an authority', () => {
    const narrow = root.subordinate({ subject: 'Narrow', pathLength: 0 });
    expect(judge([narrow.issue({ subject: HOST }).der, narrow.der]).faults).toEqual([]);
    const below = narrow.subordinate({ subject: 'Below' });
    expect(judge([below.issue({ subject: HOST }).der, below.der, narrow.der]).faults).toEqual(['untrusted_issuer']);
  });

  test('reports an expired intermediate as a fault of the chain', () => {
    const old = root.subordinate({ subject: 'Old', notBeforeMs: NOW_MS - 90 * DAY_MS, notAfterMs: NOW_MS - DAY_MS });
    expect(judge([old.issue({ subject: HOST }).der, old.der]).faults).toEqual(['expired']);
  });

  test('evaluates stored certificate facts at the time of each call, to the millisecond', () => {
    const [from, until] = [NOW_MS - 30 * DAY_MS, NOW_MS + 15 * DAY_MS];
    const short = root.subordinate({ subject: 'Short', notBeforeMs: from, notAfterMs: NOW_MS + DAY_MS });
    const chain = [short.issue({ subject: HOST, notBeforeMs: NOW_MS, notAfterMs: until }).der, short.der];
    const facts = readCertificate({ chain, protocol: 'TLSv1.3', host: HOST }, anchors, proven);
    const at = (nowMs: number) => facts && evaluateCertificate(facts, nowMs);
    expect(at(NOW_MS - 1)).toMatchObject({ trusted: false, faults: ['not_yet_valid'], ageDays: -1, daysRemaining: 15 });
    expect(at(NOW_MS)).toMatchObject({ trusted: true, faults: [], ageDays: 0, daysRemaining: 15 });
    expect(at(NOW_MS + DAY_MS)).toMatchObject({ trusted: true, faults: [], ageDays: 1, daysRemaining: 14 });
    // The leaf would go on, but who vouches for it does not.
    expect(at(NOW_MS + DAY_MS + 1)).toMatchObject({
      trusted: false,
      faults: ['expired'],
      ageDays: 1,
      daysRemaining: 13,
    });
    expect(at(until + 1)).toMatchObject({ faults: ['expired'], ageDays: 15, daysRemaining: -1 });
  });

  test('requires a root, which the operator can add', () => {
    expect(judge(chainOf(), HOST, createTrustAnchors([])).faults).toEqual(['untrusted_issuer']);
    expect(judge(chainOf(), HOST, createTrustAnchors([], [root.pem])).faults).toEqual([]);
  });

  test('allows two years of validity from an authority of the operator, but not from a public one', () => {
    const chain = chainOf({ notBeforeMs: NOW_MS - 100 * DAY_MS, notAfterMs: NOW_MS + 630 * DAY_MS });
    expect(judge(chain, HOST, createTrustAnchors([], [root.pem])).faults).toEqual([]);
    expect(judge(chain).faults).toEqual(['validity_too_long']);
  });

  test('accepts a self-signed certificate that the operator trusts', () => {
    const own = createSelfSigned(NOW_MS, { subject: HOST });
    expect(judge([own.der], HOST, createTrustAnchors([], [own.pem])).faults).toEqual([]);
  });
});

test('reports the fields of a certificate even if it is not trusted', () => {
  const life = { notBeforeMs: NOW_MS - 30.5 * DAY_MS, notAfterMs: NOW_MS + 59.5 * DAY_MS };
  const info = judge(chainOf({ names: [HOST, 'www.good.test', '192.0.2.1'], ...life }), 'other.test');
  expect(info).toMatchObject({
    trusted: false,
    subject: 'CN=good.test',
    issuer: 'CN=Lab Intermediate',
    sans: ['good.test', 'www.good.test', '192.0.2.1'],
    sanCount: 3,
    key: 'EC P-256',
    signatureAlgorithm: 'ecdsa-with-SHA256',
    ageDays: 30,
    daysRemaining: 59,
    chain: ['CN=good.test', 'CN=Lab Intermediate', 'CN=Lab Root'],
    protocol: 'TLSv1.3',
  });
  expect(info.fingerprintSha256).toMatch(/^[0-9a-f]{64}$/);
});

test('escapes control characters and bidirectional overrides in the names of a certificate', () => {
  const names = [HOST, 'a\r\nb\u001b[31m.test'];
  const info = judge(chainOf({ subject: organisation('Evil\r\n\u202eCo, Inc.'), names }));
  expect(info.subject).toBe('O=Evil\\x0d\\x0a\\u{202e}Co\\, Inc.');
  expect(info.sans[1]).toBe('a\\x0d\\x0ab\\x1b[31m.test');
});

describe('malformed certificates', () => {
  const whole = chainOf()[0] ?? new Uint8Array();

  test('a certificate truncated at any byte is not read', () => {
    for (let length = 0; length < whole.length; length++) {
      expect(
        readCertificate({ chain: [whole.subarray(0, length)], protocol: '', host: HOST }, anchors, proven),
      ).toBeNull();
    }
  });

  test('a changed byte never throws, and never leaves the certificate trusted', () => {
    for (let at = 0; at < whole.length; at++) {
      const changed = Uint8Array.from(whole);
      changed[at] = (changed[at] ?? 0) ^ 0x15;
      const facts = readCertificate({ chain: [changed, intermediate.der], protocol: '', host: HOST }, anchors, proven);
      expect(facts && evaluateCertificate(facts, NOW_MS).trusted).not.toBe(true);
    }
  });
});
