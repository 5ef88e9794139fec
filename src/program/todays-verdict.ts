import { systemClock } from '#src/base/clock.ts';
import { observeLists } from '#src/probes/lists.ts';
import { unobserved } from '#src/probes/observations.ts';
import { needsCaution } from '#src/record/reasons/caution.ts';
import type { TodaysVerdict } from '#src/record/todays-verdict.ts';
import { isTargetProblem, parseTarget } from '#src/url/target.ts';
import type { Engine } from './engine.ts';

/** What the model and the lists in force say of a URL, without looking anything up; null where it cannot be checked. */
export function todaysVerdict(
  engine: Pick<Engine, 'assess' | 'lists' | 'modelVersion'>,
  url: string,
): TodaysVerdict | null {
  const target = parseTarget(url);
  if (isTargetProblem(target)) return null;
  const nowMs = systemClock.now();
  const observations = unobserved('disabled', observeLists(engine.lists, target, nowMs));
  const { verdict, decision } = engine.assess(target, observations);
  const { probability } = verdict;
  const judged = { base_log_odds: verdict.baseLogOdds, reasons: verdict.contributions };
  return {
    malicious_probability: probability,
    decision,
    caution: needsCaution({ decision, malicious_probability: probability, analysis_details: judged }),
    model_version: engine.modelVersion(),
    timestamp: new Date(nowMs).toISOString(),
  };
}
