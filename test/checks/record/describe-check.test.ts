import { describe, expect, test } from 'bun:test';
import { describeCheck } from '#src/checks/record/describe-check.ts';
import { packRecord } from '#src/checks/record/pack/pack-record.ts';
import { unpackRecord } from '#src/checks/record/pack/unpack-record.ts';
import { toStored } from '#src/checks/record/stored-result.ts';
import type { Failure } from '#src/core/base/failure.ts';
import { assess } from '#src/engine/assess/assess.ts';
import { readPage } from '#src/network/html/read-page.ts';
import { type Observations, skippedObservations } from '#src/network/probes/observations.ts';
import { type PageVisit, visitOf } from '#src/network/probes/page-visit.ts';
import { MODELS, SETTINGS } from '#test/support/models.ts';
import { targetOf } from '#test/support/target.ts';

const TARGET = targetOf('https://Shop.example/a');
const DISABLED = { state: 'skipped', reason: 'disabled' } as const;
const observed = <T>(value: T) => ({ state: 'observed', value, elapsedMs: 1 }) as const;
const failed = (code: Failure['code']) =>
  ({ state: 'failed', failure: { code, detail: 'for the operator' }, elapsedMs: 1 }) as const;

function describeSeen(seen: Partial<Observations>, target = TARGET, elapsedMs = 1234) {
  const observations = { ...skippedObservations('disabled', DISABLED), ...seen };
  return describeCheck({
    requestId: '01900000-0000-7000-8000-000000000000',
    via: 'api',
    startedAtMs: Date.UTC(2026, 0, 31, 12),
    elapsedMs,
    stagesMs: { observe: 1200, assess: 34 },
    target,
    observations,
    assessment: assess(target, observations, MODELS, SETTINGS),
  });
}

const HTML = '<title>A shop</title><form action="/in" method=post><input name=who><input type=password></form>';
const document = readPage(new TextEncoder().encode(HTML), { contentType: 'text/html', url: TARGET.requestUrl });
const describeVisit = (visit: Partial<PageVisit>) =>
  describeSeen({ page: observed(visitOf(TARGET, { contentLength: HTML.length, document, ...visit })) })
    .analysis_details;

describe('the site on which redirects end', () => {
  const end = { finalUrl: 'http://landing.example/' };
  const landing = {
    host: 'landing.example',
    dns: failed('dns_nxdomain'),
    registration: DISABLED,
    certificate: failed('connection_refused'),
  };

  test('has its own records beside those of the first site', () => {
    const details = describeSeen({
      page: observed({ ...visitOf(TARGET, { contentLength: HTML.length, document }), ...end }),
      landing,
    });
    expect(details.analysis_details.landing).toEqual({
      host: 'landing.example',
      dns_records: { status: 'not_found' },
      whois_info: { status: 'disabled' },
      // An http: page has no certificate to show, and that is no failure.
      cert_info: { status: 'not_applicable' },
    });
    expect(details.analysis_details.cert_info).toEqual({ status: 'disabled' });
  });

  test('is omitted if it is the requested site', () => {
    expect(Object.keys(describeVisit({}))).not.toContain('landing');
  });

  test('is packed and unpacked unchanged', () => {
    const result = describeSeen({
      page: observed({ ...visitOf(TARGET, { contentLength: HTML.length, document }), ...end }),
      landing,
    });
    const { analysis_details: details, ...rest } = result;
    const beside = {
      request_id: rest.request_id,
      timestamp: rest.timestamp,
      normalized_url: details.normalized_url,
      host: details.host_parts.ascii,
      probability: details.probability,
      decision: rest.decision,
      coverage: details.coverage,
      caution: details.caution,
      base_log_odds: details.base_log_odds,
      thresholds: details.thresholds,
      model_version: details.model_version,
    };
    const kept = toStored(result);
    const packed = packRecord(kept, beside);
    expect(unpackRecord(packed, beside)).toEqual(kept);
    const { landing: _, ...bare } = kept.analysis_details;
    const without = packRecord({ ...kept, analysis_details: bare }, beside);
    expect(packed.length - without.length).toBeLessThan(40);
  });
});

