import { logOddsOf, sigmoid } from '#src/core/base/log-odds.ts';
import type { Evidence } from '#src/engine/analyzers/analyzer.ts';
import type { Component } from '#src/engine/analyzers/index.ts';
import type { GivenReason } from '#src/engine/reasons/reason.ts';
import type { FusionModel } from './model.ts';

/** A summand of a verdict, in log-odds (nats); a positive weight speaks for phishing. */
export interface Contribution<Name extends string = Component> extends GivenReason {
  readonly component: Name;
  readonly weight: number;
}

/** Findings of the analyzers; an absent component counts as one without evidence. */
export type EvidenceByComponent<Name extends string = Component> = ReadonlyMap<Name, Evidence | null>;

/** Result of the fusion. `logOdds` is `baseLogOdds` plus the weights of all contributions. */
export interface Verdict<Name extends string = Component> {
  readonly logOdds: number;
  /** Sigmoid of `logOdds`, strictly between 0 and 1. */
  readonly probability: number;
  readonly baseLogOdds: number;
  /** All contributions, the strongest first. */
  readonly contributions: readonly Contribution<Name>[];
  /** Sigmoid of the sum of a component's weights; null if it had nothing to classify. */
  readonly scores: Readonly<Partial<Record<Name, number | null>>>;
}

/**
 * Bound of every verdict, in log-odds: beyond it a double cannot represent 1 − p with the precision to which reasons
 * add up.
 */
const MAX_LOG_ODDS = 16;

/**
 * Weighs the evidence of all components. A component without evidence adds exactly 0.
 *
 * @param baseRate share of malicious URLs that is expected before any evidence, in (0, 1).
 */
