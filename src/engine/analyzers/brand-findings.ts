import type { BrandMatch } from '#src/core/knowledge/brands/brand-match.ts';
import type { Brand } from '#src/core/knowledge/brands/brands.ts';
import type { HostKind } from '#src/core/knowledge/hosts/host-kinds.ts';
import { hasFrontEnds } from '#src/core/knowledge/hosts/page-hosts.ts';
import type { Knowledge } from '#src/core/knowledge/index.ts';
import type { Host } from '#src/core/url/host.ts';
import type { Target } from '#src/core/url/target.ts';
import type { ArgsOf, OmitEach } from '#src/engine/reasons/reason.ts';
import type { Feature } from './analyzer.ts';

/** This many digits in a host are a serial number, not a name. */
const MANY_DIGITS = 5;

/**
 * Code hosts, help desks and content networks: they also carry the brands' own projects, and thousands named after
 * them.
 */
const USED_BY_OWNERS: ReadonlySet<HostKind> = new Set(['code', 'mail_tool', 'cdn']);

/** Minimum length of a lure; shorter words (`com`, `get`, `my`) are everywhere. */
const MIN_LURE = 4;

/** Evidence beside the name itself that a brand is imitated, in the terms of a host. */
type SecondCause = OmitEach<ArgsOf<'brand.common_word_with_cause'>, 'found' | 'domain' | 'brand'>;

/**
 * Returns the causes, the strongest first. `watched` marks a configured brand, and is never the only cause that is
 * named.
 */
function secondCauses(match: BrandMatch, target: Target, knowledge: Knowledge): readonly (SecondCause | 'watched')[] {
  const causes: (SecondCause | 'watched')[] = [];
  const lure = lureBeside(match, target, knowledge);
  if (lure !== null) causes.push({ kind: 'lure', lure });
  const { host } = target;
  if (knowledge.cheapSuffixes.has(host.suffix)) causes.push({ kind: 'suffix', suffix: host.suffix });
  const platform = knowledge.hostFact(host);
  if (platform && !USED_BY_OWNERS.has(platform.kind)) {
    causes.push({ kind: 'platform', platform: platform.domain });
  }
  if (match.part !== 'path' && host.text.replace(/\D+/g, '').length >= MANY_DIGITS)
    causes.push({ kind: 'serial_number' });
  if (isLikelyTarget(match)) causes.push('watched');
  return causes;
}

/**
 * Returns true for a configured brand, a likely target here. Ordinary words and paths, which others link to, are
 * excluded.
 */
function isLikelyTarget({ brand, part, weight }: BrandMatch): boolean {
  return brand.isConfigured && part !== 'path' && weight !== 'second_cause';
}

/** Returns a word such as login or verify in the host or at the start of the path, other than the name itself. */
function lureBeside(match: BrandMatch, { host, path }: Target, knowledge: Knowledge): string | null {
  const { text, suffix } = host;
  const names = suffix === '' ? text : text.slice(0, -suffix.length - 1);
  // For a name within a longer word, a sign-in path is no cause: honest sites have one as well.
  const isWithin = match.weight === 'second_cause' && (match.extent === 'edge' || match.extent === 'inside');
  const words = `${names} ${isWithin ? '' : path.slice(0, 100).toLowerCase()}`.split(/[^a-z]+/);
  for (const word of words) {
    if (word.length >= MIN_LURE && word !== match.matched && knowledge.lureWords.has(word)) return word;
    const rest = word.length > match.matched.length ? word.replace(match.matched, '') : word;
    if (rest !== word && rest.length >= MIN_LURE && knowledge.lureWords.has(rest)) return rest;
  }
  return null;
}

/** Words that sites about a brand put beside its name. */
const TOPIC_WORDS = new Set(
  'club collectors fan fans forum group history museum owners sucks users watch wiki'.split(' '),
);

/** Value of a name with one of {@link TOPIC_WORDS} beside it: low, not zero, since an attacker can add such a word. */
const ABOUT_BRAND_VALUE = 0.15;

/** Added to a misspelling for any other cause: low, since honest sites have sign-in paths as well. */
const CAUSE_BONUS = 0.15;

/** Features of brands in URLs, the surest first. */
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

/** One of {@link BRAND_FEATURES}. */
export type NamedBrandFeature = (typeof BRAND_FEATURES)[number];