describe('the answer to a check', () => {
  test('contains the URL, the time and the duration in seconds', () => {
    const { url, timestamp, request_id, analysis_details } = describeSeen({});
    expect({ url, timestamp, request_id }).toEqual({
      url: 'https://Shop.example/a',
      timestamp: '2026-01-31T12:00:00.000Z',
      request_id: '01900000-0000-7000-8000-000000000000',
    });
    const { normalized_url, analysis_time, timings } = analysis_details;
    expect({ normalized_url, analysis_time, timings }).toEqual({
      normalized_url: 'https://shop.example/a',
      analysis_time: 1.234,
      timings: { observe: 1.2, assess: 0.034 },
    });
  });

  test('rounds durations up to the microsecond', () => {
    expect(describeSeen({}, TARGET, 0.312_345_6).analysis_details.analysis_time).toBe(0.000_313);
  });

  test('contains the status, size, final URL, title and forms of a page', () => {
    expect(describeVisit({ statusCode: 203, finalUrl: 'https://shop.example/b' })).toMatchObject({
      html_available: true,
      status_code: 203,
      content_length: HTML.length,
      final_url: 'https://shop.example/b',
      page: {
        title: 'A shop',
        forms: [{ action: 'https://shop.example/in', method: 'post', fields: ['text', 'password'] }],
      },
    });
  });

  test('reports a page that is not HTML as received, without its content', () => {
    const details = describeVisit({ document: null });
    expect(details).toMatchObject({ html_available: false, status_code: 200, content_length: HTML.length, page: null });
    expect(details.unavailable.map(({ component }) => component)).not.toContain('page');
  });

  test('reports what stopped a visit that saw only redirects', () => {
    const hop = {
      url: TARGET.url,
      status: 302,
      location: 'http://10.0.0.1/',
      address: '192.0.2.1',
      how: 'http' as const,
    };
    const stopped: Failure = { code: 'egress_denied', detail: 'for the operator' };
    const details = describeVisit({ document: null, redirects: [hop], stopped });
    expect(details.redirects).toMatchObject([{ ...hop, followed: false }]);
    expect(details.unavailable).toContainEqual({ component: 'page', reason: 'refused_by_policy' });
  });

  test('does not report the page as unavailable if only its end was not read', () => {
    const details = describeVisit({ stopped: { code: 'response_too_large', detail: '' } });
    expect(details.unavailable.map(({ component }) => component)).not.toContain('page');
  });

  test('has zeros and nulls if no page was observed', () => {
    expect(describeSeen({ page: failed('timeout') }).analysis_details).toMatchObject({
      html_available: false,
      status_code: 0,
      content_length: 0,
      final_url: null,
      redirects: [],
      page: null,
    });
  });

  test('lists everything unavailable with its reason, without details for the operator', () => {
    const result = describeSeen({
      page: failed('timeout'),
      dns: failed('dns_nxdomain'),
      registration: DISABLED,
      certificate: { state: 'skipped', reason: 'not_applicable' },
      lists: observed({ blocked: null, allowed: null }),
    });
    expect(result.analysis_details.unavailable).toEqual([
      { component: 'page', reason: 'timeout' },
      { component: 'dns', reason: 'not_found' },
      { component: 'registration', reason: 'disabled' },
      { component: 'certificate', reason: 'not_applicable' },
    ]);
    expect(JSON.stringify(result)).not.toContain('for the operator');
  });

  test.each([
    [failed('connection_refused'), 'unreachable'],
    [failed('dns_nxdomain'), 'not_found'],
    [failed('egress_denied'), 'refused_by_policy'],
    [failed('timeout'), 'timeout'],
    [{ state: 'skipped', reason: 'circuit_open' } as const, 'unreachable'],
    [{ state: 'skipped', reason: 'not_applicable' } as const, 'not_applicable'],
    [DISABLED, 'disabled'],
  ] as const)('reports the certificate as not applicable for a URL without TLS: %j', (certificate, overTls) => {
    const statusOf = (url: string) => {
      const { cert_info, unavailable } = describeSeen({ certificate }, targetOf(url)).analysis_details;
      return [cert_info.status, unavailable.find(({ component }) => component === 'certificate')?.reason];
    };
    expect(statusOf('https://shop.example/')).toEqual([overTls, overTls]);
    const inPlain = overTls === 'disabled' ? 'disabled' : 'not_applicable';
    expect(statusOf('http://shop.example/')).toEqual([inPlain, inPlain]);
    expect(statusOf('http://shop.example:8080/')).toEqual([inPlain, inPlain]);
  });
});

