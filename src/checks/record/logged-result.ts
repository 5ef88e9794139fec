import type { CheckResult } from './check-result.ts';

/** A check whose record cannot be read. */
export interface UnreadableResult
  extends Pick<CheckResult, 'url' | 'malicious_probability' | 'decision' | 'timestamp' | 'request_id'> {
  readonly analysis_details: null;
  /** Why it cannot be read, as the end of a sentence. */
  readonly unreadable: string;
}

/** A result read from a log. */
export type LoggedResult = CheckResult | UnreadableResult;

/** Returns true if the record could not be read. */
export function isUnreadable(result: LoggedResult): result is UnreadableResult {
  return result.analysis_details === null;
}
