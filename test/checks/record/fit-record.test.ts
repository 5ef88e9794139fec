import { expect, test } from 'bun:test';
import { recordCheck } from '#src/checks/record/check-record.ts';
import { type CheckResult, CheckResultSchema } from '#src/checks/record/check-result.ts';
import { describeCheck } from '#src/checks/record/describe-check.ts';
import { fitRecord, MAX_RECORD_BYTES } from '#src/checks/record/fit-record.ts';
import { maskResult } from '#src/checks/record/redact/redact-result.ts';
import { MAX_TEXT_LENGTH } from '#src/core/base/text/truncate-text.ts';
import { hostOf } from '#src/core/url/host.ts';
import type { Target } from '#src/core/url/target.ts';
import { assess } from '#src/engine/assess/assess.ts';
import { readPage } from '#src/network/html/read-page.ts';
import { type Observations, skippedObservations } from '#src/network/probes/observations.ts';
import { visitOf } from '#src/network/probes/page-visit.ts';
import { NO_RECORDS, UNKNOWN_REGISTRATION } from '#test/support/found-lookups.ts';
import { MODELS, SETTINGS } from '#test/support/models.ts';
import { parseAs } from '#test/support/parse-as.ts';
import { createRandom } from '#test/support/random.ts';
import { sampleCheck } from '#test/support/sample-record.ts';
import { targetOf } from '#test/support/target.ts';
import { hostileObservations } from './hostile-observations.ts';

function resultOf(target: Target, observations: Observations): CheckResult {
  return fitRecord(
    describeCheck({
      requestId: '01900000-0000-7000-8000-000000000000',
      via: 'api',
      startedAtMs: 0,
      elapsedMs: 1,
      stagesMs: { observe: 1, assess: 0 },
      target,
      observations,
      assessment: assess(target, observations, MODELS, SETTINGS),
    }),
  );
}

const sizeOf = (result: CheckResult) => Buffer.byteLength(JSON.stringify(result));

/** Every text in a value with the names of the members that it stands under. */
function textsIn(value: unknown, path = ''): [path: string, text: string][] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => textsIn(member, `${path}.${name}`));
}

test('leaves an ordinary result unchanged', () => {
  const { result } = sampleCheck({ url: 'https://example.com/a?b=c' });
  expect(fitRecord(result)).toEqual(result);
});

test('truncates a page of a hundred forms with long addresses, and marks it', () => {
  const target = targetOf('https://evil.example/');
  const html = `<title>${'t'.repeat(60_000)}</title>${`<form action="https://evil.example/${'a/'.repeat(4000)}"><input type=password></form>`.repeat(100)}`;
  const document = readPage(new TextEncoder().encode(html), { contentType: 'text/html', url: target.requestUrl });
  const visit = visitOf(target, { contentLength: html.length, document });
  const none = skippedObservations('disabled', { state: 'skipped', reason: 'disabled' });
  const result = resultOf(target, { ...none, page: { state: 'observed', value: visit, elapsedMs: 1 } });
  expect(sizeOf(result)).toBeLessThanOrEqual(MAX_RECORD_BYTES);
  expect(result.analysis_details.page?.truncated).toBe(true);
  expect(result.analysis_details.page?.forms.length).toBeGreaterThan(30);
  expect(result.analysis_details.truncated).toBeUndefined();
});

test('whatever is observed, the answer and the record match the schema and fit into 64 KiB', () => {
  const random = createRandom(20261120);
  for (let round = 0; round < 100; round++) {
    const target = targetOf(`https://evil.example/?${random.text(7000, 'ab=&;/é%@"')}`);
    const result = resultOf(target, hostileObservations(target, random));
    for (const kept of [result, maskResult(result, 'private').stored, maskResult(result, 'public').stored]) {
      expect(sizeOf(kept)).toBeLessThanOrEqual(MAX_RECORD_BYTES);
      expect(parseAs(CheckResultSchema, kept)).toEqual(kept);
      const long = textsIn(kept.analysis_details).filter(
        ([path, text]) => text.length > MAX_TEXT_LENGTH && path !== '.normalized_url',
      );
      expect(long).toEqual([]);
    }
    expect(result.url).toBe(target.input);
    expect(fitRecord(result)).toEqual(result);
    const sum = result.analysis_details.reasons.reduce((total, { weight }) => total + weight, 0);
    const { base_log_odds: base, probability } = result.analysis_details;
    expect(base + sum).toBeCloseTo(Math.log(probability / (1 - probability)), 6);
  }
});

