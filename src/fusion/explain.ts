import { decisiveReason, type Thresholds } from './decide.ts';
import type { Verdict } from './fuse.ts';

/** One sentence on what would change the decision; null where no single reason would. */
export function counterfactual(verdict: Verdict, thresholds: Thresholds): string | null {
  const decisive = decisiveReason(verdict, thresholds);
  return decisive && `The decision would be “${decisive.decision}” without this: ${decisive.reason.message}`;
}
