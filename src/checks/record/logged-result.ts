import type { CheckResult } from './check-result.ts';

/** What is left to say of a check whose record cannot be read. */
export interface UnreadResult
  extends Pick<CheckResult, 'url' | 'malicious_probability' | 'decision' | 'timestamp' | 'request_id'> {
  readonly analysis_details: null;
  /** Why, as the end of a sentence. */
  readonly unreadable: string;
}

/** A result as a log gives it back. */
export type KeptResult = CheckResult | UnreadResult;

/** Whether a record could not be read. */
export function isUnread(result: KeptResult): result is UnreadResult {
  return result.analysis_details === null;
}
