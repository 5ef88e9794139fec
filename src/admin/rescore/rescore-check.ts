import { LIST_FEATURES, listsAnalyzer } from '#src/engine/analyzers/lists.ts';
import { assess } from '#src/engine/assess/assess.ts';
import type { AssessSettings, Models } from '#src/engine/assess/models.ts';
import { assessSettings } from '#src/engine/assess/settings.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { logOddsOf, sigmoid } from '#src/core/base/log-odds.ts';
import { decide } from '#src/engine/fusion/decide.ts';
import { type Contribution, total, weigh, withinVerdicts } from '#src/engine/fusion/fuse.ts';
import type { FusionModel } from '#src/engine/fusion/model.ts';
import { type LocalLists, openLists } from '#src/network/lists/local-lists.ts';
import type { ListSettings } from '#src/network/lists/settings.ts';
import { observeLists } from '#src/network/probes/lists.ts';
import { type Observations, unobserved } from '#src/network/probes/observations.ts';
import { visitOf } from '#src/network/probes/page-visit.ts';
import type { CheckResult } from '#src/checks/record/check-result.ts';
import { MASK } from '#src/checks/record/redact/mask.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';
import type { Judgement } from '#src/admin/models/compare-models.ts';
import { type CalibratedSettings, calibrated } from '#src/admin/active/calibrated.ts';
import { openModels } from '#src/admin/active/models.ts';
import { keptHops, subjectOf } from './stored-hops.ts';

/** What judges today. */
export interface Today {
  readonly models: Models;
  readonly settings: AssessSettings;
  readonly lists: LocalLists;
}

/** Opens what judges by these settings, for a process that checks nothing. Throws SettingsError. */
export async function openToday(config: CalibratedSettings & ListSettings): Promise<Today> {
  const [models, lists] = await Promise.all([openModels(config.data_dir), openLists(config)]);
  return { models, lists, settings: assessSettings(await calibrated(config, models.version), models) };
}

/** What a verdict that is another today comes from: what makes most of the difference; `settings` where no reason changed. */
export type Because = AnewPart | 'settings';

/** What was said of a check, and what is said of it today. */
export interface JudgedAgain {
  readonly was: Judgement;
  readonly now: Judgement;
  readonly because: Because;
  /** The strongest reason of {@link because}: of today or, as one that is no longer, of then; null where there is none. */
  readonly reason: string | null;
}

/** Judges a check that is kept; null where what is kept of its URL cannot be judged. */
export type JudgeAgain = (kept: CheckResult) => JudgedAgain | null;

/**
 * Judges what a log keeps by what is in force. The spelling of the URL, as it is kept, the brands in it and the lists are
 * judged anew; what was seen of its page, of DNS and so on, and what it shared with others, counts as it did then.
 */
