import type { AnalysisDetails, CheckResult } from '#src/checks/record/check-result.ts';
import { needsCaution } from '#src/checks/record/reasons/caution.ts';
import type { Coverage } from '#src/engine/fusion/assessment.ts';
import type { Mismatch } from '#src/engine/message/mismatch.ts';

/** A finished check and where it was kept. */
export interface ShownResult {
  readonly result: CheckResult;
  /** By which a link to it is verified; null where there is none. */
  readonly signature: string | null;
  /** Null where that is not known: it came with a link. */
  readonly isPrivate: boolean | null;
  /** What the message said of the link that is not so; null where it said nothing, or the link came without one. */
  readonly mismatch: Mismatch | null;
  /** True if the link was written so that its characters are read in another order. */
  readonly isReversed?: boolean | undefined;
}

/** What a verdict is shown by. */
export type ClassifiedResult = Pick<ShownResult, 'result' | 'mismatch' | 'isReversed'>;

/** Returns true if an allowed link needs caution, by a signal or by what the message says of it. */
export function cautionOf({ result, mismatch, isReversed }: ClassifiedResult): boolean {
  if (result.decision !== 'allow') return false;
  return mismatch !== null || isReversed === true || (result.analysis_details.caution ?? needsCaution(result));
}

/** How much of the page was seen; derived for a result that version 0.1 signed, which does not say. */
export function shownCoverage(details: AnalysisDetails): Coverage {
  const { coverage, html_available, status_code } = details as Partial<Pick<AnalysisDetails, 'coverage'>> &
    AnalysisDetails;
  return coverage ?? (html_available && status_code < 400 ? 'full' : 'url_only');
}
