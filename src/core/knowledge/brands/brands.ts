import { isText, listWith, mapWith, objectWith, optional, textLike } from '#src/core/base/guard.ts';
import { memoizeLatestTwo } from '#src/core/base/memoize-latest.ts';
import { chosenName, type Host, suffixesOf } from '#src/core/url/host.ts';
import { isNameLines, readFacts, wordsIn } from '../fact-file.ts';
import openCountrySuffixes from '../hosts/open-country-suffixes.json' with { type: 'json' };
import countryDomains from './brand-country-domains.json' with { type: 'json' };
import serviceDomains from './brand-service-domains.json' with { type: 'json' };

/** A name that phishing imitates, and where its owner really is. */
export interface Brand {
  readonly name: string;
  /**
   * Its own domains, the main one first; `paypal.*` stands for that label under any country's suffix, which is a guess
   * unless a published list names the domain.
   */
  readonly domains: readonly string[];
  /** Suffixes under which many independent branches carry the name rightfully (`sparkasse-ulm.de`); mostly none. */
  readonly branches: readonly string[];
  /**
   * Texts to search for, in lower-case letters and digits without hyphens; each with the condition that it must meet.
   */
  readonly aliases: readonly BrandAlias[];
  /** True if the operator configured it, because attackers of this installation would imitate it. */
  readonly isConfigured: boolean;
}

/** One way of writing a brand. */
export interface BrandAlias {
  readonly name: string;
  /**
   * `anywhere`: also within a longer word; `apart`: only set off from other letters; `second_cause`: short or an
   * ordinary word (`dhl`, `chase`), which proves nothing by itself.
   */
  readonly weight: 'anywhere' | 'apart' | 'second_cause';
}

/** The brands, and whose a site is. */
export interface BrandTable {
  readonly all: readonly Brand[];
  /**
   * Every brand on whose own domain the host is; mostly none. A subdomain of a shared platform (`x.github.io`) is its
   * user's, never the platform's.
   */
  ownersOf(host: Host): readonly Brand[];
  /**
   * Returns the brands whose name the host has under a country's suffix that anybody may register under, so that the site
   * may or may not be theirs: no evidence in either direction.
   */
  possibleOwnersOf(host: Host): readonly Brand[];
}

/** Suffixes of countries that anyone may register under: no country's branch of a brand. */
const OPEN_COUNTRY_SUFFIXES = new Set(
  wordsIn(readFacts('open-country-suffixes.json', openCountrySuffixes, isNameLines)),
);
/** Suffixes under which a published list names the domain of a brand, by the name in front of them. */
const COUNTRY_DOMAINS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(readFacts('brand-country-domains.json', countryDomains, mapWith(isNameLines))).map(([name, lines]) => [
    name,
    new Set(wordsIn(lines)),
  ]),
);
/** Further domains of brands, mostly hosts of programs, by the brand's name: too many to be searched for within other hosts. */
const SERVICE_DOMAINS: Readonly<Record<string, readonly string[]>> = readFacts(
  'brand-service-domains.json',
  serviceDomains,
  mapWith(isNameLines),
);
const COUNTRY_SUFFIX = /^(?:(?:com|co|org|net|or|ne|gob|gov)\.)?[a-z]{2}$/;
const NOBODY: readonly Brand[] = [];

/** Builds the table out of a file of brands. Throws an Error that names the file when it is damaged. */
export function readBrandTable(file: unknown, name = 'brands.json'): BrandTable {
  return tableOf(readFacts(name, file, isCurated).map(readBrand));
}

/** The table with other brands before its own, so that a name or a domain that both have is the others' first. */
export function prependBrands(brands: readonly Brand[], table: BrandTable): BrandTable {
  return tableOf([...brands, ...table.all]);
}

function tableOf(all: readonly Brand[]): BrandTable {
  const byDomain = new Map<string, readonly Brand[]>();
  for (const brand of all) {
    const further = brand.isConfigured ? [] : wordsIn(SERVICE_DOMAINS[brand.name] ?? []);
    const alone = [brand];
    for (const domain of [...brand.domains, ...further]) {
      const owners = byDomain.get(domain);
      byDomain.set(domain, owners ? [...owners, brand] : alone);
    }
  }
  return {
    all,
    ownersOf: memoizeLatestTwo((host) => findOwners(byDomain, host)),
    possibleOwnersOf: memoizeLatestTwo((host) =>
      isOfCountry(host) && !isPublished(host) ? (byDomain.get(`${chosenName(host)}.*`) ?? NOBODY) : NOBODY,
    ),
  };
}

function isOfCountry({ kind, suffix, registrable, site }: Host): boolean {
  return (
    kind === 'name' &&
    COUNTRY_SUFFIX.test(suffix) &&
    !OPEN_COUNTRY_SUFFIXES.has(suffix) &&
    !(registrable !== null && site.length > registrable.length)
  );
}

function isPublished(host: Host): boolean {
  return COUNTRY_DOMAINS.get(chosenName(host))?.has(host.suffix) ?? false;
}

function readBrand({ name, domains, branches, names, apart, words }: CuratedBrand): Brand {
  const aliases: BrandAlias[] = [];
  addAliases(aliases, names, 'anywhere');
  addAliases(aliases, apart, 'apart');
  addAliases(aliases, words, 'second_cause');
  return { name, domains: domains.split(' '), branches: branches?.split(' ') ?? [], aliases, isConfigured: false };
}

function addAliases(aliases: BrandAlias[], names: string | undefined, weight: BrandAlias['weight']): void {
  if (names === undefined) return;
  for (const name of names.split(' ')) aliases.push({ name, weight });
}

function findOwners(byDomain: ReadonlyMap<string, readonly Brand[]>, host: Host): readonly Brand[] {
  if (host.kind !== 'name') return byDomain.get(host.text) ?? NOBODY;
  let owners = NOBODY;
  const isShared = host.registrable !== null && host.site.length > host.registrable.length;
  for (const domain of suffixesOf(host)) {
    if (isShared && domain.length < host.site.length) break;
    owners = join(owners, byDomain.get(domain));
  }
  if (isPublished(host) && !isShared) {
    owners = join(owners, byDomain.get(`${chosenName(host)}.*`));
  }
  return owners;
}

function join(left: readonly Brand[], right: readonly Brand[] | undefined): readonly Brand[] {
  if (!right || right.length === 0) return left;
  return left.length === 0 ? right : [...left, ...right];
}

interface CuratedBrand {
  readonly name: string;
  readonly domains: string;
  readonly branches?: string | undefined;
  readonly names?: string | undefined;
  readonly apart?: string | undefined;
  readonly words?: string | undefined;
}

const isNames = textLike(/^[a-z0-9]{2,}(?: [a-z0-9]{2,})*$/);

const isCurated = listWith(
  objectWith<CuratedBrand>({
    name: isText,
    domains: isText,
    branches: optional(isText),
    names: optional(isNames),
    apart: optional(isNames),
    words: optional(isNames),
  }),
);
