import { expect, test } from 'bun:test';
import { dnsAnalyzer } from '#src/engine/analyzers/dns.ts';
import type { DnsRecords, Observations } from '#src/network/probes/observations.ts';
import { targetOf } from '#test/support/target.ts';
import { dnsRecords, KNOWLEDGE, landingObservations, NOTHING, observed } from './evidence-samples.ts';

const analyze = (observations: Observations, url = 'https://example.com/') =>
  dnsAnalyzer.analyze({ target: targetOf(url), observations, knowledge: KNOWLEDGE });
const seen = (changes: Partial<DnsRecords>): Observations => ({ ...NOTHING, dns: observed(dnsRecords(changes)) });
const names = (changes: Partial<DnsRecords>, url?: string) =>
  analyze(seen(changes), url)?.features.map(({ name }) => name as string);
const addresses = (...list: readonly string[]) => list.map((address) => ({ address, ttlSeconds: 60 }));

test('returns null without an observation', () => {
  expect(analyze(NOTHING)).toBeNull();
});

test('has no feature for an ordinary host', () => {
  expect(names({})).toEqual([]);
});

test('reports a name with both public and private addresses, but not one with only one kind', () => {
  expect(names({ a: addresses('203.0.113.1', '192.168.0.1') })).toEqual(['dns.public_and_private_addresses']);
  expect(names({ a: addresses('203.0.113.1'), aaaa: addresses('fd00::1') })).toEqual([
    'dns.public_and_private_addresses',
  ]);
  expect(names({ a: addresses('10.0.0.1'), aaaa: addresses('::1') })).toEqual([]);
});

test('reports a name that the policy refused only if it has public addresses as well', () => {
  const refused = (code: 'egress_denied' | 'egress_denied_mixed'): Observations => ({
    ...NOTHING,
    dns: { state: 'failed', failure: { code, detail: 'private: inside.example resolves to 10.0.0.5' }, elapsedMs: 1 },
  });
  const evidence = analyze(refused('egress_denied_mixed'));
  expect(evidence?.features.map(({ name }) => name as string)).toEqual(['dns.public_and_private_addresses']);
  expect(JSON.stringify(evidence)).not.toContain('10.0.0.5');
  expect(analyze(refused('egress_denied'))).toBeNull();
});

test('reports addresses in many networks with a short TTL, and more networks give a higher value', () => {
  const strength = (count: number, ttlSeconds: number) =>
    analyze(
      seen({ a: Array.from({ length: count }, (_, i) => ({ address: `${i + 20}.1.2.3`, ttlSeconds })) }),
    )?.features.find(({ name }) => name === 'dns.scattered_addresses')?.value ?? 0;
  const strengths = [1, 6, 7, 9, 12, 60].map((count) => strength(count, 60));
  expect(strengths).toEqual(strengths.toSorted((a, b) => a - b));
  expect([strengths.at(1), strengths.at(-1)]).toEqual([0, 1]);
  expect(strength(60, 3600)).toBe(0);
  expect(
    names({ a: addresses('20.1.2.3', '20.1.2.4', '20.1.9.1', '20.1.2.5', '20.1.2.6', '20.1.2.7', '20.1.2.8') }),
  ).toEqual([]);
});

test('reports a parked domain and a single name server', () => {
  expect(names({ ns: ['a.parking.example', 'b.parking.example'] })).toEqual(['dns.parked_name_servers']);
  expect(names({ ns: ['ns.example.net'] })).toEqual(['dns.single_name_server']);
  expect(names({ ns: [] })).toEqual([]);
});

test('reports an alias of an open platform', () => {
  expect(names({ cname: ['cdn.example.org', 'x.tunnel.example'] })).toEqual(['dns.alias_to_open_platform']);
  expect(names({ cname: ['cdn.example.org'] })).toEqual([]);
});

test('reports a domain without mail, but not a platform’s user', () => {
  const none = { mx: [], spf: null, dmarc: null };
  expect(names(none)).toEqual(['dns.no_mail']);
  expect(names(none, 'https://www.example.com/')).toEqual(['dns.no_mail']);
  expect(names(none, 'https://user.github.io/')).toEqual([]);
  expect(names(none, 'https://user.pages.example/')).toEqual([]);
});

test('does not take an unanswered query for a negative answer', () => {
  for (const question of ['MX', 'TXT', 'DMARC'] as const) {
    expect(names({ mx: [], spf: null, dmarc: null, unanswered: [question] })).toEqual([]);
  }
});

test('an enforced mail policy lowers the score, unless the link leads to another site', () => {
  const guarded = { dmarc: 'v=DMARC1; p=reject; rua=mailto:a@example.com' };
  expect(names(guarded)).toEqual(['dns.mail_policy_enforced']);
  expect(names({ dmarc: 'v=DMARC1; p=none; sp=reject' })).toEqual([]);
  const asked = { dns: observed(dnsRecords(guarded)) };
  const landed = { dns: observed(dnsRecords()) };
  const follow = landingObservations('https://example.com/', asked, 'https://example.net/', landed);
  expect(analyze(follow)?.features).toEqual([]);
});
