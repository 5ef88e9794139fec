import { describe, expect, test } from 'bun:test';
import type { TSchema } from '@sinclair/typebox';
import { type AnalysisDetails, CheckResultSchema } from '#src/checks/record/check-result.ts';
import { HistoryPageSchema } from '#src/checks/record/history-page.ts';
import { StatsSchema } from '#src/checks/record/stats.ts';
import { BARE_CERTIFICATE, NO_RECORDS, UNKNOWN_REGISTRATION } from '#test/support/found-lookups.ts';
import { parseAs } from '#test/support/parse-as.ts';
import { sampleCheck } from '#test/support/sample-record.ts';

function fits(schema: TSchema, value: unknown): boolean {
  try {
    parseAs(schema, value);
    return true;
  } catch {
    return false;
  }
}

const LONGEST = 'x'.repeat(512);
const TOO_LONG = `${LONGEST}x`;
const MOST = Array.from({ length: 128 }, () => 'x');
const TOO_MANY = [...MOST, 'x'];

const FORM = { action: null, method: 'get', fields: [] };
const HOP = {
  url: 'https://a.example/',
  status: 302,
  location: null,
  address: null,
  how: 'http',
  followed: true,
  malicious_probability: 0,
  decision: 'allow',
};
const BRAND = { name: 'A brand', confidence: 1, domains: [] };
const PARTS = { ascii: 'a', unicode: 'a', subdomain: '', site: 'a', registrable_domain: null, lookalikes: [] };
const SCORES = sampleCheck({}).result.analysis_details.individual_scores;

const withDetails = (details: Record<string, unknown>) =>
  sampleCheck({ details: details as Partial<AnalysisDetails> }).result;

describe('the schema of an answer', () => {
  test('accepts valid values, including their bounds', () => {
    const good = [
      { thresholds: { warn: 0, block: 1 } },
      { individual_scores: { ...SCORES, url: 0, page: 1, dns: null } },
      { normalized_url: 'x'.repeat(8192) },
      { final_url: LONGEST },
      { final_url: null },
      { redirects: [HOP] },
      { unwrapped_urls: [...MOST.slice(1), LONGEST] },
      { truncated: true },
      { brand: null },
      { brand: { ...BRAND, confidence: 0 } },
      { page: null },
      { page: { title: null, forms: [FORM], truncated: true } },
      { page: { title: LONGEST, forms: MOST.map(() => FORM) } },
      { host_parts: PARTS },
      { dns_records: NO_RECORDS },
      { dns_records: { ...NO_RECORDS, soa: { primary: 'a', contact: 'b', serial: 1 }, spf: LONGEST, dmarc: LONGEST } },
      { whois_info: { ...UNKNOWN_REGISTRATION, truncated: true } },
      { whois_info: { ...UNKNOWN_REGISTRATION, created_at: '2026-01-31T12:00:00.000Z', age_days: 1 } },
      { whois_info: { status: 'disabled' } },
      { cert_info: BARE_CERTIFICATE },
      { counterfactual: null },
    ];
    expect(good.filter((details) => !fits(CheckResultSchema, withDetails(details)))).toEqual([]);
  });

  test('refuses values beyond the bounds, in each member', () => {
    const bad = [
      { probability: -0.01 },
      { probability: 1.01 },
      { thresholds: { warn: -0.01, block: 1 } },
      { thresholds: { warn: 0, block: 1.01 } },
      { individual_scores: { ...SCORES, url: -0.01 } },
      { individual_scores: { ...SCORES, url: 1.01 } },
      { individual_scores: { url: 0.5 } },
      { normalized_url: 'x'.repeat(8193) },
      { final_url: TOO_LONG },
      { redirects: Array.from({ length: 129 }, () => HOP) },
      { redirects: [{ ...HOP, location: TOO_LONG }] },
      { redirects: [{ ...HOP, how: 'magic' }] },
      { redirects: [{ ...HOP, malicious_probability: 1.01 }] },
      { coverage: 'none' },
      { coverage: null },
      { caution: null },
      { unwrapped_urls: TOO_MANY },
      { unwrapped_urls: [TOO_LONG] },
      { truncated: false },
      { brand: { ...BRAND, confidence: 1.01 } },
      { page: { title: TOO_LONG, forms: [] } },
      { page: { title: null, forms: Array.from({ length: 129 }, () => FORM) } },
      { host_parts: { ...PARTS, ascii: TOO_LONG } },
      { reasons: [{ component: 'weather', code: 'a', message: 'b', weight: 0 }] },
      { reasons: [{ component: 'url', code: 'a', message: TOO_LONG, weight: 0 }] },
      { unavailable: [{ component: 'page', reason: 'ok' }] },
      { unavailable: [{ component: 'page', reason: 'tired' }] },
      { dns_records: {} },
      { dns_records: { status: 'fine' } },
      { whois_info: { ...UNKNOWN_REGISTRATION, source: 'a friend' } },
      { whois_info: { ...UNKNOWN_REGISTRATION, source: '' } },
      { whois_info: { status: 'ok' } },
      { whois_info: { ...UNKNOWN_REGISTRATION, created_at: 'yesterday' } },
      { cert_info: { ...BARE_CERTIFICATE, valid_from: 'yesterday' } },
      { cert_info: { ...BARE_CERTIFICATE, valid_to: 'tomorrow' } },
    ];
    expect(bad.filter((details) => fits(CheckResultSchema, withDetails(details)))).toEqual([]);
  });

  test('accepts only valid verdicts, probabilities, times and identifiers', () => {
    const { result } = sampleCheck({});
    for (const good of [{ malicious_probability: 0 }, { malicious_probability: 1 }, { decision: 'warn' }]) {
      expect([good, fits(CheckResultSchema, { ...result, ...good })]).toEqual([good, true]);
    }
    const wrong = [{ decision: 'maybe' }, { timestamp: 'now' }, { request_id: '1' }, { url: null }];
    for (const bad of [{ malicious_probability: -0.01 }, { malicious_probability: 1.01 }, ...wrong]) {
      expect([bad, fits(CheckResultSchema, { ...result, ...bad })]).toEqual([bad, false]);
    }
  });
});

