import type { LogFields } from '#src/core/base/logger.ts';
import type { CheckRecord } from './check-record.ts';
import { PROBED_COMPONENTS } from './describe-check.ts';
import type { LookupStatus } from './lookups.ts';

/**
 * Returns the logged event of a finished check, always with the same members. For a private check it contains the
 * outcome in codes, without the target.
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

/** Returns the status of each probe, in the words of the API. */
function outcomes(unavailable: CheckRecord['result']['analysis_details']['unavailable']): Record<string, LookupStatus> {
  const found: Record<string, LookupStatus> = {};
  for (const component of PROBED_COMPONENTS) found[component] = 'ok';
  for (const { component, reason } of unavailable) found[component] = reason;
  return found;
}

/** Returns the list that the strongest reason of a check names; null if it names none. */
export function decidingList({ result }: CheckRecord): string | null {
  const [strongest] = result.analysis_details.reasons;
  const list = strongest?.component === 'lists' ? strongest.args['list'] : null;
  return typeof list === 'string' ? list : null;
}
