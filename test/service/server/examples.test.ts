import { expect, test } from 'bun:test';
import { startMasking } from '#src/checks/record/redact/mask.ts';
import { redactUrl } from '#src/checks/record/redact/redact-text.ts';
import { STORE_SETTINGS } from '#src/checks/store/settings.ts';
import { defaultsOf } from '#src/core/base/settings/setting.ts';
import { EXAMPLES } from '#src/service/server/docs/examples.ts';
import { SERVER_SETTINGS } from '#src/service/server/settings.ts';

test('the example of a check is consistent, and the other examples describe the same check', () => {
  const { malicious_probability: probability, decision, analysis_details: details, ...result } = EXAMPLES.checkResult;
  const weights = details.reasons.reduce((sum, { weight }) => sum + weight, details.base_log_odds);
  expect(weights).toBeCloseTo(Math.log(probability / (1 - probability)), 5);
  expect(details.probability).toBe(probability);
  const { warn, block } = details.thresholds;
  expect(decision).toBe(probability >= block ? 'block' : probability >= warn ? 'warn' : 'allow');
  expect(details.individual_scores.url).toBeCloseTo(1 / (1 + Math.exp(-(details.reasons[0]?.weight ?? 0))), 4);
  const { checkResult, checkRequest, batchRequest, batchAnswer, historyPage, historySummary, stats } = EXAMPLES;
  expect(checkRequest.url).toBe(result.url);
  expect(batchAnswer.items.map(({ url }) => url)).toEqual(batchRequest.urls);
  expect(batchAnswer.items[0]).toEqual(checkResult);
  expect(historyPage.items.map(({ request_id, timestamp }) => [request_id, timestamp])).toEqual([
    [result.request_id, result.timestamp],
  ]);
  expect(historyPage.items.map(({ url }) => url)).toEqual([redactUrl(result.url, startMasking('secrets'))]);
  const { retention_days: days, retention_bytes: bytes } = defaultsOf(STORE_SETTINGS);
  expect([stats.retention, EXAMPLES.about.retention]).toEqual([
    { days, bytes, rows: null },
    { days, bytes, rows: null },
  ]);
  expect(EXAMPLES.about.checks_per_minute).toBe(defaultsOf(SERVER_SETTINGS).rate_limit);
  const sums = historySummary.days.reduce(
    (sum, day) => ({ allow: sum.allow + day.allow, warn: sum.warn + day.warn, block: sum.block + day.block }),
    { allow: 0, warn: 0, block: 0 },
  );
  expect(historySummary.checks).toEqual(sums);
  expect(stats.blocked_sites).toEqual([{ name: details.host_parts.site ?? '', checks: expect.any(Number) }]);
  const suffix = details.host_parts.site?.split('.').at(-1) ?? '';
  expect(stats.blocked_suffixes).toEqual([{ name: suffix, checks: stats.blocked_sites[0]?.checks ?? 0 }]);
  const [day] = stats.days;
  expect(stats.hours.map(({ start }) => start.slice(0, 10))).toEqual([day?.start.slice(0, 10) ?? '']);
  const checks = (day?.allow ?? 0) + (day?.warn ?? 0) + (day?.block ?? 0);
  for (const { histogram } of [{ histogram: stats.probabilities }, stats.answer_seconds]) {
    expect(histogram.reduce((sum, bucket) => sum + bucket.checks, 0)).toBe(checks);
    expect(histogram[0]?.from).toBe(0);
    for (const [at, { from, until }] of histogram.entries())
      expect([from, from < until]).toEqual([histogram[at - 1]?.until ?? 0, true]);
  }
  expect(stats.probabilities.at(-1)?.until).toBe(1);
  // Each quantile is in the bucket that its share of the checks ends in.
  for (const [share, seconds] of [
    [0.5, stats.answer_seconds.p50],
    [0.9, stats.answer_seconds.p90],
    [0.99, stats.answer_seconds.p99],
  ] as const) {
    const { histogram } = stats.answer_seconds;
    const upTo = (at: number) => histogram.slice(0, at + 1).reduce((sum, one) => sum + one.checks, 0);
    const bucket = histogram.find((_, at) => upTo(at) >= share * checks);
    expect(seconds).toBeWithin(bucket?.from ?? 0, bucket?.until ?? 0);
  }
  expect(URL.parse(result.url)?.hostname).toBe(details.host_parts.ascii);
});
