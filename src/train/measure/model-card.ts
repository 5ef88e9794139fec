import type { LexicalModel } from '#src/lexical/model.ts';
import { FOLDS } from '../data/folds.ts';
import { BENIGN_KINDS } from '../data/kinds.ts';
import { PHISHING_CAPS } from '../data/sample.ts';
import type { Evaluation } from './evaluation.ts';

/** Sources and what they may be used under, as the data folder's README states it. */
const LICENCES = `
| source | licence or origin |
| --- | --- |
| phishtank_2025_26, phishtank_2018_19 | PhishTank, through public mirrors |
| phishing_database_new, phishing_database_bulk | MIT |
| certpl_domains | CERT Polska's public list |
| polkadot_domains | Apache-2.0 |
| tweetfeed_phishing | CC0 |
| ada_kasztp, kagi_smallweb, hipo_universities | MIT |
| this_week_in_rust, jser_info, free_programming_books, awesome_selfhosted | CC BY or CC BY-SA, MIT |
| misp_bank_domains | CC0 |
| alltheplaces, openaddresses | MIT or CC0, BSD |
| is_a_dev, jsorg, biodrop, open_domains, awesome_3dgs_projects | MIT, public registries |
| swot_schools, us_city_url, openbrewerydb_us, etalab_fr_public, lemmy_instances, club512kb, personal blogs | MIT, open data |
| isdcac_rules, shopify_5000, shopify_leads, ontario_wedding_vendors, usda_farmers_markets, acceptbitcoincash, nexsavings_stores | open lists |
| lantern_fhir, opacapp_libraries, public_apis, eleventy_sites, defillama_adapters, hbci4java_banks, scamblocklist_whitelist | open lists |
| adguard_https_exclusions, grant_oauth, parcel_tracking, spamassassin_ham, tsurlfilter | open |
| ultimatehosts_whitelist, anudeepnd_whitelist, maigret_profiles, twofactorauth | MIT |
| open_terms_archive | EUPL |
| datenanfragen, localgovjp, tosback, passkeys, hexo_site, volantis, nju_blogroll, top_rss, spaceapi, hackclub_dns, tailwind_blog, devfolio, databroker, hackathons | public repositories, permissive, CC or GPL: trained on, nothing of them is copied |
| Tranco top 100k (2026-08-10): names only, for letter statistics and popular names | public list |
| https_sites: names of sites on Mozilla's list of those to be asked over HTTPS alone (2026-11), for the n-gram model alone | MPL-2.0, BSD-3-Clause |
| ways_in: default sign-in addresses of common software, made up: see *Ways in* | public documentation |
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
its users sign in; together they weigh a hundredth of what is benign. So is one phishing host in eighty, lest an address that no kit uses speak for any host. A fold leaves a quarter of the software out, and is tested at hosts of its own with what its fit knows (*ways in*) and with the rest (*other ways in*).
These rows are made up and count in no figure but their own. *At ways in* is the phishing whose whole path is such an address.

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
- Benign pages on free hosting are known mostly from developers. Where those are left out of the fit, free hosting gets several times its share of false alarms; shops and clubs on website builders are in that place.
- At a way in that software has by default (\`/login.php\`), the host alone is judged: phishing on a host that nobody would doubt is missed there. How often honest ones are asked about is not known.
- Addresses that machines ask, such as trackers and interfaces (*endpoint*), get the most false alarms.
- English, French, German and Polish are known best. Names in other languages read as more random than they are.
- Popularity is of mid-2026. A popular site that is taken over, or lets strangers publish without being listed as a platform, is judged too mildly.
- Training data ends in 2026-05: campaigns change, and the figures will fall month by month until it is trained anew.
`;
}
