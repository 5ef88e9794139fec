import type { LexicalModel } from '#src/lexical/model.ts';
import { FOLDS } from '../data/folds.ts';
import { BENIGN_KINDS } from '../data/kinds.ts';
import { IN_USE, LARGEST_RATIO } from '../data/moved-names.ts';
import { PHISHING_CAPS } from '../data/sample.ts';
import type { Evaluation } from './evaluation.ts';

/**
 * Sources and what they may be used under. "facts only": nothing of the source is carried, only statistics of many sources
 * together, or single words; the reason stands behind it.
 */
const LICENCES = `
| source | licence |
| --- | --- |
| phishtank_2025_26, phishtank_2018_19 | facts only: URLs reported to and verified by PhishTank's community; the reports themselves are not carried |
| phishing_database_new, phishing_database_bulk | MIT |
| certpl_domains | facts only: names on the warning list that CERT Polska publishes for everybody to block |
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
| adguard_https_exclusions, grant_oauth, parcel_tracking, passkeys | facts only: addresses of banks, sign-in and tracking services, which the programs around them need to work |
| spamassassin_ham, tsurlfilter | facts only: links in public test data, Apache-2.0 and LGPL-3.0 |
| ultimatehosts_whitelist, anudeepnd_whitelist, maigret_profiles, twofactorauth | MIT |
| open_terms_archive | facts only: addresses of terms of service, in declarations under EUPL-1.2 |
| datenanfragen, localgovjp, tosback, hexo_site, volantis, nju_blogroll, top_rss, spaceapi, hackclub_dns, tailwind_blog, devfolio, databroker, hackathons | facts only: addresses of firms, towns, clubs and blogs, in public repositories under permissive licences, CC or GPL |
| Chrome UX Report, Google (July and January 2026): popular names; see the head of \`popular-sites.txt\` | CC-BY-4.0 |
| Majestic Million (2026-03-12), the first 15,000: names, for letter statistics and popular names | CC-BY-3.0 |
| services of twofactorauth and banks of MISP warninglists (2026-11-20): popular names | MIT, CC0-1.0 |
| https_sites: names of sites on the list of those that browsers ask over HTTPS alone (2026-11), for the n-gram model and letter statistics | MPL-2.0, BSD-3-Clause |
| ways_in: default sign-in addresses of common software, made up: see *Ways in* | facts only: public documentation |
| moved_names: honest names put under other suffixes: see *Moved names*; numbers of sites of Interisle's Cybercrime Information Center, BuiltWith and Wix (2025) | facts only: single published numbers |
`.trim();

/** Ends the part of the card that `evaluate` writes; what stands behind it is kept. */
const END = '<!-- What stands above is written by `lurecheck evaluate`; what follows is written by hand. -->';

/** `card` with its lexical part written anew, or the lexical part alone where there is no card yet. */
export function updateModelCard(card: string | null, model: LexicalModel, evaluation: Evaluation): string {
  const rest = card?.split(END)[1] ?? '\n';
  return `${formatModelCard(model, evaluation)}\n${END}${rest}`;
}

