import { logOddsOf } from '#src/core/base/log-odds.ts';
import type { Knowledge } from '#src/core/knowledge/index.ts';
import { unwrap } from '#src/core/unwrap/unwrap.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';
import type { Evidence } from '#src/engine/analyzers/analyzer.ts';
import { type BrandReading, brandOf, readBrands } from '#src/engine/analyzers/brand.ts';
import { ANALYZERS, type Component } from '#src/engine/analyzers/index.ts';
import { listsAnalyzer } from '#src/engine/analyzers/lists.ts';
import { type ConfiguredBrand, isOnBrandDomain } from '#src/engine/analyzers/page/configured-brand.ts';
import { type AnalyzedPage, analyzePage } from '#src/engine/analyzers/page.ts';
import {
  type Assessment,
  type BrandClaim,
  type Contribution,
  decide,
  decisiveReason,
  type EvidenceByComponent,
  fuse,
  type Thresholds,
  total,
  type Verdict,
  withMerged,
  withMore,
} from '#src/engine/fusion/fuse.ts';
import type { Observations } from '#src/network/probes/observations.ts';
import type { AssessSettings, Models } from './settings.ts';
import { type EvidenceReading, ofEachReading, readingsOf, readStop } from './stop-evidence.ts';
import { type AnalyzedPages, hopsOf, passedPages, stopsOf } from './stops.ts';
import { coverageOf, isEndUnseen, withoutForwarder } from './unseen-evidence.ts';

/** Input of {@link withMinimumWarning}. */
interface VisitSubject {
  readonly target: Target;
  readonly observations: Pick<Observations, 'page'>;
  readonly knowledge: Knowledge;
  readonly models: { readonly configuredBrands: readonly ConfiguredBrand[] };
}

/**
 * Reasons for at least a warning: hardly anything of the page was read, and the rest may ask for anything; or it shows the
 * look or the icon of the operator's own page.
 */
const WARNED_REASONS: ReadonlySet<string> = new Set([
  ...['page.too_little_read', 'page.padded'],
  ...['page.own_look', 'page.own_icon'],
]);

/** Reason for at least a warning of a URL that leans to phishing: honest sites have gates as well. */
const UNFOLLOWED_REASON = 'redirects.not_followed';

/** Reason for at least a warning of a brand's name under a country suffix: the site asks for a password, and may be anybody's. */
const FOREIGN_BRAND_REASON = 'page.asks_as_foreign_brand';

/** Margin above the threshold for rounding, in log-odds. */
const MARGIN = 1e-9;

/**
 * Returns the verdict on a page of which too little was read: at least a warning, unless the site is known to be good. If
 * the visit did not reach the page, only a URL that leans to phishing is warned of. A page that asks for a password in the
 * name of a brand, at a domain that may be the brand's, is warned of as well: nothing in its URL speaks against it.
 * The reason gets the missing weight, so that the reasons still add up.
 */
function withMinimumWarning(verdict: Verdict, subject: VisitSubject, { warn }: Thresholds): Verdict {
  const isReason = ({ code }: Contribution) =>
    WARNED_REASONS.has(code) ||
    (code === UNFOLLOWED_REASON && leansToPhishing(verdict)) ||
    (code === FOREIGN_BRAND_REASON && isGuessed(subject));
  const reason = verdict.contributions.find(isReason);
  const missing = logOddsOf(warn) + MARGIN - verdict.logOdds;
  if (reason === undefined || missing <= 0 || isKnownGood(verdict, subject)) return verdict;
  return withMore(verdict, reason, missing);
}

/**
 * Returns true if the spelling of the URL speaks for phishing. Of allowed URLs of the development data, 1.5 % of 2,443
 * benign ones and 89 % of 2,923 phishing ones do.
 */
function leansToPhishing({ contributions }: Verdict): boolean {
  return total(contributions.filter(({ component }) => component === 'url' || component === 'brand')) > 0;
}

function isGuessed({ target, observations: { page }, knowledge }: VisitSubject): boolean {
  const landed = landedOn(target, page);
  return landed !== null && knowledge.brands.possibleOwnersOf(landed.host).length > 0;
}

function landedOn(target: Target, page: Observations['page']): Target | null {
  const landed = page.state === 'observed' ? parseTarget(page.value.finalUrl) : target;
  return isTargetProblem(landed) ? null : landed;
}

/** Returns true if the site on which the visit ended is popular, a brand's own, or allowlisted. */
function isKnownGood(verdict: Verdict, { target, observations: { page }, knowledge, models }: VisitSubject): boolean {
  if (verdict.contributions.some(({ component, weight }) => component === 'lists' && weight < 0)) return true;
  const landed = landedOn(target, page);
  if (landed === null) return false;
  return (
    knowledge.popularityOf(landed) !== null ||
    readBrands(landed, knowledge).owner !== null ||
    models.configuredBrands.some((brand) => isOnBrandDomain(brand, landed.host))
  );
}

/** Share of the warning threshold from which a target is suspicious. */
const SUSPICIOUS_SHARE = 0.5;

/**
 * Returns true if a target is suspicious by all evidence but campaigns. Only then is a trait that it shares with others
 * a signal, and only then are its traits counted against others.
 */
export function reachesSuspicion(probability: number, { warn }: Thresholds): boolean {
  return probability >= SUSPICIOUS_SHARE * warn;
}

/**
 * Assesses a target: pure, and the one path of the API, the command line, training and re-scoring. The most suspicious
 * URL decides: the checked one, those wrapped inside it, and those that it leads to.
 *
 * @param pages the analyzed pages, if another thread has analyzed them.
 */
