import { isHtml } from '#src/network/html/sniff.ts';
import type { Observations } from '#src/network/probes/observations.ts';
import type { PageVisit } from '#src/network/probes/page-visit.ts';
import type { Analyzer, Evidence, Feature } from './analyzer.ts';
import type { MeantBrand } from './brand-judge.ts';
import { foreignBrand, foreignBrandAsks, ownBrand } from './page/brand-signs.ts';
import { belongsElsewhere, linksToOneOtherSite, savedCopy, savedFolder } from './page/copy-signals.ts';
import {
  blocksInspection,
  encodedMarkup,
  hiddenText,
  lookAlikeWords,
  looksForBots,
  notSeenWhole,
  obfuscatedScript,
  padded,
  spelledText,
  spelledTitle,
  TOO_LITTLE_READ,
  tooLittleRead,
} from './page/evasion-signs.ts';
import { atHome } from './page/home-signal.ts';
import type { OwnBrand } from './page/configured-brand.ts';
import { ownBrandClone } from './page/own-brand-signs.ts';
import { readVisitedPage } from './page/page-reading.ts';
import type { ViewSubject } from './page/page-view.ts';
import {
  asksManySecrets,
  asksSeedPhrase,
  bareLogin,
  deadLinks,
  fieldsOverPicture,
  framesOtherSite,
  mailProviderChoice,
  manyPasswordForms,
  namesNobody,
  presetEmail,
} from './page/shape-signals.ts';
import type { Sign } from './page/signal.ts';
import { isStandIn } from './page/stand-in.ts';
import {
  postsToBot,
  postsToFormService,
  postsToKitScript,
  postsToOtherSite,
  postsUnencrypted,
} from './page/target-signals.ts';
import { kitMark, namelessTitle, urgency } from './page/wording-signals.ts';

const SIGNS = {
  'page.asks_as_foreign_brand': foreignBrandAsks,
  'page.foreign_brand': foreignBrand,
  'page.own_brand': ownBrand,
  'page.at_home': atHome,
  'page.posts_to_other_site': postsToOtherSite,
  'page.posts_unencrypted': postsUnencrypted,
  'page.posts_to_form_service': postsToFormService,
  'page.posts_to_bot': postsToBot,
  'page.posts_to_kit_script': postsToKitScript,
  'page.saved_copy': savedCopy,
  'page.saved_folder': savedFolder,
  'page.belongs_elsewhere': belongsElsewhere,
  'page.links_to_one_other_site': linksToOneOtherSite,
  'page.dead_links': deadLinks,
  'page.names_nobody': namesNobody,
  'page.nameless_title': namelessTitle,
  'page.bare_login': bareLogin,
  'page.fields_over_picture': fieldsOverPicture,
  'page.many_password_forms': manyPasswordForms,
  'page.mail_provider_choice': mailProviderChoice,
  'page.preset_email': presetEmail,
  'page.asks_seed_phrase': asksSeedPhrase,
  'page.asks_many_secrets': asksManySecrets,
  'page.frames_other_site': framesOtherSite,
  'page.spelled_title': spelledTitle,
  'page.spelled_text': spelledText,
  'page.encoded_markup': encodedMarkup,
  'page.obfuscated_script': obfuscatedScript,
  'page.blocks_inspection': blocksInspection,
  'page.looks_for_bots': looksForBots,
  'page.hidden_text': hiddenText,
  'page.look_alike_words': lookAlikeWords,
  'page.not_seen_whole': notSeenWhole,
  'page.padded': padded,
  'page.too_little_read': tooLittleRead,
  'page.urgency': urgency,
  'page.kit_mark': kitMark,
} as const satisfies Readonly<Record<string, Sign>>;

const OWN_BRAND_CLONE = 'page.own_brand_clone';

type SignName = keyof typeof SIGNS;

/** The name of a feature that the page analyzer may emit. */
export type PageFeatureName = SignName | typeof OWN_BRAND_CLONE;

const NAMES = Object.keys(SIGNS).filter((name): name is SignName => Object.hasOwn(SIGNS, name));

/** What was found on a page: plain data, so that a thread can answer with it. */
export interface JudgedPage {
  readonly evidence: Evidence<PageFeatureName>;
  /** What the page shows of the site that the link ended on, another one than it named; speaks for that site alone. */
  readonly atLanding: Feature<PageFeatureName> | null;
  /** True if another page answered in place of the site's own: see `isStandIn`. */
  readonly isStandIn: boolean;
  /** The brand that the page presents itself as, whether it is the brand's own or not; null where it presents none. */
  readonly claim: MeantBrand | null;
}

/**
 * Judges the page that a visit brought: what it asks for, in whose name, where that goes, and what it hides. Null where
 * none was read, which is no reason for trust. What a hostile page costs is bounded by what is kept of a page, and too much
 * for a thread that serves others.
 */
export function judgePage(subject: ViewSubject, ownBrands: readonly OwnBrand[]): JudgedPage | null {
  const page = readVisitedPage(subject);
  if (page === null) return null;
  const features: Feature<PageFeatureName>[] = [];
  for (const name of NAMES) {
    const finding = SIGNS[name](page);
    if (finding !== null) features.push({ name, ...finding });
  }
  const clone = ownBrandClone(page, ownBrands);
  if (clone !== null) features.push({ name: OWN_BRAND_CLONE, ...clone });
  const { claim } = page;
  const home = page.isElsewhere ? atHome({ ...page, isElsewhere: false }) : null;
  return {
    evidence: { features, terms: [] },
    isStandIn: subject.observations.page.state === 'observed' && isStandIn(page, subject.observations.page.value),
    atLanding: home && { name: 'page.at_home', ...home },
    claim: claim && { brand: claim.brand, confidence: claim.confidence },
  };
}

/** What the analyzer looks at. */
export interface PageSubject {
  readonly page: JudgedPage | null;
  readonly observations: Pick<Observations, 'page'>;
}

/** What {@link judgePage} found, or that nothing of a page could be read although there is one. */
export const pageAnalyzer: Analyzer<'page', PageSubject, PageFeatureName> = {
  component: 'page',
  features: [...NAMES, OWN_BRAND_CLONE],
  analyze({ page, observations }) {
    if (page !== null) return page.evidence;
    if (observations.page.state !== 'observed' || !isUnreadPage(observations.page.value)) return null;
    return { features: [{ name: 'page.too_little_read', value: 1, message: TOO_LITTLE_READ }], terms: [] };
  },
};

/** Whether a page began to arrive of which nothing was read: its body did not come, or its reading was ended. */
function isUnreadPage({ document, truncated, contentLength, headers, stopped }: PageVisit): boolean {
  if (document !== null) return false;
  if (stopped?.code === 'parser_budget_exceeded') return true;
  return truncated && contentLength === 0 && isHtml(new Uint8Array(), headers['content-type'] ?? 'text/html');
}
