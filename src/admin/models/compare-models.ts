import { assess } from '#src/engine/assess/assess.ts';
import type { Models } from '#src/engine/assess/models.ts';
import { assessSettings, type JudgementSettings } from '#src/engine/assess/settings.ts';
import { logOddsOf, sigmoid } from '#src/core/base/log-odds.ts';
import { type Decision, decide } from '#src/engine/fusion/decide.ts';
import { type Contribution, total } from '#src/engine/fusion/fuse.ts';
import { unobserved } from '#src/network/probes/observations.ts';
import type { CheckResult } from '#src/checks/record/check-result.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';

/** What one model says of a check. */
export interface Judgement {
  readonly probability: number;
  readonly decision: Decision;
}

/** What two models say of the same check. */
export interface Compared {
  readonly now: Judgement;
  readonly other: Judgement;
}

/** Tells what two models say of a check that is kept; null where what is kept of its URL cannot be judged. */
export type Compare = (kept: CheckResult) => Compared | null;

/**
 * Compares the models in force with others, as the settings have it. The URL is judged anew by both, as it is kept; what was
 * looked up then counts for both as it did then, since the log keeps what came of it and not what it was made of.
 *
 * @throws SettingsError where the settings do not fit the thresholds of either.
 */
export function createComparison(now: Models, other: Models, chosen: JudgementSettings): Compare {
  const sayNow = createJudge(now, chosen);
  const sayOther = createJudge(other, chosen);
  return (kept) => {
    const target = parseTarget(kept.analysis_details.normalized_url);
    return isTargetProblem(target) ? null : { now: sayNow(kept, target), other: sayOther(kept, target) };
  };
}

const NOTHING_SEEN = unobserved('disabled', { state: 'skipped', reason: 'disabled' });

function createJudge(models: Models, chosen: JudgementSettings) {
  const settings = assessSettings(chosen, models);
  const baseLogOdds = logOddsOf(settings.baseRate);
  return ({ analysis_details: { reasons, model_version: by } }: CheckResult, target: Target): Judgement => {
    const ofUrl =
      by === models.version ? reasons : assess(target, NOTHING_SEEN, models, settings).verdict.contributions;
    const logOdds = baseLogOdds + total(ofUrl.filter(isOfUrl)) + total(reasons.filter((reason) => !isOfUrl(reason)));
    const probability = sigmoid(logOdds);
    return { probability, decision: decide(probability, settings.thresholds) };
  };
}

/** Whether only the spelling of the URL decides it, whatever was looked up. */
function isOfUrl({ component }: Pick<Contribution, 'component'>): boolean {
  return component === 'url';
}
