import { fnvHash, mixHash } from '#src/core/base/fnv.ts';
import type { HostKind } from '#src/core/knowledge/hosts/host-kinds.ts';
import type { Knowledge } from '#src/core/knowledge/index.ts';
import { hostOf, parseHost } from '#src/core/url/host.ts';
import type { Row } from './dataset.ts';
import { kindOf } from './kinds.ts';
import { donorsOf, MOVED_NAMES } from './moved-names.ts';
import type { PopularSite } from './popularity.ts';
import type { Prepared } from './prepare.ts';

/** One in so many honest sites of shops, firms and clubs, and of users of platforms, is in no fit: its name measures the bounds. */
const WITHHELD_ONE_IN = { domains: 16, users: 5 } as const;

const OF_WEBSITES: ReadonlySet<HostKind> = new Set<HostKind>(['builder', 'blog', 'shop']);

/** Returns true for a platform of websites, shops and blogs, whose users choose names as on domains of their own. */
export function isWebsitePlatform(suffix: string, { hostFact }: Pick<Knowledge, 'hostFact'>): boolean {
  const fact = hostFact(hostOf(suffix));
  return fact !== null && OF_WEBSITES.has(fact.kind);
}

/** Use of a withheld row: its name is one of those that bounds are fitted to, or that they are measured with. */
export type WithheldUse = 'fitted' | 'tested';

/** Returns the use of an honest row whose site is in no fit; null for any other row. */
export function withheldUse({ phishing, hosted, site, source }: Row, knowledge: Knowledge): WithheldUse | null {
  if (phishing || !(hosted ? isWebsitePlatform(site, knowledge) : kindOf(source) === 'small')) return null;
  const lot = mixHash(fnvHash(`withheld ${site}`));
  if (lot % WITHHELD_ONE_IN[hosted ? 'users' : 'domains'] !== 0) return null;
  return (lot >>> 16) % 2 === 0 ? 'fitted' : 'tested';
}

/** Names that people gave to honest sites, as they are in the data, and that the fit has not seen. */
export interface HonestNames {
  /** Names of shops, firms and clubs on their own domains. */
  readonly domains: readonly string[];
  /** Names of users of platforms for websites, shops and blogs. */
  readonly users: readonly string[];
  /** Number of known honest sites by suffix; moved names are not counted. */
  readonly sites: ReadonlyMap<string, number>;
}

/** Rows of a fit, and those that are withheld from it. */
export interface HonestSources {
  readonly rows: Pick<Prepared, 'rows' | 'urls'>;
  readonly names: Pick<Prepared, 'urls'>;
  readonly withheld: Pick<Prepared, 'rows' | 'urls'>;
  readonly popularity: readonly PopularSite[];
}

/** Returns the honest names of a fit, distinct and in the order of its rows. */
export function honestNamesOf({ rows, withheld, names, popularity }: HonestSources): HonestNames {
  const sites = new Map<string, Set<string>>();
  const count = (suffix: string, label: string) => sites.getOrInsertComputed(suffix, () => new Set()).add(label);
  for (const [index, { suffix, label }] of rows.urls.entries()) {
    const row = rows.rows[index];
    if (row?.phishing === false && row.source !== MOVED_NAMES) count(suffix, label);
  }
  for (const { suffix, label } of [...names.urls, ...withheld.urls]) count(suffix, label);
  for (const { site, label } of popularity) count(parseHost(site)?.suffix ?? '', label);
  return { ...labelsOf(withheld), sites: new Map([...sites].map(([suffix, labels]) => [suffix, labels.size])) };
}

/** Returns at most `count` of the names, drawn by their hashes, since sources are in an order. */
export function someNames(names: readonly string[], count: number): string[] {
  const lots = new Map(names.map((name) => [name, mixHash(fnvHash(name))]));
  return names.toSorted((a, b) => (lots.get(a) ?? 0) - (lots.get(b) ?? 0)).slice(0, count);
}

/** Returns the distinct names of ordinary honest sites, without those of popular sites and brands. */
export function labelsOf({ rows, urls }: HonestSources['withheld']): Pick<HonestNames, 'domains' | 'users'> {
  const users = urls.filter(({ isHosted, brands, label }) => isHosted && brands.length === 0 && label.length > 2);
  return {
    domains: [...new Set(donorsOf(rows, urls).map(({ label }) => label))],
    users: [...new Set(users.map(({ label }) => label))],
  };
}
