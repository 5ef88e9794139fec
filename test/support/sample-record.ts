import { type CheckRecord, type DescribedCheck, recordCheck } from '#src/checks/record/check-record.ts';
import type { AnalysisDetails, CheckResult } from '#src/checks/record/check-result.ts';
import { describeHost, describeScores } from '#src/checks/record/describe-check.ts';
import { createRequestId } from '#src/core/base/request-id.ts';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';

/** What a test may want to choose about a record. */
export interface Sample extends Partial<Omit<DescribedCheck, 'result'>> {
  readonly url?: string;
  readonly atMs?: number;
  readonly result?: Partial<CheckResult>;
  readonly details?: Partial<AnalysisDetails>;
}

/** A valid record of a finished check, as a log takes it. */
export function sampleRecord(sample: Sample = {}): CheckRecord {
  return recordCheck(sampleCheck(sample)).record;
}

/** A finished check as the engine hands it over. */
export function sampleCheck(sample: Sample = {}): DescribedCheck {
  const url = sample.url ?? 'https://www.example.com/';
  const target = parseTarget(url);
  if (isTargetProblem(target)) throw new Error(`${url} ${target.message}`);
  const atMs = sample.atMs ?? Date.UTC(2026, 0, 31, 12);
  const probability = sample.result?.malicious_probability ?? 0.02;
  return {
    visibility: sample.visibility ?? 'public',
    host: target.host,
    ...(sample.decidingHost && { decidingHost: sample.decidingHost }),
    client: sample.client ?? null,
    result: {
      url,
      malicious_probability: probability,
      decision: 'allow',
      analysis_details: {
        probability,
        coverage: 'url_only',
        caution: false,
        html_available: false,
        status_code: 0,
        content_length: 0,
        analysis_time: 0.0123,
        individual_scores: describeScores({
          url: 0.4,
        }),
        dns_records: { status: 'disabled' },
        whois_info: { status: 'disabled' },
        cert_info: { status: 'disabled' },
        base_log_odds: -2.94,
        reasons: [
          {
            component: 'url',
            code: 'url.suffix',
            message: `The suffix of ${target.host.text} is common`,
            args: {},
            weight: -0.95,
          },
        ],
        unavailable: [{ component: 'page', reason: 'disabled' }],
        thresholds: { warn: 0.3, block: 0.8 },
        normalized_url: target.url,
        host_parts: describeHost(target.host),
        final_url: null,
        redirects: [],
        unwrapped_urls: [],
        brand: null,
        page: null,
        counterfactual: null,
        timings: { observe: 0, assess: 0.001 },
        model_version: 'test',
        counterfactual_reason: null,
        via: 'api',
        decided_by: null,
        render: null,
        ...sample.details,
      },
      timestamp: new Date(atMs).toISOString(),
      request_id: createRequestId(atMs),
      ...sample.result,
    },
  };
}
