import type { BrandMatch } from '#src/core/knowledge/brands/brand-match.ts';
import type { Brand } from '#src/core/knowledge/brands/brands.ts';
import type { Knowledge } from '#src/core/knowledge/index.ts';
import type { Host } from '#src/core/url/host.ts';
import type { Target } from '#src/core/url/target.ts';
import type { Feature } from './analyzer.ts';
import { secondCauses } from './brand-causes.ts';
import { foreignSuffixValue } from './brand-suffix.ts';

/** What sites that are about a brand, and do not pass for it, put beside its name. */
const WORDS_ABOUT = new Set(
  'club collectors fan fans forum group history museum owners sucks users watch wiki'.split(' '),
);

/** What a name with one of {@link WORDS_ABOUT} and nothing else beside it is worth: anybody can write such a word. */
const ABOUT_THE_BRAND = 0.15;

/** What anything else that points to the brand adds to a misspelling: a sign-in page of an honest site has a lure in its path. */
const WITH_CAUSE = 0.15;

/** What may be found of any brand, the surest first. */
export const BRAND_FEATURES = [
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

/** What a URL may show of a brand. */
export type NamedBrandFeature = (typeof BRAND_FEATURES)[number];

/** A brand that is named, and how surely it is meant, from 0 to 1. */
export interface MeantBrand {
  readonly brand: Brand;
  readonly confidence: number;
}

/** What a match means. */
export interface JudgedBrand extends MeantBrand {
  readonly feature: Feature<NamedBrandFeature>;
}

type Say = (name: NamedBrandFeature, value: number, message: string, confidence: number) => JudgedBrand;

/** Judges one match; null where it proves nothing, as a lone ordinary word or a name on a suffix of its own. */
export function judgeBrandMatch(match: BrandMatch, target: Target, knowledge: Knowledge): JudgedBrand | null {
  const { brand, found, part } = match;
  const owner = `${domainOf(brand, match.name)} is ${brand.name}'s domain`;
  const say: Say = (name, value, message, confidence) => ({
    brand,
    confidence,
    feature: { name, value, message: `${message}, but ${owner}` },
  });
  if (part === 'user') return say('brand.name_before_at', 1, `“${found}” stands before an @`, 0.9);
  if (knowledge.hostFact(target.host)?.kind === 'cdn') return null;
  const causes = secondCauses(match, target, knowledge);
  if (part === 'path') return judgePath(match, causes, say);
  return judgeSpelling(match, target, causes, say) ?? judgeName(match, target, knowledge, causes, say);
}

function judgePath(match: BrandMatch, causes: readonly string[], say: Say): JudgedBrand | null {
  const isWord = match.weight === 'second_cause';
  if (causes.length < (isWord ? 2 : 1)) return null;
  const value = match.weight === 'anywhere' ? 1 : 0.4;
  return say('brand.name_in_path', value, `the path names “${match.found}” and ${causes[0]}`, 0.4);
}

/** What passes for a name, or spells out a whole domain. */
function judgeSpelling(match: BrandMatch, target: Target, causes: readonly string[], say: Say): JudgedBrand | null {
  const { found, likeness } = match;
  const spelt = domainInHost(match.brand, target.host);
  if (spelt !== null) {
    return say('brand.domain_in_host', 1, `the host contains “${spelt}” and belongs to ${target.host.site}`, 1);
  }
  if (likeness === 'homoglyph') {
    return say('brand.look_alike', 1, `the host writes “${found}” in letters of other scripts`, 1);
  }
  if (likeness === 'exact') return null;
  if (likeness === 'typo') {
    const value = causes.length > 0 ? Math.min(1, match.sureness + WITH_CAUSE) : match.sureness;
    if (value === 0) return null;
    return say('brand.misspelling', value, `“${found}” is nearly “${match.name}”`, 0.7);
  }
  const value = match.weight === 'second_cause' && causes.length === 0 ? 0.7 : 1;
  return say('brand.look_alike', value, `“${found}” looks like “${match.name}”`, value);
}

/** The name itself, by where it stands. */
function judgeName(
  match: BrandMatch,
  target: Target,
  knowledge: Knowledge,
  causes: readonly string[],
  say: Say,
): JudgedBrand | null {
  const { found, extent } = match;
  if (match.likeness !== 'exact') return null;
  const hasCause = causes.length > 0;
  const platform = knowledge.hostFact(target.host);
  const isAlone = extent === 'label' && match.part === 'site' && platform === null;
  if (isAlone) return judgeSuffix(match, target.host, knowledge, say);
  if (match.weight === 'second_cause') {
    const value = Math.min(1, 0.5 * causes.length);
    if (!hasCause) return null;
    return say(
      'brand.common_word_with_cause',
      value,
      `the host contains “${found}” and ${causes[0]}`,
      0.5 + 0.3 * value,
    );
  }
  if (match.part === 'subdomain') return say('brand.name_in_subdomain', 1, `the host contains “${found}”`, 1);
  if (platform) {
    const message = `“${found}” stands under ${platform.domain}, where anyone can publish`;
    return say('brand.name_on_platform', hasCause ? 1 : 0.5, message, 0.9);
  }
  if (extent === 'inside' || extent === 'edge') {
    return say('brand.name_inside_word', hasCause ? 1 : 0.5, `the host contains “${found}”`, 0.7);
  }
  const value = hasCause ? 1 : isAbout(target.host) ? ABOUT_THE_BRAND : 0.6;
  return say('brand.name_with_addition', value, `the host adds to “${found}”`, 0.9);
}

/** Nothing but the name, under a suffix that is not the brand's. */
function judgeSuffix(match: BrandMatch, { suffix }: Host, knowledge: Knowledge, say: Say): JudgedBrand | null {
  const value = foreignSuffixValue(match, suffix, knowledge);
  return value === 0 ? null : say('brand.other_suffix', value, `“${match.found}” stands under .${suffix}`, 0.8);
}

function isAbout({ text }: Host): boolean {
  return text.split(/[^a-z]+/).some((word) => WORDS_ABOUT.has(word));
}

/** The brand's domain as it stands in somebody else's host: `paypal.com.example`, `allegro.pl-offer.example`. */
function domainInHost(brand: Brand, { text, site }: Host): string | null {
  for (const domain of brand.domains) {
    const at = domain.endsWith('*') ? -1 : text.indexOf(domain);
    if (at === -1 || at >= text.length - site.length) continue;
    const before = at === 0 ? '.' : text[at - 1];
    const after = text[at + domain.length];
    if ((before === '.' || before === '-') && (after === '.' || after === '-')) return domain;
  }
  return null;
}

/** The domain to name: the one that bears the name that was meant, else the main one. */
function domainOf(brand: Brand, name: string): string {
  return brand.domains.find((own) => own.startsWith(`${name}.`) && !own.endsWith('*')) ?? brand.domains[0] ?? '';
}
