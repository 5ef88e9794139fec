import type { Row } from './dataset.ts';

/** Sources that are excluded from a fit together, so that it is measured on sources that it has not seen. */
export interface Fold {
  readonly name: string;
  readonly benign: readonly string[];
  readonly phishing: readonly string[];
}

/** Every benign source is in one fold; each fold has hosted, small, shared, deep and account pages, and one feed. */
export const FOLDS: readonly Fold[] = [
  {
    name: 'phishtank',
    phishing: ['phishtank_2025_26', 'phishtank_2018_19'],
    benign:
      'jsorg hipo_universities shopify_5000 acceptbitcoincash lemmy_instances this_week_in_rust free_programming_books public_apis tsurlfilter_documents tsurlfilter_subrequests alltheplaces maigret_profiles scamblocklist_whitelist localgovjp volantis hackclub_dns'.split(
        ' ',
      ),
  },
  {
    name: 'certpl',
    phishing: ['certpl_domains'],
    benign:
      'is_a_dev us_city_url openbrewerydb_us ontario_wedding_vendors misp_bank_domains kagi_smallweb awesome_selfhosted hn_personal_blogs lantern_fhir twofactorauth grant_oauth grant_oauth_derived hexo_site nju_blogroll top_rss hackathons'.split(
        ' ',
      ),
  },
  {
    name: 'tweetfeed',
    phishing: ['tweetfeed_phishing'],
    benign:
      'biodrop awesome_3dgs_projects isdcac_rules shopify_leads usda_farmers_markets etalab_fr_public ada_kasztp spamassassin_ham opacapp_libraries open_terms_archive adguard_https_exclusions datenanfragen passkeys'.split(
        ' ',
      ),
  },
  {
    name: 'phishing_database',
    phishing: ['phishing_database_new', 'phishing_database_bulk'],
    benign:
      'open_domains eleventy_sites swot_schools club512kb nexsavings_stores jser_info defillama_adapters openaddresses hbci4java_banks ultimatehosts_whitelist anudeepnd_whitelist parcel_tracking tosback devfolio tailwind_blog spaceapi databroker'.split(
        ' ',
      ),
  },
];

/** Sites whose first phishing row is from this day on are tested and in no fit. */
const TEST_FROM = '2026-01-01';

/** Maximum number of tested phishing rows per feed. */
const TEST_PHISHING_PER_FEED = 5000;

/** Maximum number of tested rows per benign source. */
const TEST_BENIGN_PER_SOURCE = 5000;

export interface SplitRows {
  readonly fit: readonly Row[];
  readonly test: readonly Row[];
  /** Sites that are excluded from the fit: all tested ones, before `test` is thinned. */
  readonly testSites: ReadonlySet<string>;
}

/**
 * Splits training rows for one fold. Tested are the excluded sources and, of every dated feed, sites that are new in
 * the last months. The fit has the other rows, without any tested site.
 */
export function splitFold(rows: readonly Row[], fold: Fold): SplitRows {
  const firstSeen = new Map<string, string>();
  for (const { phishing, site, date } of rows) {
    if (!phishing) continue;
    const held = firstSeen.get(site);
    if (held === undefined || date < held) firstSeen.set(site, date);
  }
  const isTest = (row: Row) =>
    row.phishing ? (firstSeen.get(row.site) ?? '') >= TEST_FROM : fold.benign.includes(row.source);
  const test: Row[] = [];
  const perSource = new Map<string, number>();
  const perSite = new Map<string, number>();
  const testSites = new Set<string>();
  for (const row of rows) {
    if (!isTest(row)) continue;
    testSites.add(row.site);
    const siteKey = `${row.phishing} ${row.site}`;
    const site = perSite.get(siteKey) ?? 0;
    perSite.set(siteKey, site + 1);
    if (site >= (row.phishing ? 1 : 5) || row.source === 'polkadot_domains') continue;
    test.push(row);
    perSource.set(row.source, (perSource.get(row.source) ?? 0) + 1);
  }
  const taken = new Map<string, number>();
  const thinned = test.filter((row) => {
    const total = perSource.get(row.source) ?? 0;
    const limit = row.phishing ? TEST_PHISHING_PER_FEED : TEST_BENIGN_PER_SOURCE;
    const seen = taken.get(row.source) ?? 0;
    taken.set(row.source, seen + 1);
    return total <= limit || Math.floor((seen * limit) / total) !== Math.floor(((seen + 1) * limit) / total);
  });
  const out = new Set([...fold.benign, ...fold.phishing]);
  return {
    test: thinned,
    fit: rows.filter((row) => !out.has(row.source) && !testSites.has(row.site)),
    testSites,
  };
}
