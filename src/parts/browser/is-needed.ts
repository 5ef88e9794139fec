import { coverageOf } from '#src/engine/assess/coverage.ts';
import type { FieldKind } from '#src/network/html/document.ts';
import type { PageVisit } from '#src/network/probes/page-visit.ts';

/** Values of `browser_when`. */
export type BrowserWhen = 'unseen' | 'always' | 'never';

/** Fields for what nobody gives away. */
const SECRETS: ReadonlySet<FieldKind> = new Set<FieldKind>([
  ...(['password', 'card_number', 'card_code', 'one_time_code', 'seed_phrase'] as const),
  ...(['identity_number', 'bank_account'] as const),
]);

/** Statuses of an answer that no browser makes a page of. */
const NOT_THERE: ReadonlySet<number> = new Set([404, 410]);

/**
 * Returns if a browser may see more than a visit without scripts saw. `yes`: the page was not seen in full, or it leads to
 * what was not fetched, or it has scripts and asks for secrets. `maybe`: it has scripts that were not read, as most pages
 * have, which can replace all of it.
 */
export function isBrowserNeeded(when: BrowserWhen, visit: PageVisit): 'yes' | 'maybe' | 'no' {
  if (when !== 'unseen') return when === 'always' ? 'yes' : 'no';
  const { document, statusCode, exits, stopped } = visit;
  if (NOT_THERE.has(statusCode)) return 'no';
  // A file: a browser saves it.
  if (document === null && statusCode < 400 && stopped === null) return 'no';
  if (coverageOf({ page: { state: 'observed', value: visit, elapsedMs: 0 } }, false) !== 'full') return 'yes';
  if (exits.some(({ how }) => how !== 'link')) return 'yes';
  const { inlineCount = 0, externalCount = 0 } = document?.scripts ?? {};
  const asksForSecrets = document?.forms.some(({ fields }) => fields.some(({ kind }) => SECRETS.has(kind))) ?? false;
  if (asksForSecrets && inlineCount + externalCount > 0) return 'yes';
  return externalCount > 0 ? 'maybe' : 'no';
}
