import { type BrandReading, brandOf } from '#src/engine/analyzers/brand.ts';
import type { JudgedPage } from '#src/engine/analyzers/page.ts';
import type { BrandClaim } from '#src/engine/fusion/assessment.ts';

const MAX_DOMAINS = 8;

/** Which brand the URL or its page claims to be of, the surer of the two; null where neither claims one. */
export function brandIdentity(brands: BrandReading, page: JudgedPage | null): BrandClaim | null {
  const ofUrl = brandOf(brands);
  const ofPage = page?.claim ?? null;
  const surer = ofPage === null || (ofUrl !== null && ofUrl.confidence >= ofPage.confidence) ? ofUrl : ofPage;
  if (surer === null) return null;
  // A brand's table also holds patterns (`google.*`), which are no domains.
  const domains = surer.brand.domains.filter((domain) => !domain.endsWith('*')).slice(0, MAX_DOMAINS);
  return { name: surer.brand.name, confidence: surer.confidence, domains };
}
