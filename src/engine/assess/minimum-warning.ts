import { readBrands } from '#src/engine/analyzers/brand.ts';
import { isAtHome, type OwnBrand } from '#src/engine/analyzers/page/configured-brand.ts';
import { logOddsOf } from '#src/core/base/log-odds.ts';
import type { Thresholds } from '#src/engine/fusion/decide.ts';
import { type Verdict, withMore } from '#src/engine/fusion/fuse.ts';
import type { Knowledge } from '#src/core/knowledge/index.ts';
import type { Observations } from '#src/network/probes/observations.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';

/** What a visit is known by. */
export interface VisitSubject {
  readonly target: Target;
  readonly observations: Pick<Observations, 'page'>;
  readonly knowledge: Knowledge;
  readonly models: { readonly ownBrands: readonly OwnBrand[] };
}

/** Reasons for which a page is never allowed: next to nothing of it was read, and the rest may ask for anything. */
const TOO_LITTLE: ReadonlySet<string> = new Set(['page.too_little_read', 'page.padded']);

/** Above the threshold by as much as rounding may take, in log-odds. */
const MARGIN = 1e-9;

/**
 * The verdict on a page of which too little was read to allow it: at least a warning, unless the site is known to be good.
 * The reason that says so gets the weight that is missing, so that the reasons still add up.
 */
export function withLeastWarning(verdict: Verdict, subject: VisitSubject, { warn }: Thresholds): Verdict {
  const reason = verdict.contributions.find(({ code }) => TOO_LITTLE.has(code));
  const missing = logOddsOf(warn) + MARGIN - verdict.logOdds;
  if (reason === undefined || missing <= 0 || isKnownGood(verdict, subject)) return verdict;
  return withMore(verdict, reason, missing);
}

/** Whether the site on which the visit ended is popular, a brand's own, or on a list that allows. */
function isKnownGood(verdict: Verdict, { target, observations: { page }, knowledge, models }: VisitSubject): boolean {
  if (verdict.contributions.some(({ component, weight }) => component === 'lists' && weight < 0)) return true;
  const landed = page.state === 'observed' ? parseTarget(page.value.finalUrl) : target;
  if (isTargetProblem(landed)) return false;
  return (
    knowledge.popularityOf(landed) !== null ||
    readBrands(landed, knowledge).owner !== null ||
    models.ownBrands.some((brand) => isAtHome(brand, landed.host))
  );
}
