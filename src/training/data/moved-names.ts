import { fnvHash, mixHash } from '#src/core/base/fnv.ts';
import type { HostKind } from '#src/core/knowledge/hosts/host-kinds.ts';
import type { Knowledge } from '#src/core/knowledge/index.ts';
import { isRestrictedSuffix } from '#src/core/knowledge/hosts/restricted-suffixes.ts';
import { publishedShare } from '#src/core/knowledge/hosts/site-counts.ts';
import type { UrlParts } from '#src/engine/lexical/url-parts.ts';
import { hostOf } from '#src/core/url/host.ts';
import type { Row } from './dataset.ts';
import { kindOf } from './kinds.ts';
import type { Prepared } from './prepare.ts';
import { RECENT } from './recent.ts';

/** What the rows are called among sources. */
export const MOVED_NAMES = 'moved_names';

/**
 * How many times its share of the honest sites a suffix's or a platform's share of the phishing sites may be. What it alone
 * adds to the log-odds is the logarithm of that. Under a suffix that only authorities and schools can register, where all
 * phishing is on sites that were broken into, it speaks for a site.
 */
export const LARGEST_RATIO = { suffix: Math.exp(2.2), platform: Math.exp(2), restricted: 0.2 } as const;

/**
 * The part of the missing honest sites that is added. All of them cost 2 points more at 1 % than a fifth together with the bound
 * on the score (`suffix-bounds.ts`), which holds the same aims.
 */
export const ADDED_SHARE: Readonly<Record<keyof typeof LARGEST_RATIO, number>> = {
  suffix: 0.2,
  platform: 0.2,
  restricted: 1,
};

/** The part of the registered domains that are sites in use. */
export const IN_USE = 0.4;

/** Platforms where shops, clubs and private people have their sites. Of the other kinds few honest names are known to anybody. */
const PLATFORM_KINDS: ReadonlySet<HostKind> = new Set<HostKind>(['builder', 'app', 'blog', 'shop', 'code']);

/** What is known of the sites under a suffix or on a platform. */
export interface SiteCounts {
  readonly suffix: string;
  readonly phishing: number;
  readonly honest: number;
}

/**
 * How many honest sites a sample should hold under a suffix or on a platform, estimated: as many as were collected or as the
 * published number of its sites says, whichever is more, and so many that {@link LARGEST_RATIO} is kept to.
 */
export function expectedSites({ suffix, phishing, honest }: SiteCounts, all: SiteCounts, kind: SuffixKind): number {
  const published = (publishedShare(suffix) ?? 0) * IN_USE * all.honest;
  const bound = ((phishing / all.phishing) * all.honest) / LARGEST_RATIO[kind];
  return Math.ceil(Math.max(honest, published, bound));
}

/**
 * Rows that no list has: the lists of honest sites hold almost none under cheap suffixes and on website builders, where
 * phishing is collected by the ten thousand, so that a model takes the suffix alone for a reason. Honest names and their paths
 * are moved there from other suffixes: of those that {@link expectedSites} finds missing, {@link ADDED_SHARE}. They keep the site that they are
 * from, by which parts and folds are drawn.
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

/** What sites under a suffix have in common. */
export type SuffixKind = keyof typeof LARGEST_RATIO;

/** Returns the kind of a suffix or platform; null for platforms on which few honest names are known. */
export function kindOfSuffix(suffix: string, knowledge: Knowledge): SuffixKind | null {
  if (isRestrictedSuffix(suffix)) return 'restricted';
  const fact = knowledge.hostFact(hostOf(suffix));
  if (fact === null) return 'suffix';
  return PLATFORM_KINDS.has(fact.kind) ? 'platform' : null;
}

interface Donor {
  readonly row: Row;
  readonly label: string;
  /** What stands behind the host. */
  readonly rest: string;
}

/** One honest row each of sites on own domains that are neither popular nor named like a brand. */
function donorsOf(rows: readonly Row[], urls: readonly UrlParts[]): Donor[] {
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
    // A step that is prime to most lengths walks through all of them without a pattern.
    const donor = donors[(first + index * 7919) % donors.length];
    return donor && moved(donor, suffix);
  }).filter((row) => row !== undefined);
}

function moved({ row, label, rest }: Donor, suffix: string): Row {
  const canon = `${label}.${suffix}${suffix === 'wixsite.com' && rest === '' ? `/${label}` : rest}`;
  return { ...row, source: MOVED_NAMES, canon, bare: !canon.includes('/') };
}