export function assess(
  target: Target,
  observations: Observations,
  models: Models,
  settings: AssessSettings,
  pages: AnalyzedPages = analyzePages(target, observations, models),
): Assessment {
  const { knowledge } = models;
  const brands = readBrands(target, knowledge);
  const page = pages.landing;
  const subject = { target, observations, models, knowledge, page, brands, isSuspicious: false };
  const evidence = new Map<Component, Evidence | null>();
  for (const analyzer of ANALYZERS) evidence.set(analyzer.component, analyzer.analyze(subject));
  const inner = unwrap(target);
  const stops = stopsOf(target, observations, pages).map((stop) => ({
    ...stop,
    ...readStop(stop, observations, models, evidence),
  }));
  const fused = (one: EvidenceByComponent, host: string) =>
    fuse(withoutForwarder(one, host, models.fusion), models.fusion, settings.baseRate);
  const verdictOf = ({ evidence: found, target: read, host, observations: seen }: EvidenceReading) =>
    withoutRepeatedReasons(
      withMinimumWarning(
        fused(found, host.text),
        { target: read, observations: seen, knowledge, models },
        settings.thresholds,
      ),
      settings.thresholds,
    );
  const weigh = () => {
    const own: EvidenceReading = { evidence, target, host: target.host, observations, brands, page };
    const readings = [...readingsOf(own, subject), ...stops.flatMap(({ whole }) => whole)];
    return readings
      .flatMap(ofEachReading)
      .map((reading) => ({ ...reading, verdict: verdictOf(reading) }))
      .reduce((worst, one) => (one.verdict.logOdds > worst.verdict.logOdds ? one : worst));
  };
  const withoutOthers = weigh();
  const isSuspicious = reachesSuspicion(withoutOthers.verdict.probability, settings.thresholds);
  const hasOthers = isSuspicious && observations.campaign?.state === 'observed';
  if (hasOthers) evidence.set('lists', listsAnalyzer.analyze({ ...subject, isSuspicious }));
  const meant = hasOthers ? weigh() : withoutOthers;
  const { verdict } = meant;
  const scoreOf = (url: string | null) => {
    const stop = stops.find((one) => one.target.url === url);
    return stop ? Math.max(...stop.alone.map((one) => fused(one, stop.target.host.text).probability)) : null;
  };
  return {
    verdict,
    decision: decide(verdict.probability, settings.thresholds),
    decidingHost: meant.host.text,
    thresholds: settings.thresholds,
    counterfactual: decisiveReason(verdict, settings.thresholds),
    brand: brandIdentity(meant.brands, meant.page),
    unwrappedUrls: inner.map(({ url }) => url),
    hops: hopsOf(observations).map((hop) => {
      const probability = scoreOf(hop.location);
      return { ...hop, probability, decision: probability === null ? null : decide(probability, settings.thresholds) };
    }),
    coverage: coverageOf(observations, (page?.isStandIn ?? false) || isEndUnseen(evidence)),
    modelVersion: models.version,
    isSuspicious,
  };
}

function analyzePages(
  target: Target,
  observations: Observations,
  { knowledge, configuredBrands }: Models,
): AnalyzedPages {
  return {
    landing: analyzePage({ target, observations, knowledge }, configuredBrands),
    passed: passedPages(target, observations).map((one) => analyzePage({ ...one, knowledge }, configuredBrands)),
  };
}

const MAX_DOMAINS = 8;

/** Returns the brand that the URL or its page claims, by the higher confidence; null if neither claims one. */
function brandIdentity(brands: BrandReading, page: AnalyzedPage | null): BrandClaim | null {
  const ofUrl = brandOf(brands);
  const ofPage = page?.claim ?? null;
  const surer = ofPage === null || (ofUrl !== null && ofUrl.confidence >= ofPage.confidence) ? ofUrl : ofPage;
  if (surer === null) return null;
  // A brand's table also has patterns (`google.*`), which are not domains.
  const domains = surer.brand.domains.filter((domain) => !domain.endsWith('*')).slice(0, MAX_DOMAINS);
  return { name: surer.brand.name, confidence: surer.confidence, domains };
}

/** Reasons that name a likeness to a brand; on an allowed site they would contradict the verdict. */
const LIKENESSES: ReadonlySet<string> = new Set(['brand.look_alike', 'brand.misspelling', 'brand.other_suffix']);

/**
 * Returns the same verdict without reasons that repeat another or contradict the decision. A homograph is named once,
 * by the sentence with the brand's domain. A likeness that is too weak for a warning is merged into the other patterns,
 * unless a list decided. The weights still add up.
 */
export function withoutRepeatedReasons(verdict: Verdict, thresholds: Thresholds): Verdict {
  const find = (meant: string) => verdict.contributions.find(({ code }) => code === meant);
  const [homograph, lookAlike] = [find('url.homograph_of_brand'), find('brand.look_alike')];
  const once = homograph && lookAlike ? withMerged(verdict, homograph, lookAlike) : verdict;
  if (decide(once.probability, thresholds) !== 'allow') return once;
  return once.contributions.some(isListed) ? once : withoutLikenesses(once);
}

function withoutLikenesses(verdict: Verdict): Verdict {
  const likenesses = verdict.contributions.filter(({ code }) => LIKENESSES.has(code));
  return likenesses.reduce((held, { code }) => {
    const likeness = held.contributions.find((one) => one.code === code);
    const others = held.contributions.find((one) => one.code === 'url.other_patterns');
    return likeness && others ? withMerged(held, likeness, others) : held;
  }, verdict);
}

function isListed({ component, weight }: Contribution): boolean {
  return component === 'lists' && weight < 0;
}
