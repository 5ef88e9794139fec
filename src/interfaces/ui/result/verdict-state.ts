import type { AnalysisDetails, CheckResult } from '#src/checks/record/check-result.ts';
import { needsCaution } from '#src/checks/record/reasons/caution.ts';
import type { Coverage } from '#src/engine/fusion/fuse.ts';
import type { Mismatch } from '#src/engine/message/mismatch.ts';
import type { Look } from '../elements/look.ts';

/**
 * State of a result. Of allowed links, `allow`: the page was read and nothing speaks against it; `unseen`: an ordinary
 * link whose page was not to be visited; `unreadable`: the page could not be read; `target`: the link leads to an
 * unknown page; `listed`: a list of the operator allows it; `caution`: a signal needs attention.
 */
export type VerdictState = Look | 'target' | 'unreadable' | 'listed';

/** Reasons by which the target of a link is unknown. */
const TARGET_UNKNOWN: readonly string[] = ['redirects.end_unseen', 'redirects.not_followed'];

/** Reasons by which a page was not seen although it was visited. */
const UNREADABLE: readonly string[] = [
  'page.drawn_by_script',
  'page.unread_frame',
  'page.unread_document',
  'page.unread_picture',
  'page.too_little_read',
  'page.not_seen_whole',
];

/** Reasons by which a list of the operator allows a link. */
const LISTED: readonly string[] = ['lists.allowed', 'lists.kept_allowed'];

/** Returns what a result says: a signal or the message comes before what was not seen. */
export function stateOf(shown: ClassifiedResult): VerdictState {
  const { decision, analysis_details: details } = shown.result;
  if (decision !== 'allow') return decision;
  const isContradicted = shown.mismatch !== null || shown.isReversed === true;
  if (!isContradicted && details.reasons.some(({ code }) => LISTED.includes(code))) return 'listed';
  if (cautionOf(shown)) return isContradicted ? 'caution' : unseenStateOf(details);
  if (shownCoverage(details) === 'full') return 'allow';
  return coverageWord(details) === 'none' ? 'unseen' : 'unreadable';
}

/** Names the state of a link with a signal: by the heaviest one, if it is that something was not seen. */
function unseenStateOf({ reasons }: AnalysisDetails): VerdictState {
  const [heaviest] = reasons.filter(({ weight }) => weight > 0).toSorted((a, b) => b.weight - a.weight);
  if (heaviest === undefined) return 'caution';
  if (TARGET_UNKNOWN.includes(heaviest.code)) return 'target';
  return UNREADABLE.includes(heaviest.code) ? 'unreadable' : 'caution';
}

/** Returns the look of a verdict; pages that should have been seen but were not look like `caution`. */
export function lookOf(shown: ClassifiedResult): Look {
  const state = stateOf(shown);
  if (state === 'target' || state === 'unreadable') return 'caution';
  if (state !== 'listed') return state;
  return shownCoverage(shown.result.analysis_details) === 'full' && !cautionOf(shown) ? 'allow' : 'unseen';
}

/** Returns how much of the page was read; `none` if it was not to be visited, `unread` if that failed. */
export function coverageWord(details: AnalysisDetails): 'full' | 'partial' | 'unread' | 'none' {
  const coverage = shownCoverage(details);
  if (coverage !== 'url_only') return coverage;
  const reason = details.unavailable.find(({ component }) => component === 'page')?.reason;
  return reason === 'disabled' || reason === 'not_applicable' ? 'none' : 'unread';
}

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
type ClassifiedResult = Pick<ShownResult, 'result' | 'mismatch' | 'isReversed'>;

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
