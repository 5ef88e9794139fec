import { type BrandReading, brandOf } from '#src/analyzers/brand.ts';
import { pageBrandOf } from '#src/analyzers/page.ts';
import type { BrandClaim } from '#src/fusion/assessment.ts';
import type { Knowledge } from '#src/knowledge/index.ts';
import type { Observations } from '#src/probes/observations.ts';
import type { Target } from '#src/url/target.ts';

const MAX_DOMAINS = 8;

/** What brand identity is read from. */
export interface IdentitySubject {
  readonly target: Target;
  readonly observations: Observations;
  readonly knowledge: Knowledge;
  readonly brands: BrandReading;
}

/** Which brand the URL or its page claims to be of, the surer of the two; null where neither claims one. */
export function brandIdentity(subject: IdentitySubject): BrandClaim | null {
  const ofUrl = brandOf(subject);
  const ofPage = pageBrandOf(subject);
  if (ofPage === null || (ofUrl !== null && ofUrl.confidence >= ofPage.confidence)) return ofUrl;
  const { name, domains } = ofPage.brand;
  return { name, confidence: ofPage.confidence, domains: domains.slice(0, MAX_DOMAINS) };
}
