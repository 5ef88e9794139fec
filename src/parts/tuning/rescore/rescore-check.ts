import { type CalibratedSettings, calibrated } from '#src/admin/active/calibrated.ts';
import type { ScoringContext } from '#src/admin/active/scoring-context.ts';
import { openModels } from '#src/app/scoring/classifier.ts';
import type { CheckResult } from '#src/checks/record/check-result.ts';
import { MASK } from '#src/checks/record/redact/mask.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { logOddsOf, sigmoid } from '#src/core/base/log-odds.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';
import { LIST_FEATURES, listsAnalyzer } from '#src/engine/analyzers/lists.ts';
import { assess } from '#src/engine/assess/assess.ts';
import { assessSettings } from '#src/engine/assess/settings.ts';
import { type Contribution, decide, total, weigh, withinVerdicts } from '#src/engine/fusion/fuse.ts';
import type { FusionModel } from '#src/engine/fusion/model.ts';
import { sentenceOf } from '#src/engine/reasons/sentence.ts';
import { openLists } from '#src/network/lists/local-lists.ts';
import type { ListSettings } from '#src/network/lists/settings.ts';
import { observeLists } from '#src/network/probes/lists.ts';
import { type Observations, skippedObservations } from '#src/network/probes/observations.ts';
import { visitOf } from '#src/network/probes/page-visit.ts';
import type { Score, VerdictPair } from '#src/parts/tuning/models/compare-models.ts';

/** Opens the scoring context for a process that runs no checks. Throws OperationError. */
export async function openScoringContext(config: CalibratedSettings & ListSettings): Promise<ScoringContext> {
  const [models, lists] = await Promise.all([openModels(config.data_dir), openLists(config)]);
  return { models, lists, settings: assessSettings(await calibrated(config, models.version), models) };
}

/** Main cause of a changed verdict; `settings` if no reason changed. */
type ChangeCause = RescoredPart | 'settings';

/** Stored and current verdict of a check. */
export interface RescoredCheck extends VerdictPair {
  readonly because: ChangeCause;
  /** Strongest reason of {@link because}, current or no longer present; null if there is none. */
  readonly reason: string | null;
}

/** Re-scores a stored check; null if its stored URL cannot be scored. */
export type RescoreCheck = Score<RescoredCheck>;

/**
 * Creates a function that re-scores stored checks with the active model. URL, brands and lists are scored again.
 * Evidence from page, DNS and campaigns keeps its stored weight.
 */
