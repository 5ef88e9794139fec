import type { Mismatch } from '#src/message/mismatch.ts';
import type { CheckResult } from '#src/record/check-result.ts';
import { isWary } from '#src/record/reasons/wary.ts';
import type { Look } from '../elements/look.ts';

/** A finished check and where it was kept. */
export interface ShownResult {
  readonly result: CheckResult;
  /** By which a link to it is verified; null where there is none. */
  readonly signature: string | null;
  /** Null where that is not known: it came with a link. */
  readonly isPrivate: boolean | null;
  /** What the message said of the link that is not so; null where it said nothing, or the link came without one. */
  readonly mismatch: Mismatch | null;
}

/** How the verdict looks: nothing is called harmless of which a sign or the message itself tells otherwise. */
export function lookOf({ result, mismatch }: Pick<ShownResult, 'result' | 'mismatch'>): Look {
  const isDoubtful = isWary(result) || (mismatch !== null && result.decision === 'allow');
  return isDoubtful ? 'wary' : result.decision;
}
