import type { AnalysisDetails } from '#src/checks/record/check-result.ts';
import type { SentenceKey } from '../languages/language.ts';
import type { Speaker } from '../languages/speak.ts';
import { shownCoverage } from './verdict-state.ts';

/**
 * Returns sentences on how complete the basis of a verdict is. The operator's lists are left out, and not every link
 * has all sources.
 */
export function completenessOf(details: AnalysisDetails): SentenceKey[] {
  const { unavailable, reasons } = details;
  const isCut = reasons.some(({ code }) => code === 'page.not_seen_whole');
  const isPartial = unavailable.some(
    ({ component, reason }) => component !== 'lists' && reason !== 'not_applicable' && reason !== 'disabled',
  );
  return [...(isCut ? (['advice.cut'] as const) : []), ...(isPartial ? (['advice.partly'] as const) : [])];
}

/** Returns true if nothing was to be looked up at all, which is how some services are meant to be. */
export function isLinkAlone({ unavailable }: AnalysisDetails): boolean {
  const off = unavailable.filter(({ component, reason }) => component !== 'lists' && reason === 'disabled');
  return off.length === LOOK_UPS;
}

/** Page, name, registration and certificate. */
const LOOK_UPS = 4;

/** Returns why a page was not or only partly seen, as a part of a sentence; null if it was seen. */
export function whyUnseen(details: AnalysisDetails, say: Speaker): string | null {
  const coverage = shownCoverage(details);
  if (coverage === 'full') return null;
  if (coverage === 'partial') return say('unseen.partial');
  const reason = details.unavailable.find(({ component }) => component === 'page')?.reason;
  if (reason !== undefined && Object.hasOwn(REASONS, reason)) return say(REASONS[reason] ?? 'unseen.error');
  return details.status_code >= 400 ? say('unseen.status', { status: details.status_code }) : say('unseen.error');
}

const REASONS: Readonly<Record<string, SentenceKey>> = {
  disabled: 'unseen.disabled',
  not_found: 'unseen.not_found',
  timeout: 'unseen.timeout',
  unreachable: 'unseen.unreachable',
  refused_by_policy: 'unseen.refused_by_policy',
};