export function fuse<Name extends string = Component>(
  evidence: EvidenceByComponent<Name>,
  model: FusionModel,
  baseRate: number,
): Verdict<Name> {
  const baseLogOdds = logOddsOf(baseRate);
  const scores: Partial<Record<Name, number | null>> = {};
  const all: Contribution<Name>[] = [];
  for (const [component, found] of evidence) {
    const own = found && weigh(component, found, model);
    scores[component] = own && sigmoid(total(own));
    if (own) all.push(...own);
  }
  const contributions = withinCertainty(all, baseLogOdds).toSorted((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
  const logOdds = baseLogOdds + total(contributions);
  return { logOdds, probability: sigmoid(logOdds), baseLogOdds, contributions, scores };
}

/**
 * Returns the contributions of one component, before the verdict is bounded. The terms of a model are single floats, which a
 * log stores in half the bytes.
 */
export function weigh<Name extends string>(
  component: Name,
  evidence: Evidence,
  model: FusionModel,
): readonly Contribution<Name>[] {
  if (evidence.features.length === 0 && evidence.terms.length === 0) return [];
  const features = evidence.features.map(({ name, value, args, ways }) =>
    contributionOf(component, { code: name, args, ways }, value * (model.weights[name]?.weight ?? 0)),
  );
  const terms = evidence.terms.map((term) =>
    contributionOf(component, term, Math.fround(term.logOdds * model.term_scale)),
  );
  const cap = model.caps[component];
  const contributions = [...(cap ? scaledInto(features, cap.min, cap.max) : features), ...terms];
  return contributions.filter(({ weight }) => weight !== 0);
}

/** Returns a contribution. Names each member, because the spread of an object takes a third longer. */
function contributionOf<Name extends string>(
  component: Name,
  { code, args, ways }: Pick<GivenReason, 'code' | 'args'> & { readonly ways?: GivenReason['ways'] | undefined },
  weight: number,
): Contribution<Name> {
  return ways ? { component, code, args, ways, weight } : { component, code, args, weight };
}

/** Returns the contributions, scaled by a common factor if their sum is out of bounds. */
function scaledInto<Name extends string>(
  contributions: readonly Contribution<Name>[],
  min: number,
  max: number,
): readonly Contribution<Name>[] {
  const sum = total(contributions);
  const bounded = Math.min(Math.max(sum, min), max);
  if (sum === bounded) return contributions;
  const factor = bounded / sum;
  return contributions.map((contribution) => ({ ...contribution, weight: contribution.weight * factor }));
}

function withinCertainty<Name extends string>(
  contributions: readonly Contribution<Name>[],
  baseLogOdds: number,
): readonly Contribution<Name>[] {
  return scaledInto(contributions, -MAX_LOG_ODDS - baseLogOdds, MAX_LOG_ODDS - baseLogOdds);
}

/** Returns the verdict with the weight of one contribution increased by `logOdds`. */
export function withMore(verdict: Verdict, reason: Contribution, logOdds: number): Verdict {
  const contributions = verdict.contributions
    .map((one) => (one === reason ? { ...one, weight: one.weight + logOdds } : one))
    .toSorted((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
  const sum = verdict.baseLogOdds + total(contributions);
  const own = contributions.filter(({ component }) => component === reason.component);
  const scores = { ...verdict.scores, [reason.component]: sigmoid(total(own)) };
  return { ...verdict, logOdds: sum, probability: sigmoid(sum), contributions, scores };
}

/** Returns the verdict with the weight of one contribution added to another, which replaces both. */
export function withMerged(verdict: Verdict, from: Contribution, into: Contribution): Verdict {
  const merged = { ...into, weight: into.weight + from.weight };
  const contributions = verdict.contributions
    .filter((one) => one !== from)
    .map((one) => (one === into ? merged : one))
    .toSorted((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
  const scoreOf = (component: Component) => {
    const own = contributions.filter((one) => one.component === component);
    return own.length === 0 ? null : sigmoid(total(own));
  };
  const scores = {
    ...verdict.scores,
    [from.component]: scoreOf(from.component),
    [into.component]: scoreOf(into.component),
  };
  return { ...verdict, contributions, scores };
}

/** Returns log-odds clamped to the range of verdicts. */
export function withinVerdicts(logOdds: number): number {
  return Math.min(Math.max(logOdds, -MAX_LOG_ODDS), MAX_LOG_ODDS);
}

/** Returns the sum of the weights, in log-odds. */
export function total(contributions: readonly Pick<Contribution, 'weight'>[]): number {
  let sum = 0;
  for (const { weight } of contributions) sum += weight;
  return sum;
}

/** Minimum probabilities of a warning and of a block. */
export interface Thresholds {
  readonly warn: number;
  readonly block: number;
}

export type Decision = 'allow' | 'warn' | 'block';

/** Returns the decision for a probability; a probability equal to a threshold reaches it. */
export function decide(probability: number, thresholds: Thresholds): Decision {
  if (probability >= thresholds.block) return 'block';
  return probability >= thresholds.warn ? 'warn' : 'allow';
}

/** The heaviest reason for phishing, and the milder decision without it. */
export interface Decisive {
  readonly reason: Contribution;
  readonly decision: Decision;
}

/** Returns the reason without which the decision would be milder; null if there is no single one. */
export function decisiveReason(verdict: Verdict, thresholds: Thresholds): Decisive | null {
  const decision = decide(verdict.probability, thresholds);
  const reason = verdict.contributions.find(({ weight }) => weight > 0);
  if (!reason) return null;
  const without = decide(sigmoid(verdict.logOdds - reason.weight), thresholds);
  return without === decision ? null : { reason, decision: without };
}

/** Brand that a URL or its page claims to belong to. */
export interface BrandClaim {
  readonly name: string;
  /** In [0, 1]. */
  readonly confidence: number;
  /** The brand's own domains. */
  readonly domains: readonly string[];
}

/**
 * How much of the page a verdict is based on.
 *
 * - `full`: the page of the landing site was fetched and parsed completely, or the client supplied it, and shows its content
 *   itself
 * - `partial`: part of the document was parsed, or a part of what it shows is drawn by scripts or in frames that were not
 *   read
 * - `url_only`: no page was parsed, or the one that answered was not the page of the site
 */
export type Coverage = 'full' | 'partial' | 'url_only';

/**
 * How a URL leads to another: `http` and `refresh` are followed, `frame` and, within a site, `script` and `form` if nothing
 * else leads on; `link` is only found in the page.
 */
export type HopKind = 'http' | 'refresh' | 'script' | 'form' | 'frame' | 'link';

/** A step from one URL to the next, with the score of the URL to which it leads. */
export interface AssessedHop {
  readonly url: string;
  /** Null for a hop that was not followed. */
  readonly status: number | null;
  /** Null if the hop names no usable URL. */
  readonly location: string | null;
  /** Address that answered for `url`; null for a hop that was not followed. */
  readonly address: string | null;
  readonly how: HopKind;
  readonly followed: boolean;
  /** Probability of `location` by its URL alone; null if there is none. */
  readonly probability: number | null;
  readonly decision: Decision | null;
}

/** Complete result of the engine for one target. */
export interface Assessment {
  readonly verdict: Verdict;
  readonly decision: Decision;
  /** Host of the URL whose reading is the verdict: the checked one, one wrapped inside it, or one to which it leads. */
  readonly decidingHost: string;
  readonly thresholds: Thresholds;
  /** Reason without which the decision would differ; null if there is no single one. */
  readonly counterfactual: Decisive | null;
  /** Null if no brand is claimed. */
  readonly brand: BrandClaim | null;
  /** Canonical URLs found inside the URL; each is scored, and the most suspicious one decides. */
  readonly unwrappedUrls: readonly string[];
  /** Followed hops in order, then those found in a page. */
  readonly hops: readonly AssessedHop[];
  readonly coverage: Coverage;
  readonly modelVersion: string;
  /** True if the target is suspicious by all evidence but that of campaigns. */
  readonly isSuspicious: boolean;
}
