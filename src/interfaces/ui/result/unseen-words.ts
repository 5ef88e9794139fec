import type { AnalysisDetails } from '#src/checks/record/check-result.ts';
import type { SentenceKey } from '../languages/language.ts';
import type { Speaker } from '../languages/speak.ts';
import { shownCoverage } from './shown-result.ts';

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
