import type { ReasonCode } from '#src/engine/reasons/reason.ts';
import { syntaxOfType } from '#src/network/html/sniff.ts';
import type { Observations } from '#src/network/probes/observations.ts';
import type { PageVisit } from '#src/network/probes/page-visit.ts';
import { type Analyzer, type Evidence, type Feature, feature } from './analyzer.ts';
import type { MeantBrand } from './brand-findings.ts';
import {
  belongsElsewhere,
  linksToOneOtherSite,
  postsToBot,
  postsToFormService,
  postsToKitScript,
  postsToOtherSite,
  postsUnencrypted,
  savedCopy,
  savedFolder,
} from './page/address-signals.ts';
import { readVisitedPage } from './page/brand-claim.ts';
import { atHome, configuredBrandClone, foreignBrand, foreignBrandAsks, ownBrand } from './page/brand-signals.ts';
import type { ConfiguredBrand } from './page/configured-brand.ts';
import {
  blocksInspection,
  drawnByScript,
  encodedMarkup,
  hiddenText,
  lookAlikeWords,
  looksForBots,
  notSeenWhole,
  obfuscatedScript,
  padded,
  spelledText,
  spelledTitle,
  tooLittleRead,
  unreadFrame,
  unreadPicture,
} from './page/evasion-signals.ts';
import { OWN_PRINT_FEATURES, type OwnPrintFeature, ownPrints } from './page/own-prints.ts';
import type { ViewSubject } from './page/page-view.ts';
import {
  asksManySecrets,
  asksSeedPhrase,
  bareLogin,
  deadLinks,
  fieldsOverPicture,
  framesOtherSite,
  kitMark,
  mailProviderChoice,
  manyPasswordForms,
  namelessTitle,
  namesNobody,
  presetEmail,
  urgency,
} from './page/shape-signals.ts';
import type { Signal } from './page/signal.ts';
import { isStandIn } from './page/stand-in.ts';

const SIGNALS = {
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
  'page.drawn_by_script': drawnByScript,
  'page.unread_frame': unreadFrame,
  'page.unread_picture': unreadPicture,
  'page.urgency': urgency,
  'page.kit_mark': kitMark,
} as const satisfies { readonly [Code in Extract<ReasonCode, `page.${string}`>]?: Signal<Code> };

const CONFIGURED_BRAND_CLONE = 'page.own_brand_clone';
const UNREAD_DOCUMENT = 'page.unread_document';

type SignalName = keyof typeof SIGNALS;

/** Name of a feature of the page analyzer. */
export type PageFeatureName = SignalName | OwnPrintFeature | typeof CONFIGURED_BRAND_CLONE | typeof UNREAD_DOCUMENT;

const NAMES = Object.keys(SIGNALS).filter((name): name is SignalName => Object.hasOwn(SIGNALS, name));

/** Findings on a page: plain data that a thread can return. */
export interface AnalyzedPage {
  readonly evidence: Evidence<PageFeatureName>;
  /**
   * Features of its own site that the page shows on the site on which the link ended; they speak for that site only.
   */
  readonly atLanding: Feature<PageFeatureName> | null;
  /** Features of the look of a configured page, which count unless the operator has confirmed the site. */
  readonly ownPrints: readonly Feature<OwnPrintFeature>[];
  /** The page in its other reading; null if there is only one. The more suspicious one decides. */
  readonly alternative: AnalyzedPage | null;
  /** True if another page was served instead of the site's own: see `isStandIn`. */
  readonly isStandIn: boolean;
  /** Brand that the page presents itself as, its own or not; null if none. */
  readonly claim: MeantBrand | null;
}

/**
 * Analyzes the page of a visit: what it asks for, in whose name, where that is sent, and what it hides. Null if no page
 * was read, which is no reason for trust. The cost of a hostile page is bounded by the limits of the parser, but too
 * high for a thread that serves others.
 */
export function analyzePage(subject: ViewSubject, configuredBrands: readonly ConfiguredBrand[]): AnalyzedPage | null {
  const page = readVisitedPage(subject);
  if (page === null) return null;
  const features: Feature<PageFeatureName>[] = [];
  for (const name of NAMES) {
    const finding = SIGNALS[name](page);
    if (finding !== null) features.push({ name, ...finding });
  }
  const clone = configuredBrandClone(page, configuredBrands);
  if (clone !== null) features.push({ name: CONFIGURED_BRAND_CLONE, ...clone });
  const { claim } = page;
  const home = page.isElsewhere ? atHome({ ...page, isElsewhere: false }) : null;
  return {
    evidence: { features, terms: [] },
    alternative: analyzeAlternative(subject, configuredBrands),
    isStandIn: subject.observations.page.state === 'observed' && isStandIn(page, subject.observations.page.value),
    ownPrints: ownPrints(page, configuredBrands),
    atLanding: home && { name: 'page.at_home', ...home },
    claim: claim && { brand: claim.brand, confidence: claim.confidence },
  };
}

function analyzeAlternative(subject: ViewSubject, configuredBrands: readonly ConfiguredBrand[]): AnalyzedPage | null {
  const { page } = subject.observations;
  const alternative = page.state === 'observed' ? page.value.document?.alternative : undefined;
  if (page.state !== 'observed' || alternative === undefined) return null;
  const observations = { ...subject.observations, page: { ...page, value: { ...page.value, document: alternative } } };
  return analyzePage({ ...subject, observations }, configuredBrands);
}

/** Input of the page analyzer. */
export interface PageSubject {
  readonly page: AnalyzedPage | null;
  readonly observations: Pick<Observations, 'page'> & Partial<Pick<Observations, 'lists'>>;
}

/** Returns the findings of {@link analyzePage}, or that nothing of an existing page could be read. */
export const pageAnalyzer: Analyzer<'page', PageSubject, PageFeatureName> = {
  component: 'page',
  features: [...NAMES, ...OWN_PRINT_FEATURES, CONFIGURED_BRAND_CLONE, UNREAD_DOCUMENT],
  analyze({ page, observations }) {
    if (page !== null) return withOwnPrints(page, observations);
    if (observations.page.state !== 'observed') return null;
    const { value: visit } = observations.page;
    if (visit.stopped?.code === 'content_unread') return { features: [feature(UNREAD_DOCUMENT, 1, {})], terms: [] };
    return isUnreadPage(visit) ? { features: [feature('page.too_little_read', 1, {})], terms: [] } : null;
  },
};

function withOwnPrints(
  { evidence, ownPrints: found }: AnalyzedPage,
  { lists }: PageSubject['observations'],
): Evidence<PageFeatureName> {
  const hits = lists?.state === 'observed' ? lists.value : null;
  const isConfirmed = hits !== null && (hits.allowed !== null || hits.kept?.some(({ action }) => action === 'allow'));
  return found.length === 0 || isConfirmed ? evidence : { ...evidence, features: [...evidence.features, ...found] };
}

/** Returns true if a page began to arrive but nothing was read: its body is missing, or the parser was stopped. */
function isUnreadPage({ document, truncated, contentLength, headers, stopped }: PageVisit): boolean {
  if (document !== null) return false;
  if (stopped?.code === 'parser_budget_exceeded') return true;
  const type = headers['content-type'] ?? 'text/html';
  return truncated && contentLength === 0 && syntaxOfType(type) !== null;
}
