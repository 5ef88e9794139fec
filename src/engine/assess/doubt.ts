import type { Thresholds } from '#src/engine/fusion/decide.ts';

/** Half as likely as what is warned of. */
const DOUBTED_SHARE = 0.5;

/**
 * Whether a target is doubted, by all that speaks for and against it but for what it shares with others: only then is that
 * a sign, and only then does what it has tell of others.
 */
export function isDoubtful(probability: number, { warn }: Thresholds): boolean {
  return probability >= DOUBTED_SHARE * warn;
}
