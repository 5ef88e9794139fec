import type { AnalysisDetails } from '#src/checks/record/check-result.ts';
import type { SentenceKey } from '../languages/language.ts';

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
