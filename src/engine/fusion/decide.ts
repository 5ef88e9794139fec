import { sigmoid } from '#src/core/base/log-odds.ts';
import type { Contribution, Verdict } from './fuse.ts';

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
