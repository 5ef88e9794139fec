import { expect, test } from 'bun:test';
import { needsCaution } from '#src/checks/record/reasons/caution.ts';
import { logOddsOf } from '#src/core/base/log-odds.ts';
import { assess } from '#src/engine/assess/assess.ts';
import { skippedObservations } from '#src/network/probes/observations.ts';
import { sampleResult } from '#test/interfaces/ui/sample-result.ts';
import { MODELS, SETTINGS } from '#test/support/models.ts';
import { targetOf } from '#test/support/target.ts';

/** A result of one reason. */
function resultOf(
  decision: 'allow' | 'warn' | 'block',
  probability: number,
  code: string,
  weight: number,
  baseRate = 0.05,
) {
  const { analysis_details, ...rest } = sampleResult();
  const [component] = code.split('.');
  const reason = { component, code, message: code, weight } as (typeof analysis_details.reasons)[number];
  const details = { ...analysis_details, base_log_odds: logOddsOf(baseRate), reasons: [reason] };
  return { ...rest, decision, malicious_probability: probability, analysis_details: details };
}

/** The same with a name of this weight beside. */
function withName(result: ReturnType<typeof resultOf>, weight: number) {
  const details = result.analysis_details;
  const [reason] = details.reasons;
  const name = { ...reason, code: 'url.name', weight } as (typeof details.reasons)[number];
  return { ...result, analysis_details: { ...details, reasons: [...details.reasons, name] } };
}

test.each([
  ['a domain of yesterday', resultOf('allow', 0.04, 'registration.created_under_7_days_ago', 2.5)],
  ['a certificate for another name', resultOf('allow', 0.01, 'certificate.name_mismatch', 0.8)],
  ['a probability above twice the base rate', resultOf('allow', 0.101, 'url.words', 0.7)],
  ['a path that outweighs all else', withName(resultOf('allow', 0.04, 'url.path', 1.5), -1.4)],
  ['the same at another base rate', resultOf('allow', 0.021, 'url.words', 0.7, 0.01)],
])('%s on an allowed link needs caution', (_, result) => {
  expect(needsCaution(result)).toBe(true);
});

test.each([
  ['the path of a log-in page', withName(resultOf('allow', 0.0002, 'url.path', 2.2), -3)],
  ['a sign of little weight', resultOf('allow', 0.04, 'dns.no_mail', 0.3)],
  ['a sign against phishing', resultOf('allow', 0.01, 'registration.created_over_5_years_ago', -0.8)],
  ['the base rate itself', resultOf('allow', 0.05, 'url.words', 0.1)],
])('%s needs no caution', (_, result) => {
  expect(needsCaution(result)).toBe(false);
});

test.each(['https://bit.ly/3xYz', 'https://t.ly/abc', 'https://tinyurl.com/2p8k'])(
  '%s is not reported as harmless if its target was not probed',
  (url) => {
    const target = targetOf(url);
    const observations = skippedObservations('disabled', { state: 'skipped', reason: 'disabled' });
    const { verdict, decision } = assess(target, observations, MODELS, SETTINGS);
    const { analysis_details, ...rest } = sampleResult();
    const reasons = verdict.contributions.map((reason) => ({ ...reason, args: {} }));
    const details = { ...analysis_details, base_log_odds: verdict.baseLogOdds, reasons };
    const result = { ...rest, decision, malicious_probability: verdict.probability, analysis_details: details };
    expect(decision === 'allow' ? needsCaution(result) : decision).not.toBe(false);
  },
);

test('a link that is warned about or blocked needs no additional caution', () => {
  for (const decision of ['warn', 'block'] as const) {
    expect(needsCaution(resultOf(decision, 0.9, 'brand.name_in_subdomain', 3))).toBe(false);
  }
});
