import type { Brand } from '#src/knowledge/brands.ts';
import type { Knowledge } from '#src/knowledge/index.ts';
import type { Host } from '#src/url/host.ts';
import type { Target } from '#src/url/target.ts';
import type { Analyzer } from './analyzer.ts';
import { BRAND_FEATURES, type BrandFeature, type JudgedBrand, judgeBrandMatch } from './brand-judge.ts';

/** What the brand analyzer looks at. */
export interface BrandSubject {
  readonly target: Target;
  /** Whose name stands in it. */
  readonly brands: BrandReading;
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

/**
 * A brand's name, or what passes for it, away from the brand's own domains. At most one feature speaks for the host, one
 * for the path where the host says nothing, and one for what stands before an @. Popular sites and the brands' own
 * domains are clean, a short name or an ordinary word counts only with a second cause.
 */
export const brandAnalyzer: Analyzer<'brand', BrandSubject, BrandFeature> = {
  component: 'brand',
  features: BRAND_FEATURES,
  analyze({ target, brands: { owner, findings } }) {
    if (owner) {
      const message = `${target.host.site} is ${owner.name}'s own domain`;
      return { features: [{ name: 'brand.own_domain', value: 1, message }], terms: [] };
    }
    return { features: findings.map(({ feature }) => feature), terms: [] };
  },
};

/** A brand that is named, and how surely it is meant, from 0 to 1. */
export interface MeantBrand {
  readonly brand: Brand;
  readonly confidence: number;
}

/** The brand that a URL names, surely so on its own domain; null where it names none. */
export function brandOf({ owner, findings }: BrandReading): MeantBrand | null {
  return owner ? { brand: owner, confidence: 1 } : (findings[0] ?? null);
}

function judgeMatches(target: Target, knowledge: Knowledge): readonly JudgedBrand[] {
  const matches = knowledge.brandMatcher.find(target);
  if (matches.length === 0) return [];
  const judged = new Map<string, JudgedBrand>();
  const isPopular = knowledge.popularityOf(target) !== null;
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

function rank({ feature }: JudgedBrand): number {
  return BRAND_FEATURES.indexOf(feature.name);
}

function ownerOf(host: Host, knowledge: Knowledge): Brand | null {
  // What strangers publish on a brand's host (a form, a document) is not the brand's.
  return knowledge.hostFact(host) ? null : (knowledge.brands.ownersOf(host)[0] ?? null);
}
