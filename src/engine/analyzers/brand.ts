import type { Brand } from '#src/core/knowledge/brands/brands.ts';
import type { Knowledge } from '#src/core/knowledge/index.ts';
import type { Observations } from '#src/network/probes/observations.ts';
import type { Host } from '#src/core/url/host.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';
import type { Analyzer, Feature } from './analyzer.ts';
import {
  BRAND_FEATURES,
  type JudgedBrand,
  judgeBrandMatch,
  type MeantBrand,
  type NamedBrandFeature,
} from './brand-judge.ts';
import { ownBrandImitated } from './own-brand-imitated.ts';
import type { JudgedPage } from './page.ts';

/** The name of a feature that the brand analyzer may emit. */
export type BrandFeature = NamedBrandFeature | 'brand.taught_domain' | 'brand.taught_imitated';

/** What the brand analyzer looks at. */
export interface BrandSubject {
  readonly target: Target;
  /** Whose name stands in it. */
  readonly brands: BrandReading;
  readonly knowledge: Knowledge;
  readonly observations: Pick<Observations, 'page'>;
  /** The page as judged; null where none was read. */
  readonly page: JudgedPage | null;
}

/** Whose name stands in a URL. */
export interface BrandReading {
  /** The brand whose own domain it is; null where it is no brand's. */
  readonly owner: Brand | null;
  /** The strongest finding of each part, host first; none on a brand's own domain. */
  readonly findings: readonly JudgedBrand[];
}

/** Looks for brands in a URL, once for its evidence and for the name that it claims. */
export function readBrands(target: Target, knowledge: Knowledge): BrandReading {
  const owner = ownerOf(target.host, knowledge);
  return { owner, findings: owner ? [] : judgeMatches(target, knowledge) };
}

/** What is left of the word for a domain that the operator taught where it leads to a stranger's page. */
const LED_AWAY = 0.4;

/**
 * A brand's name, or what passes for it, away from the brand's own domains. At most one feature speaks for the host, one
 * for the path where the host says nothing, and one for what stands before an @. Popular sites and the brands' own
 * domains are clean, a short name or an ordinary word counts only with a second cause. What the operator taught counts
 * once more, for its own domains as for what imitates it.
 */
export const brandAnalyzer: Analyzer<'brand', BrandSubject, BrandFeature> = {
  component: 'brand',
  features: [...BRAND_FEATURES, 'brand.taught_domain', 'brand.taught_imitated'],
  analyze(subject) {
    const { owner, findings } = subject.brands;
    const features: Feature<BrandFeature>[] = owner
      ? ofOwnDomain(owner, subject)
      : findings.map(({ feature }) => feature);
    const imitated = ownBrandImitated(findings, subject.page);
    if (imitated !== null) features.push(imitated);
    return { features, terms: [] };
  },
};

function ofOwnDomain(owner: Brand, { target, knowledge, observations }: BrandSubject): Feature<BrandFeature>[] {
  const message = `${target.host.site} is ${owner.name}'s own domain`;
  const own = { name: 'brand.own_domain', value: 1, message } as const;
  if (!owner.isTaught) return [own];
  const { page } = observations;
  const landed = page.state === 'observed' ? parseTarget(page.value.finalUrl) : target;
  const isAway = isTargetProblem(landed) || !knowledge.brands.ownersOf(landed.host).includes(owner);
  const value = isAway ? LED_AWAY : 1;
  return [{ name: 'brand.taught_domain', value, message: `this box was taught that ${message}` }, own];
}

/** The brand that a URL names, surely so on its own domain; null where it names none. */
export function brandOf({ owner, findings }: BrandReading): MeantBrand | null {
  return owner ? { brand: owner, confidence: 1 } : (findings[0] ?? null);
}

function judgeMatches(target: Target, knowledge: Knowledge): readonly JudgedBrand[] {
  const matches = knowledge.brandMatcher.find(target);
  if (matches.length === 0) return [];
  const judged = new Map<string, JudgedBrand>();
  const isPopular = knowledge.popularityOf(target) !== null || knowledge.isTracker(target.host);
  for (const match of matches) {
    const part = match.part === 'path' || match.part === 'user' ? match.part : 'host';
    if (isPopular && part !== 'user') continue;
    const finding = judgeBrandMatch(match, target, knowledge);
    const known = judged.get(part);
    if (finding && (!known || rank(finding) < rank(known))) judged.set(part, finding);
  }
  if (judged.has('host')) judged.delete('path');
  return [...judged.values()];
}

/** The surest first, those of the operator's own brands before all others. */
function rank({ brand, feature }: JudgedBrand): number {
  return BRAND_FEATURES.indexOf(feature.name) - (brand.isTaught ? BRAND_FEATURES.length : 0);
}

function ownerOf(host: Host, knowledge: Knowledge): Brand | null {
  const owner = knowledge.brands.ownersOf(host)[0] ?? null;
  // What strangers publish on a brand's host (a form, a document) is not the brand's; what the operator named is.
  return owner?.isTaught || !knowledge.hostFact(host) ? owner : null;
}