/** Every figure in it comes from `evaluation`. */
function formatModelCard(model: LexicalModel, evaluation: Evaluation): string {
  const feeds = Object.entries(PHISHING_CAPS).map(([source, cap]) => `${source} ${cap.toLocaleString('en')}`);
  const folds = FOLDS.map(({ phishing, benign }) => `- ${phishing.join(', ')} and ${benign.join(', ')}`);
  const kinds = Object.entries(BENIGN_KINDS).map(
    ([kind, sources]) => `- **${kind}**: ${sources.replaceAll(' ', ', ')}`,
  );
  return `# Model card: the lexical model

Written by \`lurecheck evaluate --data DIR --out src/models\`. Model ${model.version}, ${model.trees.depth} levels deep trees over hashed n-grams and engineered features of the URL alone.

## What it answers, and what the score does not mean

The probability that a URL is phishing, as far as its spelling tells, where one URL in twenty is (a base rate that an operator can set). It does not know what a page shows,
who registered the name or since when, or whether an honest site has been broken into. A low score is no promise. A phisher who picks an ordinary name on an ordinary suffix and
no path leaves nothing to see here: such hosts are most of what is missed below. It is about phishing, not about malware, spam or fraud in general.

## How it is built

1. Hashed n-grams of each part of the URL (name, subdomain, suffix, path, words, query, shapes), in four logistic fits; each leaves out a quarter of the sites, which it then scores.
   A second one of the kind reads path and query alone, in n-grams and segment by segment, and never sees a host.
2. Boosted trees over those scores and engineered features: letter statistics, known words, brands, platforms, login words, suffix priors. Every table that looks at labels is derived without the row's own quarter.
3. A constant for popular sites and brands' own domains, ${model.popularSite} in log-odds, outside of the trees, and ${model.ngramShare} of the n-gram model's own answer.
4. Platt's calibration, affine in log-odds, on the pooled folds below: slope ${model.slope.toFixed(3)}, offset ${model.offset.toFixed(3)}.

Scheme, \`www.\`, port numbers 80 and 443, fragment and a final slash are not looked at: in the training data they tell sources apart, not phishing.

## Data

Rows of both splits, up to 2026-05, at most two phishing rows a site, the newest first, of each source at most: ${feeds.join(', ')}; benign rows at most 20 a site.

${LICENCES}

## Protocol

**Folds.** Each fold leaves a feed and a quarter of the benign sources out of the fit altogether, and tests on them and on the phishing sites that first appear from 2026-01 on, of every feed.
No site is in both. The names of https_sites are in every fit and tested in none; those of sites that are tested are left out. Feeds weigh the same, and so do the kinds of benign pages; machines' end points are not counted. Each fold is calibrated on the others.

**Ways in.** Lists of phishing hold thousands of \`/login.php\`, and nobody lists the honest ones. So one benign host on an own domain in ten is in the fit once more, at the address where some software has
its users sign in; together they weigh 0.008 of what is benign. So is one phishing host in eighty, lest an address that no kit uses speak for any host. A fold leaves a quarter of the software out, and is tested at hosts of its own with what its fit knows (*ways in*) and with the rest (*other ways in*).
These rows are made up and count in no figure but their own. *At ways in* is the phishing whose whole path is such an address.

**Moved names.** Lists of honest sites hold almost none under cheap suffixes and on website builders, where phishing is collected by the ten thousand: a suffix's share of both classes is an artefact of how they were collected. So honest names are moved there from other suffixes, with their paths,
until a suffix has as many honest sites as the published number of its domains says (${IN_USE} of them taken to be sites in use), and its share of phishing is at most ${LARGEST_RATIO.suffix.toFixed(0)} times, a platform's ${LARGEST_RATIO.platform.toFixed(1)} times its share of honest sites (${Math.log(LARGEST_RATIO.suffix)} and ${Math.log(LARGEST_RATIO.platform)} in log-odds); under suffixes for authorities and schools alone ${LARGEST_RATIO.restricted} times.
They stay in the quarter of their own site, are in every fit, and tested in none. The folds do not reward them: their benign rows have the same gap.

**Made up.** Imitations of brands and ordinary names are drawn from word lists by a seed of their own, in no fit. The imitations are tested by a model that has seen no row that names one of their brands.

${folds.join('\n')}

Kinds:

${kinds.join('\n')}

**dev.** Later months (2026-03 to 05) and other sites, tested by a model fitted like the folds' on all training rows; but its benign sources have been seen, and its figures flatter.
The model that ships is fitted on all rows of both splits, so that no figure here is measured with it: there are no rows left that it has not seen.

Intervals are the middle 95 % of 200 bootstrap samples; those of the mean are the folds' averages.

## Figures

${evaluation.text}
## Known weaknesses

- Bare hosts with made-up but pronounceable names under ordinary suffixes look like small businesses: three quarters of what is missed in the folds at 1 % (see *bare hosts* above).
- Benign pages on free hosting are known mostly from developers. Names moved there stand for shops and clubs on website builders; how many of those there are is an estimate.
- At a way in that software has by default (\`/login.php\`), the host alone is judged: phishing on a host that nobody would doubt is missed there. How often honest ones are asked about is not known.
- Addresses that machines ask, such as trackers and interfaces (*endpoint*), get the most false alarms.
- English, French, German and Polish are known best. Names in other languages read as more random than they are.
- Popularity is of July 2026. A popular site that is taken over, or lets strangers publish without being listed as a platform, is judged too mildly.
- Training data ends in 2026-05: campaigns change, and the figures will fall month by month until it is trained anew.
`;
}