test('the schema of the history accepts only valid items', () => {
  const item = {
    request_id: '01900000-0000-7000-8000-000000000000',
    url: 'https://example.com/',
    malicious_probability: 0,
    decision: 'allow',
    coverage: 'full',
    caution: false,
    via: 'page',
    decided_by: null,
    reasons: [],
    model_version: '2026.01',
    timestamp: '2026-01-31T12:00:00.000Z',
  };
  const fitsItem = (change: object) => fits(HistoryPageSchema, { items: [{ ...item, ...change }], next_cursor: null });
  for (const good of [{}, { malicious_probability: 1 }, { coverage: null, caution: null, via: null }]) {
    expect([good, fitsItem(good)]).toEqual([good, true]);
  }
  const wrong = [{ request_id: '1' }, { decision: 'maybe' }, { timestamp: 'now' }];
  for (const bad of [{ malicious_probability: -0.01 }, { malicious_probability: 1.01 }, ...wrong]) {
    expect([bad, fitsItem(bad)]).toEqual([bad, false]);
  }
  expect(fits(HistoryPageSchema, { items: [], next_cursor: 'more' })).toBe(true);
});

test('the schema of the statistics accepts counts from 0, and free disk space from 0 to 100', () => {
  const start = '2026-01-31T12:00:00.000Z';
  const stats = {
    hours: [{ start, allow: 0, warn: 0, block: 0 }],
    days: [],
    messages: { hours: [{ start, allow: 0, warn: 0, block: 0 }], days: [] },
    probabilities: [{ from: 0, until: 1, checks: 0 }],
    blocked_sites: [{ name: 'evil.example', checks: 0 }],
    blocked_suffixes: [],
    answer_seconds: { p50: null, p90: 0, p99: 0, histogram: [] },
    disk_free_percent: 0,
    retention: { days: 1, bytes: null, rows: 1 },
  };
  for (const good of [{}, { disk_free_percent: 100 }]) {
    expect([good, fits(StatsSchema, { ...stats, ...good })]).toEqual([good, true]);
  }
  for (const bad of [
    { disk_free_percent: -1 },
    { disk_free_percent: 101 },
    { hours: [{ start, allow: -1, warn: 0, block: 0 }] },
    { days: [{ start: 'today', allow: 0, warn: 0, block: 0 }] },
    { answer_seconds: { ...stats.answer_seconds, p50: -1 } },
    { retention: { ...stats.retention, bytes: 0 } },
  ]) {
    expect([bad, fits(StatsSchema, { ...stats, ...bad })]).toEqual([bad, false]);
  }
});