export function createRescorer({ models, settings, lists }: ScoringContext): RescoreCheck {
  const baseLogOdds = logOddsOf(settings.baseRate);
  const ofLists = (target: Target): readonly Reason[] => {
    const evidence = listsAnalyzer.analyze({
      observations: { lists: observeLists(lists, target, systemClock.now()) },
      models,
      isSuspicious: false,
    });
    return evidence ? weigh('lists', evidence, models.fusion) : [];
  };
  return (result) => {
    const { normalized_url: url, model_version: by } = result.analysis_details;
    const target = parseTarget(url);
    if (isTargetProblem(target)) return null;
    const reasons = unbounded(result, models.fusion);
    const isClone = reasons.some(({ code }) => code === 'page.own_brand_clone');
    const before = partsOf(reasons, isClone);
    const subject = subjectOf(result, target);
    const seen = subject === target ? storedVisit(result, target) : NO_OBSERVATIONS;
    const spelling =
      by === models.version ? before : partsOf(assess(subject, seen, models, settings).verdict.contributions, isClone);
    const listed = ofLists(subject);
    const today = {
      url: spelling.url,
      brand: spelling.brand,
      // If the URL is masked, it is unknown whether an entry still covers it.
      lists: listed.length === 0 && subject.url.includes(MASK) ? before.lists : listed,
      rest: before.rest,
    };
    const probability = sigmoid(withinVerdicts(baseLogOdds + total(Object.values(today).flat())));
    const was = { probability: result.malicious_probability, decision: result.decision };
    const decidedBy = (said: number) => ({ probability: said, decision: decide(said, settings.thresholds) });
    // What no longer speaks against one URL may leave another as the most suspicious one.
    const isMilder = probability < result.malicious_probability - NO_DIFFERENCE;
    const other = mostSuspiciousOf(result, target, subject, isMilder);
    if (other === null || other.probability <= probability) {
      return { was, now: decidedBy(probability), ...differenceOf(before, today) };
    }
    return { was, now: decidedBy(other.probability), ...differenceOf(before, partsOf(other.reasons, isClone)) };
  };

  /**
   * Returns the most suspicious other URL of the redirect chain; null if none applies. The first and last URL are scored only
   * if a list names them, or if `isForAll`: their pages are not stored.
   */
  function mostSuspiciousOf(
    result: CheckResult,
    asked: Target,
    subject: Target,
    isForAll: boolean,
  ): MostSuspicious | null {
    const hops = storedHops(result);
    if (hops.length === 0) return null;
    const isOld = result.analysis_details.model_version !== models.version;
    const ofUrl = (target: Target, then: number | null, isEnd: boolean): MostSuspicious[] => {
      const isSuspected = total(ofLists(target)) > 0;
      if (target.url === subject.url || (isEnd && !isSuspected && !isForAll)) return [];
      if (!isSuspected && !isOld && !isForAll && then !== null) return [{ probability: then, reasons: [] }];
      const seen = { ...NO_OBSERVATIONS, lists: observeLists(lists, target, systemClock.now()) };
      const { verdict } = assess(target, seen, models, settings);
      return [{ probability: verdict.probability, reasons: verdict.contributions }];
    };
    const all = [
      ...ofUrl(asked, null, true),
      ...hops.flatMap(({ target, probability, isLanding }) => ofUrl(target, probability, isLanding)),
    ];
    return all.toSorted((a, b) => b.probability - a.probability)[0] ?? null;
  }
}

/** Score of one URL of the redirect chain. */
interface MostSuspicious {
  readonly probability: number;
  readonly reasons: readonly Reason[];
}

const NO_OBSERVATIONS = skippedObservations('disabled', { state: 'skipped', reason: 'disabled' });

/** A current reason, or a stored one with its sentence. */
type Reason = Contribution & { readonly message?: string };

/** Parts that are scored again. */
const RESCORED = ['url', 'brand', 'lists'] as const;
type RescoredPart = (typeof RESCORED)[number];
type Parts = Readonly<Record<RescoredPart | 'rest', readonly Reason[]>>;

const OF_LISTS: ReadonlySet<string> = new Set(LIST_FEATURES);

/** Reasons of deciding lists, whose weight is never below the model's. */
const DECIDED: ReadonlySet<string> = new Set([
  'lists.blocked',
  'lists.allowed',
  'lists.kept_blocked',
  'lists.kept_allowed',
]);

/**
 * Splits reasons by part. For a clone of a configured portal, the imitated brand follows from the page, which is not stored.
 */
function partsOf(reasons: readonly Reason[], isClone: boolean): Parts {
  const { url = [], brand = [], lists = [], rest = [] } = Object.groupBy(reasons, (one) => partOf(one, isClone));
  return { url, brand, lists, rest };
}

function partOf({ component, code }: Pick<Reason, 'component' | 'code'>, isClone: boolean): RescoredPart | 'rest' {
  if (code === 'brand.taught_imitated' && isClone) return 'rest';
  if (component === 'lists') return OF_LISTS.has(code) ? 'lists' : 'rest';
  return component === 'url' || component === 'brand' ? component : 'rest';
}

/** Creates a function that scores stored checks in two contexts. */
export function createPairScorer(before: ScoringContext, after: ScoringContext): RescoreCheck {
  const [scoreBefore, scoreAfter] = [createRescorer(before), createRescorer(after)];
  return (result) => {
    const [was, now] = [scoreBefore(result), scoreAfter(result)];
    return was && now && { ...now, was: was.now };
  };
}

