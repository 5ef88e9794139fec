import { jsonLine } from '#src/base/json-line.ts';
import type { CheckRecord } from './check-record.ts';

/**
 * The line that a service prints for each check, always with the same members. Of a private check it tells that it
 * happened and how it ended, but not of what.
 */
export function describeLine({ visibility, result }: CheckRecord): string {
  const { timestamp, request_id, malicious_probability, decision, analysis_details } = result;
  return jsonLine({
    event: 'check.done',
    timestamp,
    request_id,
    visibility,
    url: visibility === 'public' ? analysis_details.normalized_url : null,
    malicious_probability,
    decision,
    analysis_time: analysis_details.analysis_time,
  });
}
