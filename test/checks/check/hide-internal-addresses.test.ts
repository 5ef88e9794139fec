import { expect, test } from 'bun:test';
import { hideInternalAddresses } from '#src/checks/check/check.ts';
import { FAILURES, type FailureCode, FailureError } from '#src/core/base/failure.ts';
import { type DnsRecords, type Observations, skippedObservations } from '#src/network/probes/observations.ts';
import type { PageVisit } from '#src/network/probes/page-visit.ts';

const NOTHING = skippedObservations('disabled', { state: 'skipped', reason: 'disabled' });
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

/** Observations that all failed with one code. */
function failingBy(code: FailureCode): Observations {
  const host = { dns: failed(code), registration: failed(code), certificate: failed(code) };
  return { ...NOTHING, ...host, page: failed(code), landing: { host: 'b.example', ...host } };
}

test('a name that resolves to an internal address looks unregistered in every probe, and nothing else changes', () => {
  const gone = JSON.stringify(failingBy('dns_nxdomain')).replaceAll('detail of dns_nxdomain', FAILURES.dns_nxdomain);
  expect(JSON.stringify(hideInternalAddresses(failingBy('egress_denied_name')))).toBe(gone);
  for (const code of Object.keys(FAILURES) as FailureCode[]) {
    const seen = failingBy(code);
    if (code !== 'egress_denied_name') expect(hideInternalAddresses(seen)).toEqual(seen);
    expect(hideInternalAddresses(hideInternalAddresses(seen))).toEqual(hideInternalAddresses(seen));
  }
});

test('a visit that is redirected to an internal name keeps its earlier observations', () => {
  const sentOn = (code: FailureCode): Observations => ({
    ...NOTHING,
    page: observed({ ...VISIT, stopped: new FailureError(code).failure }),
  });
  expect(hideInternalAddresses(sentOn('egress_denied_name'))).toEqual(sentOn('dns_nxdomain'));
  expect(hideInternalAddresses(sentOn('timeout'))).toEqual(sentOn('timeout'));
});

test('a name without an address looks unregistered, one that has or may have an address does not', () => {
  const seen = (records: Partial<DnsRecords>): Observations => ({
    ...NOTHING,
    dns: observed({ ...RECORDS, ...records }),
  });
  const address = [{ address: '93.184.216.34', ttlSeconds: 60 }];
  const alias = { cname: ['b.example.net'] };
  for (const empty of [{}, alias, { ...alias, unanswered: ['A'] as const }, { unanswered: ['MX', 'DMARC'] as const }]) {
    expect(hideInternalAddresses(seen(empty)).dns).toMatchObject({
      state: 'failed',
      failure: { code: 'dns_nxdomain' },
    });
  }
  for (const kept of [
    ...[{ a: address }, { aaaa: address }, { ...alias, a: address }, { ...alias, aaaa: address }],
    ...[{ unanswered: ['A'] as const }, { unanswered: ['AAAA', 'MX'] as const }],
  ]) {
    expect(hideInternalAddresses(seen(kept))).toEqual(seen(kept));
  }
});
