import type { LogFields } from '#src/core/base/logger.ts';
import type { CheckRecord } from './check-record.ts';
import { LOOKED_AT } from './describe-check.ts';
import type { LookupStatus } from './lookup-status.ts';

/**
 * What a service tells of each finished check, always with the same members. Of a private check it tells that it happened
 * and how it ended, in codes alone, but not of what.
 */
export function describeEvent({ visibility, result }: CheckRecord): LogFields {
  const { request_id, malicious_probability, decision, analysis_details: details } = result;
  return {
    request_id,
    visibility,
    url: visibility === 'public' ? details.normalized_url : null,
    malicious_probability,
    decision,
    coverage: details.coverage,
    caution: details.caution,
    top_reason: details.reasons[0]?.code ?? null,
    probes: outcomes(details.unavailable),
    analysis_time: details.analysis_time,
    model_version: details.model_version,
  };
}

/** What came of each look, by the words of the API. */
function outcomes(unavailable: CheckRecord['result']['analysis_details']['unavailable']): Record<string, LookupStatus> {
  const found: Record<string, LookupStatus> = {};
  for (const component of LOOKED_AT) found[component] = 'ok';
  for (const { component, reason } of unavailable) found[component] = reason;
  return found;
}
