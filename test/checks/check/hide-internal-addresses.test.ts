import { expect, test } from 'bun:test';
import { FAILURES, type FailureCode, FailureError } from '#src/core/base/failure.ts';
import { forStrangers } from '#src/checks/check/for-strangers.ts';
import type { DnsRecords } from '#src/network/probes/dns-records.ts';
import { type Observations, unobserved } from '#src/network/probes/observations.ts';
import type { PageVisit } from '#src/network/probes/page-visit.ts';

const NOTHING = unobserved('disabled', { state: 'skipped', reason: 'disabled' });
const RECORDS: DnsRecords = {
  ...{ a: [], aaaa: [], cname: [], ns: ['ns.example.net'], mx: [], soa: null, txt: [], caa: [] },
  ...{ spf: null, dmarc: null, authenticated: false, unanswered: [] },
};
const VISIT: PageVisit = {
  ...{
    redirects: [],
    passed: [],
    exits: [],
    finalUrl: 'http://a.example/',
    statusCode: 302,
    contentLength: 0,
    truncated: false,
  },
  ...{ headers: {}, document: null, stopped: null },
};

const failed = (code: FailureCode) =>
  ({ state: 'failed', failure: new FailureError(code, `detail of ${code}`).failure, elapsedMs: 1 }) as const;
const observed = <T>(value: T) => ({ state: 'observed', value, elapsedMs: 1 }) as const;

/** Everything that a failure can be in, at once. */
function failingBy(code: FailureCode): Observations {
  const host = { dns: failed(code), registration: failed(code), certificate: failed(code) };
  return { ...NOTHING, ...host, page: failed(code), landing: { host: 'b.example', ...host } };
}

test('a name that leads inside is as one that does not exist, wherever it was met, and nothing else changes', () => {
  const gone = JSON.stringify(failingBy('dns_nxdomain')).replaceAll('detail of dns_nxdomain', FAILURES.dns_nxdomain);
  expect(JSON.stringify(forStrangers(failingBy('egress_denied_name')))).toBe(gone);
  for (const code of Object.keys(FAILURES) as FailureCode[]) {
    const seen = failingBy(code);
    if (code !== 'egress_denied_name') expect(forStrangers(seen)).toEqual(seen);
    expect(forStrangers(forStrangers(seen))).toEqual(forStrangers(seen));
  }
});

test('a visit that is sent on to such a name keeps what it saw before', () => {
  const sentOn = (code: FailureCode): Observations => ({
    ...NOTHING,
    page: observed({ ...VISIT, stopped: new FailureError(code).failure }),
  });
  expect(forStrangers(sentOn('egress_denied_name'))).toEqual(sentOn('dns_nxdomain'));
  expect(forStrangers(sentOn('timeout'))).toEqual(sentOn('timeout'));
});

test('a name without an address is as one that does not exist, and what has or may have one stays', () => {
  const seen = (records: Partial<DnsRecords>): Observations => ({
    ...NOTHING,
    dns: observed({ ...RECORDS, ...records }),
  });
  const address = [{ address: '93.184.216.34', ttlSeconds: 60 }];
  const alias = { cname: ['b.example.net'] };
  for (const empty of [{}, alias, { ...alias, unanswered: ['A'] as const }, { unanswered: ['MX', 'DMARC'] as const }]) {
    expect(forStrangers(seen(empty)).dns).toMatchObject({ state: 'failed', failure: { code: 'dns_nxdomain' } });
  }
  for (const kept of [
    ...[{ a: address }, { aaaa: address }, { ...alias, a: address }, { ...alias, aaaa: address }],
    ...[{ unanswered: ['A'] as const }, { unanswered: ['AAAA', 'MX'] as const }],
  ]) {
    expect(forStrangers(seen(kept))).toEqual(seen(kept));
  }
});
