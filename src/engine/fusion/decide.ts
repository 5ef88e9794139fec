import { sigmoid } from '#src/core/base/log-odds.ts';
import type { Contribution, Verdict } from './fuse.ts';

/** Probabilities from which on a URL is warned of, and blocked. */
export interface Thresholds {
  readonly warn: number;
  readonly block: number;
}

export type Decision = 'allow' | 'warn' | 'block';

/** The verdict for a probability: a threshold itself already belongs to what lies above it. */
export function decide(probability: number, thresholds: Thresholds): Decision {
  if (probability >= thresholds.block) return 'block';
  return probability >= thresholds.warn ? 'warn' : 'allow';
}

/** The one reason without which the decision would be milder, and that milder decision; null where no single one decides. */
export function decisiveReason(
  verdict: Verdict,
  thresholds: Thresholds,
): { reason: Contribution; decision: Decision } | null {
  const decision = decide(verdict.probability, thresholds);
  const reason = verdict.contributions.find(({ weight }) => weight > 0);
  if (!reason) return null;
  const without = decide(sigmoid(verdict.logOdds - reason.weight), thresholds);
  return without === decision ? null : { reason, decision: without };
}

/** One sentence on what would change the decision; null where no single reason would. */
export function counterfactual(verdict: Verdict, thresholds: Thresholds): string | null {
  const decisive = decisiveReason(verdict, thresholds);
  return decisive && `The decision would be “${decisive.decision}” without this: ${decisive.reason.message}`;
}
