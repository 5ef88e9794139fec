import type { Thresholds } from '#src/engine/fusion/decide.ts';

/** Share of the warning threshold from which a target is suspicious. */
const SUSPICIOUS_SHARE = 0.5;

/**
 * Returns true if a target is suspicious by all evidence but campaigns. Only then is a trait that it shares with others
 * a signal, and only then are its traits counted against others.
 */
export function reachesSuspicion(probability: number, { warn }: Thresholds): boolean {
  return probability >= SUSPICIOUS_SHARE * warn;
}