export function createJudgeAgain({ models, settings, lists }: Today): JudgeAgain {
  const baseLogOdds = logOddsOf(settings.baseRate);
  const ofLists = (target: Target): readonly Reason[] => {
    const evidence = listsAnalyzer.analyze({
      observations: { lists: observeLists(lists, target, systemClock.now()) },
      models,
      isDoubted: false,
    });
    return evidence ? weigh('lists', evidence, models.fusion) : [];
  };
  return (kept) => {
    const { normalized_url: url, model_version: by } = kept.analysis_details;
    const target = parseTarget(url);
    if (isTargetProblem(target)) return null;
    const reasons = unbounded(kept, models.fusion);
    const isClone = reasons.some(({ code }) => code === 'page.own_brand_clone');
    const before = partsOf(reasons, isClone);
    const subject = subjectOf(kept, target);
    const seen = subject === target ? seenThen(kept, target) : NOTHING_SEEN;
    const spelling =
      by === models.version ? before : partsOf(assess(subject, seen, models, settings).verdict.contributions, isClone);
    const listed = ofLists(subject);
    const today = {
      url: spelling.url,
      brand: spelling.brand,
      // Behind a mask nobody can tell whether an entry still covers what stood there.
      lists: listed.length === 0 && subject.url.includes(MASK) ? before.lists : listed,
      rest: before.rest,
    };
    const probability = sigmoid(withinVerdicts(baseLogOdds + total(Object.values(today).flat())));
    const was = { probability: kept.malicious_probability, decision: kept.decision };
    const judgedBy = (said: number) => ({ probability: said, decision: decide(said, settings.thresholds) });
    // What no longer speaks against one URL may leave another as the most suspicious one.
    const isMilder = probability < kept.malicious_probability - NO_DIFFERENCE;
    const other = worstOf(kept, target, subject, isMilder);
    if (other === null || other.probability <= probability) {
      return { was, now: judgedBy(probability), ...differenceOf(before, today) };
    }
    return { was, now: judgedBy(other.probability), ...differenceOf(before, partsOf(other.reasons, isClone)) };
  };

  /**
   * The most suspicious of the other URLs on the way, each by itself; null if none has a say. The first and the last are
   * only scored if a list names them, or if `isForAll`: what was seen of their pages and hosts is not kept.
   */
  function worstOf(kept: CheckResult, asked: Target, subject: Target, isForAll: boolean): Worst | null {
    const hops = keptHops(kept);
    if (hops.length === 0) return null;
    const isOld = kept.analysis_details.model_version !== models.version;
    const ofUrl = (target: Target, then: number | null, isEnd: boolean): Worst[] => {
      const isSuspected = total(ofLists(target)) > 0;
      if (target.url === subject.url || (isEnd && !isSuspected && !isForAll)) return [];
      if (!isSuspected && !isOld && !isForAll && then !== null) return [{ probability: then, reasons: [] }];
      const seen = { ...NOTHING_SEEN, lists: observeLists(lists, target, systemClock.now()) };
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

/** What one URL on the way comes to. */
interface Worst {
  readonly probability: number;
  readonly reasons: readonly Reason[];
}

const NOTHING_SEEN = unobserved('disabled', { state: 'skipped', reason: 'disabled' });

type Reason = Pick<Contribution, 'component' | 'code' | 'message' | 'weight'>;

/** What is judged anew, by what changes it. */
const ANEW = ['url', 'brand', 'lists'] as const;
type AnewPart = (typeof ANEW)[number];
type Parts = Readonly<Record<AnewPart | 'rest', readonly Reason[]>>;

const OF_LISTS: ReadonlySet<string> = new Set(LIST_FEATURES);

/** What a list decides, whose weight is never smaller than the model has it. */
const DECIDED: ReadonlySet<string> = new Set([
  'lists.blocked',
  'lists.allowed',
  'lists.kept_blocked',
  'lists.kept_allowed',
]);

/** Where the page is a clone of an own portal, that is what tells that its brand is imitated, and pages are not kept. */
function partsOf(reasons: readonly Reason[], isClone: boolean): Parts {
  const { url = [], brand = [], lists = [], rest = [] } = Object.groupBy(reasons, (one) => partOf(one, isClone));
  return { url, brand, lists, rest };
}

function partOf({ component, code }: Pick<Reason, 'component' | 'code'>, isClone: boolean): AnewPart | 'rest' {
  if (code === 'brand.taught_imitated' && isClone) return 'rest';
  if (component === 'lists') return OF_LISTS.has(code) ? 'lists' : 'rest';
  return component === 'url' || component === 'brand' ? component : 'rest';
}

/** What is known of the visit that a brand's own domain is judged by; its page is not kept. */
function seenThen({ analysis_details: { final_url: finalUrl } }: CheckResult, target: Target): Observations {
  if (finalUrl === null) return NOTHING_SEEN;
  const page = visitOf(target, { contentLength: 0, document: null, finalUrl });
  return { ...NOTHING_SEEN, page: { state: 'observed', value: page, elapsedMs: 0 } };
}

/** As near to the bound of all verdicts as the rounding of sums leaves one that is at it. */
const AT_BOUND = 1e-6;

/** The reasons with their weights as they were before the whole was made smaller to fit the bound of all verdicts. */
function unbounded({ analysis_details: details }: CheckResult, { weights }: FusionModel): readonly Reason[] {
  const { reasons, base_log_odds: base } = details;
  if (Math.abs(base + total(reasons)) < withinVerdicts(Infinity) - AT_BOUND) return reasons;
  // Of lists it is known how much they add; of all else only how much it added.
  const listed = reasons.find(({ code }) => DECIDED.has(code));
  const full = listed && weights[listed.code]?.weight;
  if (!full || Math.abs(listed.weight) >= Math.abs(full)) return reasons;
  return reasons.map((reason) => ({ ...reason, weight: (reason.weight * full) / listed.weight }));
}

/** Smaller differences are of rounding. */
const NO_DIFFERENCE = 1e-9;

function differenceOf(before: Parts, today: Parts): Pick<JudgedAgain, 'because' | 'reason'> {
  let [because, most]: [Because, number] = ['settings', NO_DIFFERENCE];
  for (const part of ANEW) {
    const difference = Math.abs(total(today[part]) - total(before[part]));
    if (difference > most) [because, most] = [part, difference];
  }
  if (because === 'settings') return { because, reason: null };
  const [now, gone] = [strongestOf(today[because]), strongestOf(before[because])];
  return { because, reason: now ?? (gone === null ? null : `No longer: ${gone}`) };
}

function strongestOf(reasons: readonly Reason[]): string | null {
  return reasons.toSorted((a, b) => Math.abs(b.weight) - Math.abs(a.weight))[0]?.message ?? null;
}
