import type { LexicalModel } from '#src/engine/lexical/model.ts';
import { FOLDS } from '../data/folds.ts';
import { BENIGN_KINDS } from '../data/kinds.ts';
import { ADDED_SHARE, IN_USE, MAX_RATIO } from '../data/moved-names.ts';
import { PHISHING_CAPS } from '../data/sample.ts';
import { seededOptions } from '../fit/fit.ts';
import { MIN_HONEST, SHARES } from '../fit/suffix-bounds.ts';
import type { Evaluation } from './evaluation.ts';

/**
 * Sources and their licences. "facts only": nothing of the source is contained, only statistics over many sources or
 * single words, with the reason.
 */
const LICENCES = `
| source | licence |
| --- | --- |
| phishtank_2025_26, phishtank_2018_19 | facts only: URLs reported to and verified by PhishTank's community; the reports themselves are not included |
| phishing_database_new, phishing_database_bulk | MIT |
| certpl_domains | facts only: names on the warning list that CERT Polska publishes for blocking |
| polkadot_domains | Apache-2.0 |
| tweetfeed_phishing | CC0-1.0 |
| ada_kasztp, kagi_smallweb, hipo_universities | MIT |
| this_week_in_rust | MIT |
| jser_info | CC-BY-4.0 |
| free_programming_books | CC-BY-4.0 |
| awesome_selfhosted | CC-BY-SA-3.0, facts only: which sites it names, not its texts |
| misp_bank_domains | CC0-1.0 |
| alltheplaces | CC0-1.0 |
| openaddresses | BSD-3-Clause |
| is_a_dev, jsorg, biodrop, open_domains, awesome_3dgs_projects | MIT |
| swot_schools, club512kb, lemmy_instances | MIT |
| us_city_url, openbrewerydb_us, etalab_fr_public, hn_personal_blogs | facts only: addresses of towns, breweries, public bodies and blogs, from open registers |
| isdcac_rules, shopify_5000, shopify_leads, ontario_wedding_vendors, usda_farmers_markets, acceptbitcoincash, nexsavings_stores | facts only: addresses of shops and small firms, in open lists without one licence |
| lantern_fhir, opacapp_libraries, public_apis, eleventy_sites, defillama_adapters, hbci4java_banks, scamblocklist_whitelist | facts only: addresses of institutions and services, in repositories under permissive licences |
| adguard_https_exclusions, grant_oauth, parcel_tracking, passkeys | facts only: addresses of banks, sign-in and tracking services, which programs need to work with them |
| spamassassin_ham, tsurlfilter | facts only: links in public test data, Apache-2.0 and LGPL-3.0 |
| ultimatehosts_whitelist, anudeepnd_whitelist, maigret_profiles, twofactorauth | MIT |
| open_terms_archive | facts only: addresses of terms of service, in declarations under EUPL-1.2 |
| datenanfragen, localgovjp, tosback, hexo_site, volantis, nju_blogroll, top_rss, spaceapi, hackclub_dns, tailwind_blog, devfolio, databroker, hackathons | facts only: addresses of firms, towns, clubs and blogs, in public repositories under permissive licences, CC or GPL |
| Chrome UX Report, Google (July and January 2026): popular names; see the head of \`popular-sites.txt\` | CC-BY-4.0 |
| Majestic Million (2026-03-12), the first 15,000: names, for letter statistics and popular names | CC-BY-3.0 |
| services of twofactorauth and banks of MISP warninglists (2026-11-20): popular names | MIT, CC0-1.0 |
| v2fly/domain-list-community (2026-08-19), MISP warninglists: further domains of brands; see \`brand-service-domains.json\` | MIT, CC0-1.0 |
| WhoTracks.Me (2021-02-05): domains of trackers; see \`tracker-domains.json\` | CC-BY-4.0 |
| https_sites: names of sites on the browsers' HSTS preload list (2026-11), for the n-gram model and letter statistics | MPL-2.0, BSD-3-Clause |
| ways_in: synthetic rows with the default sign-in paths of common software: see *Sign-in paths* | facts only: public documentation |
| moved_names: benign names placed under other suffixes: see *Suffixes and platforms*; numbers of sites of Interisle's Cybercrime Information Center, BuiltWith and Wix (2025) | facts only: single published numbers |
`.trim();

