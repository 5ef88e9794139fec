import type { BrandMatch } from '#src/knowledge/brand-match.ts';
import type { Brand } from '#src/knowledge/brands.ts';
import type { Knowledge } from '#src/knowledge/index.ts';
import type { Target } from '#src/url/target.ts';
import type { Analyzer, Feature } from './analyzer.ts';
import { secondCauses } from './brand-causes.ts';

/** What the brand analyzer looks at. */
export interface BrandSubject {
  readonly target: Target;
  readonly knowledge: Knowledge;
}

const FEATURES = [
  'brand.own_domain',
  'brand.domain_in_host',
  'brand.look_alike',
  'brand.name_in_subdomain',
  'brand.name_with_addition',
  'brand.name_on_platform',
  'brand.name_inside_word',
  'brand.misspelling',
  'brand.common_word_with_cause',
  'brand.other_suffix',
  'brand.name_in_path',
  'brand.name_before_at',
] as const;

type BrandFeature = (typeof FEATURES)[number];

/**
 * A brand's name, or what passes for it, away from the brand's own domains. At most one feature speaks for the host, one
 * for the path where the host says nothing, and one for what stands before an @. Popular sites and the brands' own
 * domains are clean, a short name or an ordinary word counts only with a second cause.
 */
export const brandAnalyzer: Analyzer<BrandSubject, BrandFeature> = {
  features: FEATURES,
  analyze({ target, knowledge }) {
    const owner = ownerOf(target, knowledge);
    if (owner)
      return { features: [feature('brand.own_domain', 1, `${target.site} is ${owner.name}'s own domain`)], terms: [] };
    const features = [...judgeMatches(target, knowledge).values()].map(({ feature }) => feature);
    return { features, terms: [] };
  },
};

/** The brand that a URL names. */
export interface NamedBrand {
  readonly name: string;
  /** From 0 to 1: how surely the URL means this brand; 1 on its own domain. */
  readonly confidence: number;
  /** The brand's own domains, the main one first, at most eight. */
  readonly domains: readonly string[];
}

const MAX_DOMAINS = 8;

/** The brand that a URL names, whether it is the brand's own or not; null where it names none. */
export function brandOf({ target, knowledge }: BrandSubject): NamedBrand | null {
  const owner = ownerOf(target, knowledge);
  if (owner) return { name: owner.name, confidence: 1, domains: ownDomains(owner) };
  const [judged] = judgeMatches(target, knowledge).values();
  return judged ? { name: judged.brand.name, confidence: judged.confidence, domains: ownDomains(judged.brand) } : null;
}

interface Judged {
  readonly brand: Brand;
  readonly feature: Feature<BrandFeature>;
  readonly confidence: number;
}

/** The strongest finding of each place, host first. */
function judgeMatches(target: Target, knowledge: Knowledge): ReadonlyMap<string, Judged> {
  const judged = new Map<string, Judged>();
  const isPopular = knowledge.popularityOf(target) !== null;
  for (const match of knowledge.brandMatcher.find(target)) {
    const place = match.place === 'path' || match.place === 'user' ? match.place : 'host';
    if (isPopular && place !== 'user') continue;
    const finding = judge(match, target, knowledge);
    const known = judged.get(place);
    if (finding && (!known || FEATURES.indexOf(finding.feature.name) < FEATURES.indexOf(known.feature.name))) {
      judged.set(place, finding);
    }
  }
  if (judged.has('host')) judged.delete('path');
  return judged;
}

