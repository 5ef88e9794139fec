import type { Brand } from '#src/core/knowledge/brands/brands.ts';
import { forwarderOf, writtenByService } from '#src/core/knowledge/hosts/forwarding/forwarders.ts';
import type { Knowledge } from '#src/core/knowledge/index.ts';
import type { Host } from '#src/core/url/host.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';
import type { ArgsOf } from '#src/engine/reasons/reason.ts';
import type { Observations } from '#src/network/probes/observations.ts';
import { type Analyzer, type Feature, feature } from './analyzer.ts';
import {
  BRAND_FEATURES,
  type BrandFinding,
  classifyBrandMatch,
  type MeantBrand,
  type NamedBrandFeature,
} from './brand-findings.ts';
import type { AnalyzedPage } from './page.ts';

/** Name of a feature of the brand analyzer. */
export type BrandFeature = NamedBrandFeature | 'brand.taught_domain' | 'brand.taught_imitated';

/** Input of the brand analyzer. */
export interface BrandSubject {
  readonly target: Target;
  /** Brands named in the URL. */
  readonly brands: BrandReading;
  readonly knowledge: Knowledge;
  readonly observations: Pick<Observations, 'page'>;
  /** The page as analyzed; null if none was read. */
  readonly page: AnalyzedPage | null;
}

/** Brands named in a URL. */
export interface BrandReading {
  /** Brand on whose own domain the URL is; null if none. */
  readonly owner: Brand | null;
  /** Strongest finding of each part, host first; empty on a brand's own domain. */
  readonly findings: readonly BrandFinding[];
}

/** Finds brands in a URL, once for the evidence and for the claimed brand. */
export function readBrands(target: Target, knowledge: Knowledge): BrandReading {
  const owner = ownerOf(target.host, knowledge);
  return { owner, findings: owner ? [] : classifyMatches(target, knowledge) };
}

/** Factor on the feature of a configured domain if it leads to a page of a third party. */
const LED_AWAY_FACTOR = 0.4;

/**
 * Finds a brand's name, or a likeness of it, outside the brand's own domains. At most one feature is for the host, one
 * for the path if there is none for the host, and one for the text before an @. Popular sites and the brands' own
 * domains have none; a short name or an ordinary word counts only with a second cause. Configured brands have
 * additional features for their domains and for imitations.
 */
export const brandAnalyzer: Analyzer<'brand', BrandSubject, BrandFeature> = {
  component: 'brand',
  features: [...BRAND_FEATURES, 'brand.taught_domain', 'brand.taught_imitated'],
  analyze(subject) {
    const { owner, findings } = subject.brands;
    const features: Feature<BrandFeature>[] = owner
      ? ownDomainFeatures(owner, subject)
      : findings.map((finding) => finding.feature);
    const imitated = configuredBrandImitated(findings, subject.page);
    if (imitated !== null) features.push(imitated);
    return { features, terms: [] };
  },
};

function ownDomainFeatures(owner: Brand, { target, knowledge, observations }: BrandSubject): Feature<BrandFeature>[] {
  const args = { site: target.host.site, brand: owner.name };
  const own = feature('brand.own_domain', 1, args);
  if (!owner.isConfigured) return [own];
  const { page } = observations;
  const landed = page.state === 'observed' ? parseTarget(page.value.finalUrl) : target;
  const isAway = isTargetProblem(landed) || !knowledge.brands.ownersOf(landed.host).includes(owner);
  return [feature('brand.taught_domain', isAway ? LED_AWAY_FACTOR : 1, args), own];
}

/** Returns the brand that a URL names, with confidence 1 on its own domain; null if it names none. */
export function brandOf({ owner, findings }: BrandReading): MeantBrand | null {
  return owner ? { brand: owner, confidence: 1 } : (findings[0] ?? null);
}

function classifyMatches(target: Target, knowledge: Knowledge): readonly BrandFinding[] {
  const matches = knowledge.brandMatcher.find(target);
  if (matches.length === 0) return [];
  const byPart = new Map<string, BrandFinding>();
  const written = writtenByService(target);
  const isPathWritten = forwarderOf(target.host.text, target.path) !== null || written !== null;
  // A mail service names the accounts of people with a free mailbox after the provider.
  const chosen = written?.chosen ?? target;
  const shown = chosen.host.text === target.host.text ? matches : knowledge.brandMatcher.find(chosen);
  const isPopular = knowledge.popularityOf(target) !== null || knowledge.isTracker(target.host);
  for (const match of shown) {
    const part = match.part === 'path' || match.part === 'user' ? match.part : 'host';
    if ((isPopular && part !== 'user') || (isPathWritten && part === 'path')) continue;
    const finding = classifyBrandMatch(match, target, knowledge);
    const known = byPart.get(part);
    if (finding && (!known || rank(finding) < rank(known))) byPart.set(part, finding);
  }
  if (byPart.has('host')) byPart.delete('path');
  return [...byPart.values()];
}

/** Returns a sort key: the surest finding first, findings of configured brands before all others. */
function rank({ brand, feature: { name } }: BrandFinding): number {
  return BRAND_FEATURES.indexOf(name) - (brand.isConfigured ? BRAND_FEATURES.length : 0);
}

function ownerOf(host: Host, knowledge: Knowledge): Brand | null {
  const owner = knowledge.brands.ownersOf(host)[0] ?? null;
  // Third-party content on a brand's host (a form, a document) is not the brand's; a configured domain is.
  return owner?.isConfigured || !knowledge.hostFact(host) ? owner : null;
}

/** Likelihood that each feature is an imitation of the brand. Set by hand. */
const SURENESS: Readonly<Record<NamedBrandFeature, number>> = {
  'brand.own_domain': 0,
  'brand.domain_in_host': 1,
  'brand.look_alike': 1,
  'brand.name_in_subdomain': 1,
  'brand.name_with_addition': 1,
  'brand.name_on_platform': 1,
  'brand.name_inside_word': 0.8,
  'brand.misspelling': 1,
  'brand.common_word_with_cause': 0.8,
  'brand.other_suffix': 0.9,
  'brand.name_in_path': 0.3,
  'brand.name_before_at': 1,
};

/** Returns the additional feature for an imitation of a configured brand, which is the likely target here. */
function configuredBrandImitated(
  findings: readonly BrandFinding[],
  page: AnalyzedPage | null,
): Feature<'brand.taught_imitated'> | null {
  let value = 0;
  let args: ArgsOf<'brand.taught_imitated'> = { kind: 'page' };
  for (const { brand, feature: found } of findings) {
    const sureness = brand.isConfigured ? SURENESS[found.name] * found.value : 0;
    if (sureness > value) [value, args] = [sureness, { kind: 'name', brand: brand.name }];
  }
  const clone = page?.evidence.features.find(({ name }) => name === 'page.own_brand_clone');
  if (clone !== undefined && clone.value > value) {
    [value, args] = [clone.value, { kind: 'page' }];
  }
  return value === 0 ? null : feature('brand.taught_imitated', value, args);
}
