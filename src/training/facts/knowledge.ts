import { Glob } from 'bun';
import brandWords from '#src/core/knowledge/brands/brand-words.json' with { type: 'json' };
import brandList from '#src/core/knowledge/brands/brands.json' with { type: 'json' };
import { type Brand, readBrandTable } from '#src/core/knowledge/brands/brands.ts';
import { chosenName, parseHost } from '#src/core/url/host.ts';
import { readAllRows } from '../data/dataset.ts';
import { deriveBrandWords } from './brand-words.ts';
import { deriveConfusables } from './confusables.ts';
import { derivePopularSites, readPopularityLists } from './popular-sites.ts';
import { deriveRdapServers, deriveWhoisServers } from './registry-servers.ts';

/** Source of the facts and popularity lists, and destination of the derived tables. */
export interface DeriveOptions {
  /** Data folder, with its lists and `facts/`. */
  readonly dataDir: string;
  /** Existing folder; its files are reviewed before they replace those of the same names in `src`. */
  readonly outDir: string;
  /** Honest sites, by name: `readHttpsSites`. */
  readonly names: readonly string[];
}

/**
 * Writes the derived tables: `popular-sites.txt`, `brand-words.json`, `brand-country-domains.json`, `rdap-servers.json` and
 * `whois-servers.json` of `src/core/knowledge`, and `src/core/url/confusables.json`. Equal data give equal bytes. Returns the names of the written files. Throws if a
 * list is missing or not in its known form.
 */
export async function deriveKnowledge({ dataDir, outDir, names }: DeriveOptions): Promise<readonly string[]> {
  const rows = [...(await readAllRows(dataDir, 'train')), ...(await readAllRows(dataDir, 'dev'))];
  const phishing = new Set(rows.flatMap((row) => (row.phishing ? [row.site] : [])));
  const popularity = await readPopularityLists(dataDir, phishing);
  const confusables = await Bun.file(`${dataDir}/facts/unicode_confusables_17.0.0.txt.gz`).bytes();
  const popular = derivePopularSites(popularity);
  const listed = await Promise.all(PUBLISHED_FILES.map((name) => Bun.file(`${dataDir}/facts/${name}`).text()));
  const files = {
    'brand-country-domains.json': deriveCountryDomains(readBrandTable(brandList).all, [
      ...popular.split('\n').map((line) => line.split(' ')[0] ?? ''),
      ...listed.flatMap(namesIn),
      ...popularity.lasting,
      ...names,
    ]),
    'brand-words.json': deriveBrandWords({
      brands: readBrandTable(brandList).all,
      // Without recently popular sites, which include misspellings of brands.
      hosts: [...new Set(popularity.lasting), ...names],
      words: brandWords.entries.words.flatMap((line) => line.split(' ')),
    }),
    'confusables.json': deriveConfusables(confusables),
    'popular-sites.txt': popular,
    ...(await deriveRegistryServers(`${dataDir}/facts`)),
  };
  for (const [name, text] of Object.entries(files)) await Bun.write(`${outDir}/${name}`, text);
  return Object.keys(files);
}

/** The tables of registry servers, from the latest files of a folder; their names end with the day. */
async function deriveRegistryServers(folder: string): Promise<Readonly<Record<string, string>>> {
  const latest = async (beginning: string) => {
    const names = await Array.fromAsync(new Glob(`${beginning}_*.json`).scan(folder));
    const name = names.sort().at(-1);
    if (name === undefined) throw new Error(`no ${beginning}_DAY.json in ${folder}`);
    return { json: await Bun.file(`${folder}/${name}`).json(), day: /\d{4}-\d\d-\d\d/.exec(name)?.[0] ?? '' };
  };
  const [bootstrap, whois] = [await latest('iana_rdap_bootstrap'), await latest('whois_servers')];
  return {
    'rdap-servers.json': deriveRdapServers(bootstrap.json),
    'whois-servers.json': deriveWhoisServers(whois.json, whois.day),
  };
}

const HEAD = {
  source:
    'domains of brands under country suffixes, as published by: Chrome UX Report (Google) and Majestic Million, see popular-sites.txt; 2factorauth/twofactorauth; bitwarden/server (global equivalent domains); MISP/misp-warninglists (banks, Microsoft); HSTS preload list of Chromium',
  retrieved: '2026-11-23',
  licence: 'facts; CC-BY-4.0 (Chrome UX Report), CC-BY-3.0 (Majestic), MIT (twofactorauth), CC0-1.0 (MISP)',
};

/** Files of the facts folder with domains of brands, as texts anywhere in them. */
const PUBLISHED_FILES = [
  'bitwarden_global_domains.json',
  'twofactorauth_brands.json',
  'misp_bank-website.json',
  'misp_microsoft.json',
] as const;

/** Returns every name in texts, in lower case and without `www.`. */
function namesIn(text: string): string[] {
  return Array.from(text.matchAll(/[a-z0-9-]+(?:\.[a-z0-9-]+)+/gi), ([name]) =>
    name.toLowerCase().replace(/^www\./, ''),
  );
}

/**
 * Returns the text of `brand-country-domains.json`: by name of a brand that has `NAME.*` among its domains, the suffixes
 * under which a published list names it.
 */
function deriveCountryDomains(brands: readonly Brand[], published: Iterable<string>): string {
  const names = new Set(
    brands.flatMap(({ domains }) => domains.filter((one) => one.endsWith('.*')).map((one) => one.slice(0, -2))),
  );
  const suffixes = new Map<string, Set<string>>();
  for (const text of published) {
    const host = parseHost(text);
    if (host?.kind !== 'name' || host.text !== host.registrable || host.registrable !== host.site) continue;
    const name = chosenName(host);
    const isCountry = /^(?:[a-z]{2,3}\.)?[a-z]{2}$/.test(host.suffix);
    if (isCountry && names.has(name)) suffixes.getOrInsertComputed(name, () => new Set()).add(host.suffix);
  }
  const entries = [...suffixes].toSorted().map(([name, found]) => [name, [[...found].toSorted().join(' ')]]);
  return `${JSON.stringify({ ...HEAD, entries: Object.fromEntries(entries) }, null, 2)}\n`;
}