/** A named brand, with the confidence that it is meant, in [0, 1]. */
export interface MeantBrand {
  readonly brand: Brand;
  readonly confidence: number;
}

/** Classification of a match. */
export interface BrandFinding extends MeantBrand {
  readonly feature: Feature<NamedBrandFeature>;
}

type Causes = ReturnType<typeof secondCauses>;

/** Creates a finding; adds the brand and its domain to the arguments. */
type MakeFinding = <Name extends NamedBrandFeature>(
  name: Name,
  value: number,
  args: OmitEach<ArgsOf<Name>, 'domain' | 'brand'>,
  confidence: number,
) => BrandFinding;

/**
 * Classifies one match; null if it proves nothing, such as a lone ordinary word or a name under a suffix of its own.
 */
export function classifyBrandMatch(match: BrandMatch, target: Target, knowledge: Knowledge): BrandFinding | null {
  const { brand, matched, part } = match;
  const owner = { domain: domainOf(brand, match.name), brand: brand.name };
  const finding: MakeFinding = (name, value, args, confidence) => ({
    brand,
    confidence,
    feature: { name, value, args: { ...args, ...owner } },
  });
  if (part === 'user') return finding('brand.name_before_at', 1, { found: matched }, 0.9);
  if (knowledge.hostFact(target.host)?.kind === 'cdn') return null;
  const causes = secondCauses(match, target, knowledge);
  if (part === 'path') return classifyPath(match, causes, finding);
  return classifySpelling(match, target, causes, finding) ?? classifyName(match, target, knowledge, causes, finding);
}

function classifyPath(match: BrandMatch, causes: Causes, finding: MakeFinding): BrandFinding | null {
  const isWord = match.weight === 'second_cause';
  const [cause] = causes;
  if (causes.length < (isWord ? 2 : 1) || !isNameable(cause) || cause.kind === 'serial_number') return null;
  const value = match.weight === 'anywhere' ? 1 : 0.4;
  return finding('brand.name_in_path', value, { ...cause, found: match.matched }, 0.4);
}

/** Classifies a look-alike or misspelled name, or a whole domain in the host. */
function classifySpelling(
  match: BrandMatch,
  target: Target,
  causes: Causes,
  finding: MakeFinding,
): BrandFinding | null {
  const { matched, likeness } = match;
  const spelt = domainInHost(match.brand, target.host);
  if (spelt !== null) {
    return finding('brand.domain_in_host', 1, { found: spelt, site: target.host.site }, 1);
  }
  if (likeness === 'homoglyph') {
    return finding('brand.look_alike', 1, { kind: 'scripts', found: matched }, 1);
  }
  if (likeness === 'exact') return null;
  if (likeness === 'typo') {
    const value = causes.length > 0 ? Math.min(1, match.confidence + CAUSE_BONUS) : match.confidence;
    if (value === 0) return null;
    return finding('brand.misspelling', value, { found: matched, name: match.name }, 0.7);
  }
  const value = match.weight === 'second_cause' && causes.length === 0 ? 0.7 : 1;
  return finding('brand.look_alike', value, { kind: 'ascii', found: matched, name: match.name }, value);
}

/** Classifies an exact name by its position. */
function classifyName(
  match: BrandMatch,
  target: Target,
  knowledge: Knowledge,
  causes: Causes,
  finding: MakeFinding,
): BrandFinding | null {
  const { matched, extent } = match;
  if (match.likeness !== 'exact') return null;
  const hasCause = causes.length > 0;
  const platform = knowledge.hostFact(target.host);
  const isAlone = extent === 'label' && match.part === 'site';
  if (isAlone && platform === null) return classifySuffix(match, target.host, knowledge, finding);
  if (match.weight === 'second_cause') {
    const value = Math.min(1, 0.5 * causes.length);
    const [cause] = causes;
    return isNameable(cause)
      ? finding('brand.common_word_with_cause', value, { ...cause, found: matched }, 0.5 + 0.3 * value)
      : null;
  }
  if (match.part === 'subdomain') {
    const isFrontEnd = !hasCause && hasFrontEnds(matched) && target.host.subdomain === matched;
    return finding('brand.name_in_subdomain', isFrontEnd ? ABOUT_BRAND_VALUE : 1, { found: matched }, 1);
  }
  // Anybody can buy a name there; in the training data 64 phishing sites and no benign one are a brand's name alone.
  if (isAlone && platform?.kind === 'reseller_suffix') {
    return finding('brand.other_suffix', 1, { found: matched, suffix: target.host.suffix }, 0.8);
  }
  if (platform) {
    return finding('brand.name_on_platform', hasCause ? 1 : 0.5, { found: matched, platform: platform.domain }, 0.9);
  }
  if (extent === 'inside' || extent === 'edge') {
    return finding('brand.name_inside_word', hasCause ? 1 : 0.5, { found: matched }, 0.7);
  }
  const value = hasCause ? 1 : isAbout(target.host) ? ABOUT_BRAND_VALUE : 0.6;
  return finding('brand.name_with_addition', value, { found: matched }, 0.9);
}