/** Returns the stored visit by which a brand's own domain is scored; its page is not stored. */
function storedVisit({ analysis_details: { final_url: finalUrl } }: CheckResult, target: Target): Observations {
  if (finalUrl === null) return NO_OBSERVATIONS;
  const page = visitOf(target, { contentLength: 0, document: null, finalUrl });
  return { ...NO_OBSERVATIONS, page: { state: 'observed', value: page, elapsedMs: 0 } };
}

/** Rounding tolerance of a sum that is at the bound of all verdicts. */
const AT_BOUND = 1e-6;

/** Returns the reasons with their weights before they were scaled to the bound of all verdicts. */
function unbounded({ analysis_details: details }: CheckResult, { weights }: FusionModel): readonly Reason[] {
  const { reasons, base_log_odds: base } = details;
  if (Math.abs(base + total(reasons)) < withinVerdicts(Infinity) - AT_BOUND) return reasons;
  // Of lists it is known how much they add; of all else only how much it added.
  const listed = reasons.find(({ code }) => DECIDED.has(code));
  const full = listed && weights[listed.code]?.weight;
  if (!full || Math.abs(listed.weight) >= Math.abs(full)) return reasons;
  return reasons.map((reason) => ({ ...reason, weight: (reason.weight * full) / listed.weight }));
}

/** Differences below this are rounding errors. */
const NO_DIFFERENCE = 1e-9;

function differenceOf(before: Parts, today: Parts): Pick<RescoredCheck, 'because' | 'reason'> {
  let [because, most]: [ChangeCause, number] = ['settings', NO_DIFFERENCE];
  for (const part of RESCORED) {
    const difference = Math.abs(total(today[part]) - total(before[part]));
    if (difference > most) [because, most] = [part, difference];
  }
  if (because === 'settings') return { because, reason: null };
  const [now, gone] = [strongestOf(today[because]), strongestOf(before[because])];
  return { because, reason: now ?? (gone === null ? null : `No longer: ${gone}`) };
}

function strongestOf(reasons: readonly Reason[]): string | null {
  const [strongest] = reasons.toSorted((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
  return strongest ? (strongest.message ?? sentenceOf(strongest)) : null;
}

type Redirect = CheckResult['analysis_details']['redirects'][number];

/** A URL of a stored redirect chain. */
interface StoredHop {
  readonly target: Target;
  /** Its probability by URL alone; null in records of version 0.1. */
  readonly probability: number | null;
  /** True for the last URL: its page is not stored, so it is scored only if a list names it. */
  readonly isLanding: boolean;
}

/** Returns the URLs of a stored redirect chain, each once. */
function storedHops({ analysis_details: { redirects, final_url } }: CheckResult): StoredHop[] {
  const hops = redirects.flatMap(({ location, malicious_probability: probability }): StoredHop[] => {
    const target = targetOf(location);
    return target ? [{ target, probability, isLanding: location === final_url }] : [];
  });
  return [...new Map(hops.map((hop) => [hop.target.url, hop])).values()];
}

/** Returns the URL that a stored verdict is about: the checked one, or the hop that its reasons name. */
function subjectOf(result: CheckResult, asked: Target): Target {
  const { reasons, redirects } = result.analysis_details;
  const subject = reasons.find(({ component, args }) => isOfUrl(component) && args['how'] !== undefined)?.args;
  if (subject === undefined) return asked;
  const isSubject = (hop: Redirect) =>
    hop.how === subject['how'] && targetOf(hop.location)?.host.text === subject['inside'];
  return targetOf(redirects.find(isSubject)?.location ?? null) ?? asked;
}

/** Returns true if the reasons of a component name the URL that they are about. */
function isOfUrl(component: string): boolean {
  return component === 'url' || component === 'brand' || component === 'lists';
}

function targetOf(url: string | null): Target | null {
  const target = url === null ? null : parseTarget(url);
  return target === null || isTargetProblem(target) ? null : target;
}
