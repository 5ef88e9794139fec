import type { BrandMatch } from '#src/core/knowledge/brands/brand-match.ts';
import type { Knowledge } from '#src/core/knowledge/index.ts';

/** Suffixes of old, under which a brand's own second site is likelier than an imitation. */
const CLASSIC: ReadonlySet<string> = new Set(['com', 'net', 'org']);

/**
 * How surely a host that is nothing but a brand's name imitates the brand, by its suffix, from 0 to 1. Set by counting such
 * sites of the training data, popular ones and the brands' own left out: phishing and benign 229 and 6 under cheap suffixes, 80
 * and 11 under other new ones, 32 and 3 under countries' that are sold to everybody, 54 and 10 under second levels, 28 and 7
 * under com, net and org, 56 and 46 under a country's, where a branch of the brand is as likely. Of ordinary words, 57 and 6
 * under cheap suffixes, and as many benign as phishing under the others.
 */
export function foreignSuffixValue(match: BrandMatch, suffix: string, knowledge: Knowledge): number {
  if (match.brand.isTaught) return 1;
  const { cheapSuffixes, genericCountrySuffixes, lureWords } = knowledge;
  const isLure = suffix.length > LONGEST_COUNTRY && lureWords.has(suffix);
  const isCheap = isLure || cheapSuffixes.has(suffix) || genericCountrySuffixes.has(suffix);
  const isNew = isCheap || (!suffix.includes('.') && suffix.length > 2 && !CLASSIC.has(suffix));
  if (match.weight === 'second_cause') {
    if (match.name.length <= SHORT) return isCheap && match.isProminent ? 0.7 : 0;
    // A suffix that is a lure itself (`discord.gifts`) says what the name is used for.
    return isLure && !cheapSuffixes.has(suffix) ? 0.8 : isCheap ? 0.6 : 0;
  }
  if (isNew || !isOwnSpelling(match)) return 1;
  if (suffix.includes('.')) return 0.6;
  return CLASSIC.has(suffix) ? 0.5 : 0.2;
}

/** Whether the brand itself has a domain by the name; others are its products, and misspellings that are listed. */
function isOwnSpelling({ brand, name }: BrandMatch): boolean {
  return brand.domains.some((domain) => domain.startsWith(`${name}.`));
}

/** Countries' suffixes, and com, net and org, are lures beside a name and none behind it. */
const LONGEST_COUNTRY = 3;

/** Names of so few letters are abbreviations of many things. */
const SHORT = 4;