function judge(match: BrandMatch, target: Target, knowledge: Knowledge): Judged | null {
  const { brand, found } = match;
  const domain =
    brand.domains.find((own) => own.startsWith(`${match.name}.`) && !own.endsWith('*')) ?? brand.domains[0];
  const owner = `${domain} is ${brand.name}'s domain`;
  const say = (name: BrandFeature, value: number, message: string, confidence = value): Judged => ({
    brand,
    confidence,
    feature: feature(name, value, `${message}, but ${owner}`),
  });
  if (match.place === 'user') return say('brand.name_before_at', 1, `“${found}” stands before an @`, 0.9);
  if (knowledge.hostFact(target)?.kind === 'cdn') return null;
  const causes = secondCauses(match, target, knowledge);
  if (match.place === 'path') return judgePath(match, causes, say);
  const spelt = domainInHost(brand, target);
  if (spelt !== null)
    return say('brand.domain_in_host', 1, `the host contains “${spelt}” and belongs to ${target.site}`, 1);
  if (match.likeness === 'homoglyph')
    return say('brand.look_alike', 1, `the host writes “${found}” in letters of other scripts`, 1);
  const isWord = match.weight === 'second_cause';
  if (isWord && causes.length === 0) return null;
  if (match.likeness === 'look_alike')
    return say('brand.look_alike', isWord ? 0.6 : 1, `“${found}” looks like “${match.name}”`);
  if (match.likeness === 'typo') {
    // Alone, a word that is nearly a name is mostly another word: as many ordinary sites have one as phishing sites.
    return causes.length === 0 ? null : say('brand.misspelling', 1, `“${found}” is nearly “${match.name}”`, 0.7);
  }
  if (isWord) {
    const value = Math.min(1, 0.5 * causes.length);
    return say(
      'brand.common_word_with_cause',
      value,
      `the host contains “${found}” and ${causes[0]}`,
      0.5 + 0.3 * value,
    );
  }
  if (match.place === 'subdomain') return say('brand.name_in_subdomain', 1, `the host contains “${found}”`);
  const platform = knowledge.hostFact(target);
  if (platform) {
    const value = causes.length > 0 ? 1 : 0.5;
    return say(
      'brand.name_on_platform',
      value,
      `“${found}” stands under ${platform.domain}, where anyone can publish`,
      0.9,
    );
  }
  if (match.extent === 'label') {
    return knowledge.cheapSuffixes.has(target.suffix)
      ? say('brand.other_suffix', 1, `“${found}” stands under .${target.suffix}`, 0.8)
      : null;
  }
  if (match.extent === 'inside' || match.extent === 'edge')
    return say('brand.name_inside_word', causes.length > 0 ? 1 : 0.5, `the host contains “${found}”`, 0.7);
  return say('brand.name_with_addition', causes.length > 0 ? 1 : 0.6, `the host adds to “${found}”`, 0.9);
}

function judgePath(
  match: BrandMatch,
  causes: readonly string[],
  say: (name: BrandFeature, value: number, message: string, confidence?: number) => Judged,
): Judged | null {
  if (causes.length === 0) return null;
  return say(
    'brand.name_in_path',
    match.weight === 'anywhere' ? 1 : 0.4,
    `the path names “${match.found}” and ${causes[0]}`,
    0.4,
  );
}

/** The brand's domain as it stands in a host that belongs to somebody else: `paypal.com.example`, `allegro.pl-offer.example`. */
function domainInHost(brand: Brand, target: Target): string | null {
  for (const domain of brand.domains) {
    if (domain.endsWith('*')) continue;
    const at = target.host.indexOf(domain);
    if (at === -1 || at >= target.host.length - target.site.length) continue;
    const before = at === 0 ? '.' : target.host[at - 1];
    const after = target.host[at + domain.length];
    if ((before === '.' || before === '-') && (after === '.' || after === '-')) return domain;
  }
  return null;
}

function ownerOf(target: Target, knowledge: Knowledge): Brand | null {
  // What strangers publish on a brand's host (a form, a document) is not the brand's.
  return knowledge.hostFact(target) ? null : (knowledge.brands.ownersOf(target)[0] ?? null);
}

function ownDomains(brand: Brand): string[] {
  return brand.domains.filter((domain) => !domain.endsWith('*')).slice(0, MAX_DOMAINS);
}

function feature(name: BrandFeature, value: number, message: string): Feature<BrandFeature> {
  return { name, value, message };
}