describe('the answer contains every member of', () => {
  test('the DNS records', () => {
    const { analysis_details } = describeSeen({
      dns: observed({
        a: [{ address: '192.0.2.1', ttlSeconds: 60 }],
        aaaa: [{ address: '2001:db8::1', ttlSeconds: 30 }],
        cname: ['cdn.example'],
        ns: ['ns1.example', 'ns2.example'],
        mx: [{ exchange: 'mail.example', preference: 10 }],
        soa: { primary: 'ns1.example', contact: 'root.example', serial: 7 },
        txt: ['v=spf1 -all'],
        caa: [{ flags: 128, tag: 'issue', value: 'ca.example' }],
        spf: 'v=spf1 -all',
        dmarc: 'v=DMARC1; p=reject',
        authenticated: true,
        unanswered: [],
      }),
    });
    expect(analysis_details.dns_records).toEqual({
      status: 'ok',
      a: [{ address: '192.0.2.1', ttl_seconds: 60 }],
      aaaa: [{ address: '2001:db8::1', ttl_seconds: 30 }],
      cname: ['cdn.example'],
      ns: ['ns1.example', 'ns2.example'],
      mx: [{ exchange: 'mail.example', preference: 10 }],
      soa: { primary: 'ns1.example', contact: 'root.example', serial: 7 },
      txt: ['v=spf1 -all'],
      caa: [{ flags: 128, tag: 'issue', value: 'ca.example' }],
      spf: 'v=spf1 -all',
      dmarc: 'v=DMARC1; p=reject',
      authenticated: true,
    });
  });

  test('the registration', () => {
    const { analysis_details } = describeSeen({
      registration: observed({
        source: 'rdap',
        domain: 'shop.example',
        registrar: 'A registrar',
        createdAt: '2025-01-31T12:00:00.000Z',
        updatedAt: null,
        expiresAt: '2027-01-31T12:00:00.000Z',
        statuses: ['active'],
        nameservers: ['ns1.example'],
        registrantCountry: 'DE',
        ageDays: 365,
      }),
    });
    expect(analysis_details.whois_info).toEqual({
      status: 'ok',
      source: 'rdap',
      registrar: 'A registrar',
      created_at: '2025-01-31T12:00:00.000Z',
      updated_at: null,
      expires_at: '2027-01-31T12:00:00.000Z',
      age_days: 365,
      statuses: ['active'],
      nameservers: ['ns1.example'],
      registrant_country: 'DE',
    });
  });

  test('the certificate', () => {
    const { analysis_details } = describeSeen({
      certificate: observed({
        trusted: false,
        faults: ['self_signed'],
        subject: 'CN=shop.example',
        issuer: 'CN=shop.example',
        sans: ['shop.example'],
        sanCount: 1,
        validFrom: '2026-01-01T12:00:00.000Z',
        validTo: '2026-04-30T12:00:00.000Z',
        daysRemaining: 89,
        ageDays: 30,
        key: 'EC P-256',
        signatureAlgorithm: 'ecdsa-with-SHA256',
        fingerprintSha256: '0'.repeat(64),
        chain: ['CN=shop.example'],
        protocol: 'TLSv1.3',
      }),
    });
    expect(analysis_details.cert_info).toEqual({
      status: 'ok',
      trusted: false,
      faults: ['self_signed'],
      subject: 'CN=shop.example',
      issuer: 'CN=shop.example',
      sans: ['shop.example'],
      valid_from: '2026-01-01T12:00:00.000Z',
      valid_to: '2026-04-30T12:00:00.000Z',
      days_remaining: 89,
      age_days: 30,
      key: 'EC P-256',
      signature_algorithm: 'ecdsa-with-SHA256',
      fingerprint_sha256: '0'.repeat(64),
      chain: ['CN=shop.example'],
      protocol: 'TLSv1.3',
    });
  });
});
