/** Kind of page of each benign source. In measurements the kinds have equal weight, except {@link REPORTED_APART}. */
export const BENIGN_KINDS = {
  account:
    'maigret_profiles twofactorauth grant_oauth grant_oauth_derived open_terms_archive parcel_tracking adguard_https_exclusions passkeys tosback',
  small:
    'shopify_5000 shopify_leads isdcac_rules openbrewerydb_us ontario_wedding_vendors usda_farmers_markets acceptbitcoincash club512kb nexsavings_stores lemmy_instances scamblocklist_whitelist ultimatehosts_whitelist anudeepnd_whitelist google_business_sites_de datenanfragen databroker',
  hosting: 'is_a_dev jsorg biodrop awesome_3dgs_projects open_domains hackclub_dns devfolio',
  home: 'hipo_universities us_city_url etalab_fr_public swot_schools misp_bank_domains opacapp_libraries hbci4java_banks localgovjp',
  links:
    'this_week_in_rust jser_info free_programming_books awesome_selfhosted public_apis eleventy_sites hn_personal_blogs hexo_site volantis nju_blogroll top_rss tailwind_blog hackathons',
  deep: 'ada_kasztp kagi_smallweb spamassassin_ham tsurlfilter_documents openaddresses alltheplaces page_article_extraction_benchmark page_postlight_parser page_readability page_trafilatura',
  endpoint: 'tsurlfilter_subrequests defillama_adapters lantern_fhir spaceapi',
  'sign-in paths': 'ways_in',
  'other sign-in paths': 'ways_in_left_out',
} as const;

/** Kinds of synthetic rows. */
export const SYNTHETIC: ReadonlySet<string> = new Set(['sign-in paths', 'other sign-in paths']);

/** Machine endpoints, which nobody clicks on, and synthetic rows: they count only in their own figures. */
export const REPORTED_APART: ReadonlySet<string> = new Set(['endpoint', ...SYNTHETIC]);

const kindBySource: ReadonlyMap<string, string> = new Map(
  Object.entries(BENIGN_KINDS).flatMap(([kind, sources]) =>
    sources.split(' ').map((source) => [source, kind] as const),
  ),
);

/** Returns the kind of a benign source; `other` if it is not listed. */
export function kindOf(source: string): string {
  return kindBySource.get(source) ?? 'other';
}
