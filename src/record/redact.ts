import type { Visibility } from './check-record.ts';
import type { CheckResult } from './check-result.ts';

/** A result as its log may keep it. */
export function redactResult(result: CheckResult, _visibility: Visibility): CheckResult {
  return { ...result, url: result.analysis_details.normalized_url };
}
