import { needsCaution } from '#src/checks/record/reasons/caution.ts';
import type { TodaysVerdict } from '#src/checks/record/todays-verdict.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';
import { observeLists } from '#src/network/probes/lists.ts';
import { skippedObservations } from '#src/network/probes/observations.ts';
import type { Engine } from './engine.ts';

/** Returns the verdict on a URL by the active model and lists, without lookups; null if the URL cannot be checked. */
export function todaysVerdict(
  engine: Pick<Engine, 'assess' | 'lists' | 'modelVersion'>,
  url: string,
): TodaysVerdict | null {
  const target = parseTarget(url);
  if (isTargetProblem(target)) return null;
  const nowMs = systemClock.now();
  const observations = skippedObservations('disabled', observeLists(engine.lists, target, nowMs));
  const { verdict, decision } = engine.assess(target, observations);
  const { probability } = verdict;
  const scored = { base_log_odds: verdict.baseLogOdds, reasons: verdict.contributions };
  return {
    malicious_probability: probability,
    decision,
    caution: needsCaution({ decision, malicious_probability: probability, analysis_details: scored }),
    model_version: engine.modelVersion(),
    timestamp: new Date(nowMs).toISOString(),
  };
}