/** Classifies an exact name alone under a suffix that is not the brand's. */
function classifySuffix(
  match: BrandMatch,
  { suffix }: Host,
  knowledge: Knowledge,
  finding: MakeFinding,
): BrandFinding | null {
  const value = foreignSuffixValue(match, suffix, knowledge);
  return value === 0 ? null : finding('brand.other_suffix', value, { found: match.matched, suffix }, 0.8);
}

/** Returns true for a cause that can be named first; `watched` only adds to others. */
function isNameable(cause: Causes[number] | undefined): cause is SecondCause {
  return cause !== undefined && cause !== 'watched';
}

function isAbout({ text }: Host): boolean {
  return text.split(/[^a-z]+/).some((word) => TOPIC_WORDS.has(word));
}

/** Returns the brand's domain inside another host: `paypal.com.example`, `allegro.pl-offer.example`. */
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

/** Returns the domain to name: the one with the matched name, else the main one. */
function domainOf(brand: Brand, name: string): string {
  return brand.domains.find((own) => own.startsWith(`${name}.`) && !own.endsWith('*')) ?? brand.domains[0] ?? '';
}

/** Suffixes under which a brand's second site is likelier than an imitation. */
const CLASSIC: ReadonlySet<string> = new Set(['com', 'net', 'org']);

/**
 * Returns the likelihood that a host which is only a brand's name imitates the brand, by its suffix, in [0, 1]. Set by
 * counting such sites in the training data, without popular ones and the brands' own. Phishing and benign: 229 and 6
 * under cheap suffixes, 80 and 11 under other new ones, 32 and 3 under country suffixes sold to everybody, 54 and 10
 * under second levels, 28 and 7 under com, net and org, 56 and 46 under country suffixes, where a branch of the brand
 * is as likely. For ordinary words: 57 and 6 under cheap suffixes, as many benign as phishing under others.
 */
export function foreignSuffixValue(match: BrandMatch, suffix: string, knowledge: Knowledge): number {
  if (match.brand.isConfigured) return 1;
  const { cheapSuffixes, genericCountrySuffixes, lureWords } = knowledge;
  const isLure = suffix.length > LONGEST_COUNTRY && lureWords.has(suffix);
  const isCheap = isLure || cheapSuffixes.has(suffix) || genericCountrySuffixes.has(suffix);
  const isNew = isCheap || (!suffix.includes('.') && suffix.length > 2 && !CLASSIC.has(suffix));
  if (match.weight === 'second_cause') {
    if (match.name.length <= SHORT) return isCheap && knowledge.isProminent(match.brand) ? 0.7 : 0;
    // A suffix that is a lure itself (`discord.gifts`) shows the use of the name.
    return isLure && !cheapSuffixes.has(suffix) ? 0.9 : isCheap ? 0.6 : 0;
  }
  if (isNew || !isOwnSpelling(match)) return 1;
  if (suffix.includes('.')) return 0.6;
  return CLASSIC.has(suffix) ? 0.5 : 0.2;
}

/** Returns true if a domain of the brand has the name; otherwise it is a product or a listed misspelling. */
function isOwnSpelling({ brand, name }: BrandMatch): boolean {
  return brand.domains.some((domain) => domain.startsWith(`${name}.`));
}

/** Maximum length of country suffixes and of com, net and org, which are no lures as a suffix. */
const LONGEST_COUNTRY = 3;

/** Maximum length of a name that is likely an abbreviation of many things. */
const SHORT = 4;
