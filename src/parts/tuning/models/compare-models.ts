import type { CheckResult } from '#src/checks/record/check-result.ts';
import { logOddsOf, sigmoid } from '#src/core/base/log-odds.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';
import { assess } from '#src/engine/assess/assess.ts';
import { assessSettings, type Models, type VerdictSettings } from '#src/engine/assess/settings.ts';
import { type Contribution, type Decision, decide, total } from '#src/engine/fusion/fuse.ts';
import { skippedObservations } from '#src/network/probes/observations.ts';

/** Verdict of one model on a check. */
export interface ModelVerdict {
  readonly probability: number;
  readonly decision: Decision;
}

/** Two verdicts on one check. */
export interface VerdictPair {
  readonly was: ModelVerdict;
  readonly now: ModelVerdict;
}

/** Scores a stored check twice; null if its stored URL cannot be scored. */
export type Score<Pair extends VerdictPair = VerdictPair> = (result: CheckResult) => Pair | null;

/**
 * Compares the active models with others under the same settings. Both score the stored URL; all other evidence counts as it
 * did, because the log stores its weights and not the observations.
 *
 * @throws OperationError if the settings do not fit the thresholds of either
 */
export function createComparison(now: Models, other: Models, chosen: VerdictSettings): Score {
  const scoreNow = createScorer(now, chosen);
  const scoreOther = createScorer(other, chosen);
  return (result) => {
    const target = parseTarget(result.analysis_details.normalized_url);
    return isTargetProblem(target) ? null : { was: scoreNow(result, target), now: scoreOther(result, target) };
  };
}

const NO_OBSERVATIONS = skippedObservations('disabled', { state: 'skipped', reason: 'disabled' });

function createScorer(models: Models, chosen: VerdictSettings) {
  const settings = assessSettings(chosen, models);
  const baseLogOdds = logOddsOf(settings.baseRate);
  return ({ analysis_details: { reasons, model_version: by } }: CheckResult, target: Target): ModelVerdict => {
    const ofUrl =
      by === models.version ? reasons : assess(target, NO_OBSERVATIONS, models, settings).verdict.contributions;
    const logOdds = baseLogOdds + total(ofUrl.filter(isOfUrl)) + total(reasons.filter((reason) => !isOfUrl(reason)));
    const probability = sigmoid(logOdds);
    return { probability, decision: decide(probability, settings.thresholds) };
  };
}

/** Returns true if a contribution depends only on the spelling of the URL. */
function isOfUrl({ component }: Pick<Contribution, 'component'>): boolean {
  return component === 'url';
}
