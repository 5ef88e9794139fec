import { expect, test } from 'bun:test';
import { certificateAnalyzer } from '#src/engine/analyzers/certificate.ts';
import { CERTIFICATE_FAULTS, type CertificateInfo } from '#src/network/certificate/info.ts';
import type { Observations } from '#src/network/probes/observations.ts';
import { said } from '#test/support/said.ts';
import { targetOf } from '#test/support/target.ts';
import { certificate, KNOWLEDGE, landingObservations, NOTHING, observed, visit } from './evidence-samples.ts';

const analyze = (observations: Observations, url = 'https://example.com/') =>
  certificateAnalyzer.analyze({ target: targetOf(url), observations, knowledge: KNOWLEDGE });
const seen = (changes: Partial<CertificateInfo>): Observations => ({
  ...NOTHING,
  certificate: observed(certificate(changes)),
});
const names = (changes: Partial<CertificateInfo>, url?: string) =>
  analyze(seen(changes), url)?.features.map(({ name }) => name as string);

test('returns null without an observation', () => {
  expect(analyze(NOTHING)).toBeNull();
});

test('has no feature for an ordinary certificate', () => {
  expect(names({})).toEqual([]);
});

test('has a feature and a sentence with the host for every fault', () => {
  const found = analyze(seen({ trusted: false, faults: CERTIFICATE_FAULTS }))?.features ?? [];
  expect(found.map(({ name }) => name as string)).toEqual(CERTIFICATE_FAULTS.map((fault) => `certificate.${fault}`));
  for (const feature of found) {
    expect(said(feature)).toContain('example.com');
    expect(said(feature)).not.toContain('{');
  }
});

test('ignores faults on links over plain HTTP', () => {
  expect(names({ trusted: false, faults: ['self_signed'] }, 'http://example.com/')).toEqual([]);
});

test('counts faults on a redirect from plain HTTP to HTTPS', () => {
  const page = observed(visit('http://example.com/', 'https://example.com/'));
  const found = analyze({ ...seen({ trusted: false, faults: ['expired'] }), page }, 'http://example.com/');
  expect(found?.features.map(({ name }) => name as string)).toEqual(['certificate.expired']);
});

test('counts faults of the landing host', () => {
  const landed = { certificate: observed(certificate({ trusted: false, faults: ['expired'] })) };
  const found = analyze(landingObservations('http://example.com/', {}, 'https://example.net/', landed));
  expect(found?.features.map(said)).toEqual(['The certificate of example.net is past its date.']);
});

test.each([
  [0, ['certificate.issued_under_1_day_ago']],
  [1, ['certificate.issued_under_7_days_ago']],
  [6, ['certificate.issued_under_7_days_ago']],
  [7, []],
  [-30, ['certificate.issued_under_1_day_ago']],
])('an age of %d days has the features %p', (ageDays, expected) => {
  expect(names({ ageDays })).toEqual(expected);
});

test('an organisation lowers the score only with a trusted certificate, and not on a platform', () => {
  const subject = 'CN=example.com, O=Example\\, Inc., C=US';
  expect(names({ subject })).toEqual(['certificate.names_an_organisation']);
  expect(names({ subject, trusted: false })).toEqual([]);
  expect(names({ subject }, 'https://user.pages.example/')).toEqual([]);
  expect(names({ subject: 'CN=x\\, O=Fake' })).toEqual([]);
});

test('reports an invalid name in the certificate', () => {
  expect(names({ sans: ['example.com', '<script>.example.com'] })).toEqual(['certificate.odd_names']);
  expect(names({ sans: ['example.com', '*.example.com', '192.0.2.1', '2001:db8::1', '_x.example.com'] })).toEqual([]);
});

test('counts sites rather than names, and more sites give a higher value', () => {
  const own = Array.from({ length: 80 }, (_, i) => `n${i}.example.com`);
  expect(names({ sans: own })).toEqual([]);
  const strength = (count: number) => {
    const sans = Array.from({ length: count }, (_, i) => `site${i}.com`);
    return analyze(seen({ sans }))?.features.find(({ name }) => name === 'certificate.many_sites')?.value ?? 0;
  };
  const strengths = [1, 3, 4, 10, 20, 90].map(strength);
  expect(strengths).toEqual(strengths.toSorted((a, b) => a - b));
  expect(strengths.at(0)).toBe(0);
  expect(strengths.at(-1)).toBe(1);
});

test('emits only listed features, each in (0, 1], for any certificate', () => {
  for (const subject of ['', 'O=', 'O=\\', ',O=x', 'O=x'.repeat(500)]) {
    for (const sans of [[], [''], ['\\x00'], ['*.'], ['..'], ['x'.repeat(70_000)]]) {
      const found = analyze(seen({ subject, sans, faults: CERTIFICATE_FAULTS, ageDays: Number.MIN_SAFE_INTEGER }));
      for (const { name, value } of found?.features ?? []) {
        expect(certificateAnalyzer.features).toContain(name);
        expect(value).toBeGreaterThan(0);
        expect(value).toBeLessThanOrEqual(1);
      }
    }
  }
});
