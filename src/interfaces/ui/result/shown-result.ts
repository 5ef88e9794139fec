import type { AnalysisDetails, CheckResult } from '#src/checks/record/check-result.ts';
import { needsCaution } from '#src/checks/record/reasons/caution.ts';
import type { Coverage } from '#src/engine/fusion/assessment.ts';
import type { Mismatch } from '#src/engine/message/mismatch.ts';

/** A finished check and its visibility. */
export interface ShownResult {
  readonly result: CheckResult;
  /** Verifies a link to the result; null if unsigned. */
  readonly signature: string | null;
  /** Null if unknown, because it came with a link. */
  readonly isPrivate: boolean | null;
  /** Mismatch between the message and the link; null if there is none or the link came without a message. */
  readonly mismatch: Mismatch | null;
  /** True if the link was written so that its characters are read in another order. */
  readonly isReversed?: boolean | undefined;
}

/** The input of a verdict's display. */
export type ClassifiedResult = Pick<ShownResult, 'result' | 'mismatch' | 'isReversed'>;

/** Returns true if an allowed link needs caution, by a signal or by what the message says of it. */
export function cautionOf({ result, mismatch, isReversed }: ClassifiedResult): boolean {
  if (result.decision !== 'allow') return false;
  return mismatch !== null || isReversed === true || (result.analysis_details.caution ?? needsCaution(result));
}

/** Returns how much of the page was seen; derived if version 0.1 signed the result, which lacks the member. */
export function shownCoverage(details: AnalysisDetails): Coverage {
  const { coverage, html_available, status_code } = details as Partial<Pick<AnalysisDetails, 'coverage'>> &
    AnalysisDetails;
  return coverage ?? (html_available && status_code < 400 ? 'full' : 'url_only');
}
