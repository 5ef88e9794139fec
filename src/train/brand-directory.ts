import { isTargetProblem, parseTarget } from '#src/url/target.ts';
import { siteLabel } from './site-label.ts';

/** What the directory is made of. */
export interface DirectorySources {
  /** The entries of twofactorauth's list: `{name, domain, additional, categories}`. */
  readonly services: unknown;
  /** Domains of banks. */
  readonly banks: readonly string[];
  /** The labels of popular sites: a name that several of them contain means nothing. */
  readonly popular: readonly string[];
  /** Names and domains of the curated brands, which are left out here. */
  readonly curated: ReadonlySet<string>;
}

/** Shorter names and those that several popular sites carry are no evidence of anything. */
const MIN_NAME_LENGTH = 6;
const MAX_POPULAR_BEARERS = 2;

interface Entry {
  readonly name: string;
  readonly domains: Set<string>;
}

/** The text of `brand-directory.json`: `[name, domains, names to look for]`, one entry a line, by name. */
export function deriveBrandDirectory({ services, banks, popular, curated }: DirectorySources): string {
  const entries = [...readServices(services), ...readBanks(banks)];
  const byDomain = new Map<string, Entry>();
  for (const entry of entries) {
    const known = [...entry.domains].map((domain) => byDomain.get(domain)).find((found) => found !== undefined);
    for (const domain of entry.domains) {
      known?.domains.add(domain);
      if (!byDomain.has(domain)) byDomain.set(domain, known ?? entry);
    }
  }
  const candidates = [...new Set(byDomain.values())].filter(
    (entry) =>
      nameOf(entry).length >= MIN_NAME_LENGTH &&
      !curated.has(nameOf(entry)) &&
      ![...entry.domains].some((domain) => curated.has(domain)),
  );
  const isCommon = commonNames(candidates.map(nameOf), popular);
  const lines = candidates
    .filter((entry) => !isCommon(nameOf(entry)))
    .map((entry) => [entry.name, [...entry.domains].join(' '), nameOf(entry)])
    .sort((a, b) => (`${a[0]} ${a[1]}` < `${b[0]} ${b[1]}` ? -1 : 1))
    .map((entry) => JSON.stringify(entry));
  return `{
"source": "2factorauth/twofactorauth, MISP warninglists bank-website version 9",
"retrieved": "2026-11-20",
"licence": "MIT (twofactorauth), CC0 (MISP)",
"entries": [
${lines.join(',\n')}
]
}
`;
}

function readServices(services: unknown): Entry[] {
  if (!Array.isArray(services)) throw new Error('twofactorauth_brands.json does not hold a list');
  return services
    .filter((service) => !service.categories?.includes('universities'))
    .map((service) => ({
      name: String(service.name),
      domains: new Set([service.domain, ...(service.additional ?? [])]),
    }));
}

function readBanks(banks: readonly string[]): Entry[] {
  return banks
    .map((bank) => parseTarget(`http://${bank.replace(/^\./, '')}/`))
    .flatMap((target) => (isTargetProblem(target) ? [] : { name: target.site, domains: new Set([target.site]) }));
}

function nameOf(entry: Entry): string {
  const [domain = ''] = entry.domains;
  return siteLabel(domain).replace(/[^a-z0-9]/g, '');
}

/** Tells which names are part of the labels of more than {@link MAX_POPULAR_BEARERS} popular sites. */
function commonNames(names: readonly string[], popular: readonly string[]): (name: string) => boolean {
  const bearers = new Map(names.map((name) => [name, 0]));
  const longest = names.reduce((length, name) => Math.max(length, name.length), 0);
  for (const label of popular) {
    for (let start = 0; start + MIN_NAME_LENGTH <= label.length; start++) {
      for (let end = start + MIN_NAME_LENGTH; end <= Math.min(label.length, start + longest); end++) {
        const part = label.slice(start, end);
        const count = bearers.get(part);
        if (count !== undefined) bearers.set(part, count + 1);
      }
    }
  }
  return (name) => (bearers.get(name) ?? 0) > MAX_POPULAR_BEARERS;
}
