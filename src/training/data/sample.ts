import { fnvHash, mixHash } from '#src/core/base/fnv.ts';
import type { Row } from './dataset.ts';

/**
 * Maximum number of phishing rows per source, the latest first; other sources are excluded. Three times as many catch
 * 1.4 points less at 1 %, half as many 0.7 less.
 */
export const PHISHING_CAPS: Readonly<Record<string, number>> = {
  tweetfeed_phishing: 70_000,
  phishtank_2025_26: 80_000,
  phishing_database_new: 60_000,
  phishing_database_bulk: 40_000,
  phishtank_2018_19: 20_000,
  certpl_domains: 70_000,
  polkadot_domains: 20_000,
};

const PHISHING_PER_SITE = 2;
const BENIGN_PER_SITE = 20;

/** All rows of this source are addresses of feeds, from which the fit would learn that feeds are benign. */
const FEED_SOURCE = 'kagi_smallweb';
const FEED_TAIL =
  /\/(?:[^/]*(?:feed|rss|atom)[^/]*|index\.xml|[^/]+\.(?:xml|rss|atom|rdf|json))(?:\/(?:posts?|default|all|feed|rss2?|atom|index\.xml))*\/?(?:\?.*)?$/i;

/** Returns the rows of a fit, with few rows per site and a cap per source. */
export function sampleRows(rows: readonly Row[]): Row[] {
  return [...samplePhishing(rows), ...sampleBenign(rows)];
}

function samplePhishing(rows: readonly Row[]): Row[] {
  const order = rows
    .filter((row) => row.phishing)
    .map((row) => ({ row, key: mixHash(fnvHash(row.canon)) }))
    .sort((a, b) => (a.row.date === b.row.date ? a.key - b.key : a.row.date < b.row.date ? 1 : -1));
  const perSite = new Map<string, number>();
  const perSource = new Map<string, number>();
  const seen = new Set<string>();
  const retained: Row[] = [];
  for (const { row } of order) {
    const site = perSite.get(row.site) ?? 0;
    const source = perSource.get(row.source) ?? 0;
    if (site >= PHISHING_PER_SITE || source >= (PHISHING_CAPS[row.source] ?? 0) || seen.has(row.canon)) continue;
    seen.add(row.canon);
    perSite.set(row.site, site + 1);
    perSource.set(row.source, source + 1);
    retained.push(row);
  }
  return retained;
}

function sampleBenign(rows: readonly Row[]): Row[] {
  const perSite = new Map<string, number>();
  const seen = new Set<string>();
  const bareSites = new Set<string>();
  const retained: Row[] = [];
  const order = rows
    .filter((row) => !row.phishing)
    .map((row) => ({ row, key: mixHash(fnvHash(row.canon)) }))
    .sort((a, b) => a.key - b.key);
  for (const { row: given } of order) {
    const row = given.source === FEED_SOURCE ? withoutFeed(given) : given;
    const site = perSite.get(row.site) ?? 0;
    if (site >= BENIGN_PER_SITE || seen.has(row.canon)) continue;
    seen.add(row.canon);
    perSite.set(row.site, site + 1);
    if (row.bare) bareSites.add(row.site);
    retained.push(row);
  }
  // A site that has only rows with a path gets one without; otherwise a bare host would speak for phishing.
  const copies: Row[] = [];
  for (const row of retained) {
    const canon = row.canon.split(/[/?]/, 1)[0] ?? '';
    if (bareSites.has(row.site) || canon === '' || seen.has(canon)) continue;
    bareSites.add(row.site);
    seen.add(canon);
    copies.push({ ...row, canon, bare: true });
  }
  return [...retained, ...copies];
}

function withoutFeed(row: Row): Row {
  const canon = row.canon.replace(FEED_TAIL, '');
  return canon === row.canon ? row : { ...row, canon, bare: !canon.includes('/') };
}
