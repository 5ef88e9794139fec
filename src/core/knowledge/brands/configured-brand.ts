import { displayName } from '#src/core/url/confusable.ts';
import { chosenName, type Host, hostOf } from '#src/core/url/host.ts';
import { thinMarks } from '#src/core/url/read-url.ts';
import { LURE_WORDS } from '../words/lure-words.ts';
import type { Brand, BrandAlias } from './brands.ts';

/** A configured brand: its name and its own hosts, in canonical form. */
export interface ConfiguredBrandEntry {
  readonly name: string;
  /** Each includes what is under it. */
  readonly domains: readonly string[];
}

/** Facts that distinguish the name of a brand from a word. */
export interface ConfiguredBrandFacts {
  /** Returns true if a popular site bears the word as its name. */
  readonly isOrdinaryWord: (word: string) => boolean;
  /** Returns whether third parties publish under a host, whose own name is then not a brand's. */
  readonly isPlatform: (host: Host) => boolean;
}

/** Shorter names occur in other words by chance. */
const MIN_ANYWHERE = 6;
const MIN_APART = 4;

const UMLAUTS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss', æ: 'ae', ø: 'oe', å: 'aa' };

/**
 * The brand with the names that a host may imitate it by: its name, without its legal form too, and those of its
 * domains.
 */
export function brandFromConfiguration({ name, domains }: ConfiguredBrandEntry, facts: ConfiguredBrandFacts): Brand {
  const ofDomains = domains.flatMap((domain) => labelOf(domain, facts)).flatMap(spellingsOf);
  // A brand with an ordinary word as its domain uses it as its name; an ordinary word in the name alone is shared with
  // others.
  const isOrdinary = (alias: string) => isWord(alias) || (facts.isOrdinaryWord(alias) && !ofDomains.includes(alias));
  const aliases = [...new Set([...ofDomains, ...spellingsOf(name)])].map((alias): BrandAlias => {
    const isLong = alias.length >= MIN_ANYWHERE && !facts.isOrdinaryWord(alias);
    return { name: alias, weight: isOrdinary(alias) ? 'second_cause' : isLong ? 'anywhere' : 'apart' };
  });
  return { name, domains, branches: [], aliases, isConfigured: true };
}

function labelOf(domain: string, { isPlatform }: ConfiguredBrandFacts): readonly string[] {
  const host = hostOf(domain);
  return host.kind === 'name' && !isPlatform(host) ? [displayName(chosenName(host))] : [];
}

/** A name in ASCII letters and digits; none if it is in another script. */
function spellingsOf(name: string): readonly string[] {
  const lower = name.toLowerCase();
  const words = lower.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word !== '');
  const proper = words.filter((word) => !LURE_WORDS.nobodysName.has(word));
  const written = [words, proper].map((parts) => parts.join(''));
  return [...written, ...written.map(withoutUmlauts)]
    .map(withoutAccents)
    .filter((alias) => /^[a-z0-9]{2,63}$/.test(alias));
}

/** Returns a text in lower case with umlauts and the like as two letters, as people write them without such keys. */
export function withoutUmlauts(text: string): string {
  return text.normalize('NFC').replace(/[äöüßæøå]/g, (letter) => UMLAUTS[letter] ?? letter);
}

function withoutAccents(text: string): string {
  return thinMarks(text)
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replaceAll('ß', 'ss');
}

/** Returns true if it is too short to be a name by itself, a number, or a word of logins. */
function isWord(alias: string): boolean {
  const isLure = LURE_WORDS.nobodysName.has(alias) || LURE_WORDS.besideBrand.has(alias);
  return isLure || alias.length < MIN_APART || /^\d+$/.test(alias);
}
