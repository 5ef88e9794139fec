import { fnvHash, mixHash } from '#src/core/base/fnv.ts';
import type { HostKind } from '#src/core/knowledge/hosts/host-kinds.ts';
import { publishedShare } from '#src/core/knowledge/hosts/site-counts.ts';
import { isRestrictedSuffix } from '#src/core/knowledge/hosts/suffixes.ts';
import type { Knowledge } from '#src/core/knowledge/index.ts';
import { hostOf } from '#src/core/url/host.ts';
import type { UrlParts } from '#src/engine/lexical/url-parts.ts';
import type { Row } from './dataset.ts';
import { kindOf } from './kinds.ts';
import type { Prepared } from './prepare.ts';
import { RECENT } from './recent.ts';

/** Source of the rows. */
export const MOVED_NAMES = 'moved_names';

/**
 * Maximum ratio of a suffix's or platform's share of the phishing sites to its share of the honest sites; its logarithm
 * is what the suffix alone adds to the log-odds. A suffix that only authorities and schools can register, where all
 * phishing is on compromised sites, speaks for a site.
 */
export const MAX_RATIO = { suffix: Math.exp(2.2), platform: Math.exp(2), restricted: 0.2 } as const;

/**
 * Share of the missing honest sites that is added. All of them cost 2 points more at 1 % than a fifth with the bound on
 * the score (`suffix-bounds.ts`), which reaches the same goal.
 */
export const ADDED_SHARE: Readonly<Record<keyof typeof MAX_RATIO, number>> = {
  suffix: 0.1,
  platform: 0.1,
  restricted: 1,
};

/** Share of the registered domains that are sites in use. */
export const IN_USE = 0.4;

/** Platforms with sites of shops, clubs and private people. For other kinds, few honest names are known. */
const PLATFORM_KINDS: ReadonlySet<HostKind> = new Set<HostKind>(['builder', 'app', 'blog', 'shop', 'code']);

/** Known sites under a suffix or on a platform. */
export interface SiteCounts {
  readonly suffix: string;
  readonly phishing: number;
  readonly honest: number;
}

/**
 * Returns the estimated number of honest sites that a sample should have under a suffix or on a platform: the larger of
 * the collected number and the published one, and enough for {@link MAX_RATIO}.
 */
export function expectedSites({ suffix, phishing, honest }: SiteCounts, all: SiteCounts, kind: SuffixKind): number {
  const published = (publishedShare(suffix) ?? 0) * IN_USE * all.honest;
  const bound = ((phishing / all.phishing) * all.honest) / MAX_RATIO[kind];
  return Math.ceil(Math.max(honest, published, bound));
}

/**
 * Returns rows that no list has. Lists of honest sites have almost none under cheap suffixes and on website builders,
 * where phishing is collected by the ten thousand, so that a model would count the suffix alone. Honest names and their
 * paths are moved there from other suffixes: {@link ADDED_SHARE} of those that {@link expectedSites} finds missing.
 * They keep their original site, by which parts and folds are drawn.
 */
export function movedNames({ rows, urls }: Prepared, knowledge: Knowledge): Row[] {
  const counts = countSites(rows, urls);
  const all = { suffix: '', phishing: 0, honest: 0 };
  for (const { phishing, honest } of counts.values()) {
    all.phishing += phishing;
    all.honest += honest;
  }
  const donors = donorsOf(rows, urls);
  if (donors.length === 0 || all.phishing === 0) return [];
  return [...counts.values()]
    .sort((a, b) => (a.suffix < b.suffix ? -1 : 1))
    .flatMap((count) => {
      const kind = kindOfSuffix(count.suffix, knowledge);
      if (kind === null) return [];
      const missing = expectedSites(count, all, kind) - count.honest;
      return takeSome(donors, Math.ceil(ADDED_SHARE[kind] * missing), count.suffix);
    });
}

function countSites(rows: readonly Row[], urls: readonly UrlParts[]): Map<string, SiteCounts> {
  const counts = new Map<string, { suffix: string; phishing: number; honest: number }>();
  const seen = new Set<string>();
  for (const [index, row] of rows.entries()) {
    const suffix = urls[index]?.suffix ?? '';
    const key = `${row.phishing} ${row.site}`;
    if (suffix === '' || seen.has(key)) continue;
    seen.add(key);
    const count = counts.get(suffix) ?? { suffix, phishing: 0, honest: 0 };
    counts.set(suffix, count);
    if (row.phishing) count.phishing += row.date >= RECENT.from ? RECENT.weight : 1;
    else count.honest++;
  }
  return counts;
}

/** Kind of the sites under a suffix. */
export type SuffixKind = keyof typeof MAX_RATIO;

/** Returns the kind of a suffix or platform; null for platforms with few known honest names. */
export function kindOfSuffix(suffix: string, knowledge: Knowledge): SuffixKind | null {
  if (isRestrictedSuffix(suffix)) return 'restricted';
  const fact = knowledge.hostFact(hostOf(suffix));
  if (fact === null) return 'suffix';
  return PLATFORM_KINDS.has(fact.kind) ? 'platform' : null;
}

export interface Donor {
  readonly row: Row;
  readonly label: string;
  /** Path and query. */
  readonly rest: string;
}

/** Returns one honest row per site on its own domain that is neither popular nor named like a brand. */
export function donorsOf(rows: readonly Row[], urls: readonly UrlParts[]): Donor[] {
  const seen = new Set<string>();
  return rows.flatMap((row, index) => {
    const url = urls[index];
    if (row.phishing || url === undefined || seen.has(row.site) || kindOf(row.source) === 'endpoint') return [];
    const isOrdinary = !url.isHosted && !url.isAddress && !url.isBrandOwn && url.popularity === null;
    if (!isOrdinary || url.brands.length > 0 || url.suffix === '' || isRestrictedSuffix(url.suffix)) return [];
    seen.add(row.site);
    const rest = `${url.path === '' ? '' : `/${url.path}`}${url.query === '' ? '' : `?${url.query}`}`;
    return [{ row, label: url.label, rest }];
  });
}

function takeSome(donors: readonly Donor[], count: number, suffix: string): Row[] {
  const first = mixHash(fnvHash(suffix)) % donors.length;
  return Array.from({ length: Math.min(count, donors.length) }, (_, index) => {
    // A step coprime to most lengths visits all donors without a pattern.
    const donor = donors[(first + index * 7919) % donors.length];
    return donor && moved(donor, suffix);
  }).filter((row) => row !== undefined);
}

function moved({ row, label, rest }: Donor, suffix: string): Row {
  const canon = `${label}.${suffix}${suffix === 'wixsite.com' && rest === '' ? `/${label}` : rest}`;
  return { ...row, source: MOVED_NAMES, canon, bare: !canon.includes('/') };
}