test('a URL that takes six bytes per character leaves space for the rest', () => {
  for (const unit of ['\u0001', '\ud800', '\u{1f600}', 'é', '"', '%']) {
    for (const place of ['https://evil.example/', 'https://', `https://${'a.'.repeat(100)}`]) {
      const url = place + unit.repeat((8192 - place.length) / unit.length);
      if (!URL.canParse(url)) continue;
      const target = targetOf(url);
      const none = skippedObservations('disabled', { state: 'skipped', reason: 'disabled' });
      const result = resultOf(target, none);
      expect(sizeOf(result)).toBeLessThanOrEqual(MAX_RECORD_BYTES);
      for (const visibility of ['public', 'private'] as const) {
        expect(sizeOf(maskResult(result, visibility).stored)).toBeLessThanOrEqual(MAX_RECORD_BYTES);
      }
    }
  }
});

test.each([
  [128, 'a', 7000],
  [64, 'a'.repeat(10), 0],
  [32, 'a'.repeat(30), 0],
  [16, 'a'.repeat(100), 0],
  [8, '\u0001'.repeat(100), 0],
  [4, '\u0001'.repeat(100), 8192],
])('truncates lists of 128 items to %d, depending on the size of their texts and the URL', (kept, text, urlLength) => {
  const count = kept === 128 ? 1 : 128;
  const form = { action: text, method: 'post', fields: Array<string>(count).fill(text) };
  const redirect = { url: text, status: 302, location: text, address: text };
  const { result } = sampleCheck({
    result: { url: '\u0001'.repeat(urlLength) },
    details: { page: { title: null, forms: Array(128).fill(form) }, redirects: Array(128).fill(redirect) },
  });
  const { page, redirects } = fitRecord(result).analysis_details;
  expect([page?.forms.length, redirects.length]).toEqual([kept, kept]);
  expect(page?.truncated === true).toBe(kept < 128);
});

test('reasons, which add up, and unavailable components are never truncated', () => {
  const { result } = sampleCheck({});
  const { reasons, unavailable } = result.analysis_details;
  const many = { reasons: Array(200).fill(reasons[0]), unavailable: Array(200).fill(unavailable[0]) };
  const fitted = fitRecord({ ...result, analysis_details: { ...result.analysis_details, ...many } });
  expect(fitted.analysis_details).toMatchObject(many);
  expect(fitted.analysis_details.truncated).toBeUndefined();
});

test('marks truncated objects and no others', () => {
  const long = 'word '.repeat(200);
  const { result } = sampleCheck({
    details: {
      dns_records: { ...NO_RECORDS, txt: [long] },
      whois_info: UNKNOWN_REGISTRATION,
      final_url: `https://example.com/${'a/'.repeat(400)}`,
    },
  });
  const { dns_records, whois_info, truncated } = fitRecord(result).analysis_details;
  expect(dns_records).toEqual({ ...NO_RECORDS, txt: [long.slice(0, 509)], truncated: true });
  expect(whois_info).toEqual(UNKNOWN_REGISTRATION);
  expect(truncated).toBe(true);
});

test('stores the end of a host name that is too long for DNS', () => {
  const { result } = sampleCheck({});
  const keptOf = (text: string) =>
    recordCheck({ visibility: 'public', client: null, host: hostOf(text), result }).record.host;
  const host = hostOf(`${'a.'.repeat(3000)}evil.example`);
  expect(keptOf(host.text)).toMatchObject({ site: host.site, kind: 'name' });
  expect(keptOf(host.text).text).toBe(`${'a.'.repeat(120)}evil.example`);
  expect(keptOf(`${'ab.'.repeat(200)}evil.example`).text).toBe(`${'ab.'.repeat(80)}evil.example`);
  const longest = `${'a'.repeat(241)}.evil.example`.slice(-253);
  expect(keptOf(longest).text).toBe(longest);
  expect(keptOf(`a${longest}`).text).toBe(longest);
});
