import { coverageOf } from '#src/engine/assess/unseen-evidence.ts';
import { asksForSecret } from '#src/network/html/document.ts';
import type { PageVisit } from '#src/network/probes/page-visit.ts';

/** Values of `browser_when`. */
export type BrowserWhen = 'unseen' | 'always' | 'never';

/** Statuses of an answer that no browser makes a page of. */
const NOT_THERE: ReadonlySet<number> = new Set([404, 410]);

/**
 * Returns if a browser may see more than a visit without scripts saw. `yes`: the page was not seen in full, or it leads to
 * what was not fetched, or it asks for secrets and has scripts, or its look is to be compared. `maybe`: it has scripts that were not read, as most pages
 * have, which can replace all of it.
 */
export function isBrowserNeeded(when: BrowserWhen, visit: PageVisit, hasLooks = false): 'yes' | 'maybe' | 'no' {
  if (when !== 'unseen') return when === 'always' ? 'yes' : 'no';
  const { document, statusCode, exits, stopped } = visit;
  if (NOT_THERE.has(statusCode)) return 'no';
  // A file: a browser saves it.
  if (document === null && statusCode < 400 && stopped === null) return 'no';
  if (coverageOf({ page: { state: 'observed', value: visit, elapsedMs: 0 } }, false) !== 'full') return 'yes';
  if (exits.some(({ how }) => how !== 'link')) return 'yes';
  const { inlineCount = 0, externalCount = 0 } = document?.scripts ?? {};
  const isDoubtful = hasLooks || inlineCount + externalCount > 0;
  if (document !== null && isDoubtful && asksForSecret(document)) return 'yes';
  return externalCount > 0 ? 'maybe' : 'no';
}
