import type { AnalysisDetails } from '#src/checks/record/check-result.ts';
import type { Look } from '../elements/look.ts';
import { type ClassifiedResult, cautionOf, shownCoverage } from './shown-result.ts';

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
