import type { Mismatch } from '#src/message/mismatch.ts';
import type { CheckResult } from '#src/record/check-result.ts';

/** A finished check and where it was kept. */
export interface ShownResult {
  readonly result: CheckResult;
  readonly isPrivate: boolean;
  /** What the message said of the link that is not so; null where it said nothing, or the link came without one. */
  readonly mismatch: Mismatch | null;
}