/** End of the part of the card that `evaluate` writes; the rest is kept. */
const END = '<!-- `lurecheck evaluate` writes everything above this line; the rest is written by hand. -->';

/** Returns the card with a new lexical part; the lexical part alone if there is no card yet. */
export function updateModelCard(card: string | null, model: LexicalModel, evaluation: Evaluation): string {
  const rest = card?.split(END)[1] ?? '\n';
  return `${formatModelCard(model, evaluation)}\n${END}${rest}`;
}

/** Formats the lexical part; all figures are from `evaluation`. */
function formatModelCard(model: LexicalModel, evaluation: Evaluation): string {
  const { bound } = seededOptions(1);
  const feeds = Object.entries(PHISHING_CAPS).map(([source, cap]) => `${source} ${cap.toLocaleString('en')}`);
  const folds = FOLDS.map(({ phishing, benign }) => `- ${phishing.join(', ')} and ${benign.join(', ')}`);
  const kinds = Object.entries(BENIGN_KINDS).map(
    ([kind, sources]) => `- **${kind}**: ${sources.replaceAll(' ', ', ')}`,
  );
  return `# Model card: the lexical model

Written by \`lurecheck evaluate --data DIR --out src/engine/models\`. Model ${model.version}: trees of depth ${model.trees.depth} over hashed n-grams and engineered features of the URL alone.

## Output

The model returns the probability that a URL is phishing, estimated from its spelling, where one URL in twenty is phishing (the base rate; operators can set another).
It does not see the page, the registration of the name, or whether an honest site was compromised. A low score does not prove that a site is safe.
A phishing site with an ordinary name, an ordinary suffix and no path has no lexical features: most of the missed phishing below is of this kind.
The model covers phishing, not malware, spam or fraud in general.

## Architecture

1. Four logistic models over hashed n-grams of each part of the URL (name, subdomain, suffix, path, words, query, shapes). Each is fitted without a quarter of the sites and scores that quarter.
   A second set of logistic models reads path and query alone, as n-grams and whole segments, and never sees a host.
2. Boosted trees over these scores and engineered features: letter statistics, known words, brands, platforms, login words, suffix priors. Every table that depends on labels is derived without the row's own quarter.
3. A constant of ${model.popularSite} log-odds for popular sites, known trackers and brands' own domains, outside of the trees, and ${model.ngramShare} times the n-gram model's own score.
4. A bound per suffix and platform: the excess of ordinary names' scores is subtracted from every score under it (see *Suffixes and platforms*).
5. A bound for sign-in pages: path and query add at most 2 to the score of the host (see *Sign-in paths*). What a service's program writes into a link adds nothing.
6. Platt calibration of second order in log-odds, on the pooled folds below: slope ${model.slope.toFixed(3)}, offset ${model.offset.toFixed(3)}, curve ${model.curve.toFixed(4)}.

The model ignores scheme, \`www.\`, ports 80 and 443, fragment and a final slash: in the training data they separate sources, not phishing.

## Data

Rows of both splits, up to 2026-05. Phishing: at most two rows per site, the latest first, and per source at most ${feeds.join(', ')}. Benign: at most 20 rows per site.

${LICENCES}

## Protocol

**Folds.** Each fold excludes a feed and a quarter of the benign sources from the fit. It is tested on them and on the phishing sites of every feed that first appear from 2026-01 on.
No site is in both fit and test. The names of https_sites are in every fit and in no test; names of tested sites are excluded. All feeds have equal weight, and so have the kinds of benign pages; machine endpoints are not counted.
Each fold is calibrated on the other folds.

**Sign-in paths.** Phishing feeds contain thousands of \`/login.php\`; no list contains the honest ones. The fit therefore contains one benign host in ten a second time, at the default sign-in path of some software.
Together these rows have 0.008 of the benign weight. The same is done for one phishing host in eighty, since a path that no kit uses would otherwise count for any host.
Each fold excludes a quarter of the software, and is tested at hosts of its own with the software in its fit (*sign-in paths*) and with the rest (*other sign-in paths*).
The addresses of sign-in pages in many languages (\`sign-in-words.json\`) add at most 2 to the score of their host, by decision: without this bound the folds catch 0.2 points more at 1 % and 0.3 at 0.1 %, and one fold warns about 7.9 % instead of 2.8 % of honest hosts at software that its fit does not know.
These rows are synthetic and count only in their own figures. *At sign-in paths* is phishing whose whole path is such a path.

**Suffixes and platforms.** Lists of honest sites contain almost no sites under cheap suffixes and on website builders, while feeds contain tens of thousands. Two steps compensate for this collection bias:

- *Moved names*: benign names, with their paths, are placed under such suffixes and on such platforms. The number of missing sites is estimated from the published number of domains (${IN_USE} of them in use) and from a bound on the ratio of phishing share to benign share:
  ${MAX_RATIO.suffix.toFixed(0)} for suffixes, ${MAX_RATIO.platform.toFixed(1)} for platforms (${Math.log(MAX_RATIO.suffix)} and ${Math.log(MAX_RATIO.platform)} log-odds), ${MAX_RATIO.restricted} for suffixes of authorities and schools. Of these, ${ADDED_SHARE.suffix} are added for suffixes, ${ADDED_SHARE.platform} for platforms and all for authorities and schools.
- *Bounds*: honest names that are in no fit are scored, after each fit, under every suffix with a high prior and at least ${MIN_HONEST} known honest sites, and on every platform of websites, shops and blogs. The amount by which a tenth of them exceed ${bound.domains.warn}, or a hundredth exceed ${bound.domains.block} (scores before calibration), is subtracted from all scores there.
  Under suffixes these are 400 names of shops, firms and clubs; on platforms, names of users, every second of them with a number as teams and school classes have it, of which ${100 * SHARES.users.warn} % may exceed ${bound.users.warn} and ${100 * SHARES.users.block} % ${bound.users.block}.
  Under other suffixes, such as \`.mom\`, \`.cyou\` and \`.click\`, hardly anybody honest is known. Only a hundredth may exceed ${bound.rare.block} there, so that ordinary names are often warned about and rarely blocked (see the table of ordinary names).

Moved names stay in the quarter of their own site and are in no test. The folds do not reward either step: their benign rows have the same bias.

**Synthetic tests.** Imitations of brands and ordinary names are drawn from word lists with their own seed. The model that scores the imitations has seen no row that names one of their brands.
The *collected* names are those of honest sites that are in no fit; they are other sites than those whose names the bounds are fitted to.

${folds.join('\n')}

Kinds:

${kinds.join('\n')}

**dev.** Later months (2026-03 to 05) and other sites, scored by a model fitted like those of the folds on all training rows. Its benign sources are in the fit, so its figures are optimistic.
The shipped model is fitted on all rows of both splits. No figure here is measured with it, because no unseen rows remain.

Intervals are the middle 95 % of 200 bootstrap samples; those of the mean are averages over the folds.

## Figures

${evaluation.text}
## Known weaknesses

- Bare hosts with invented, pronounceable names under ordinary suffixes look like small businesses. They are three quarters of the phishing missed in the folds at 1 % (see *bare hosts* above).
- Benign pages on free hosting are mostly those of developers. Moved names stand for shops and clubs on website builders; their number is an estimate.
- At a default sign-in path (\`/login.php\`), only the host is scored: phishing on an unsuspicious host is missed there. The frequency of honest sign-in links in real traffic is unknown.
- Links that the programs of services write are in no list of honest URLs. Their forms are known by documentation, and no weight is given to them; a form that is not known looks random.
- A brand's name under a country suffix that no published list names is neither evidence for the brand nor against it: only its page shows whether it imitates the brand.
- Machine endpoints such as trackers and APIs (*endpoint*) have the highest rate of false alarms.
- Tracker domains are of 2021. A domain that has since expired and been registered by somebody else is scored too low.
- English, French, German and Polish are known best. Names in other languages look more random than they are.
- Popularity is of July 2026. A popular site that is taken over, or hosts third-party content without being listed as a platform, is scored too low.
- Training data ends in 2026-05. Campaigns change, so the figures decline from month to month until the model is trained again.
`;
}
