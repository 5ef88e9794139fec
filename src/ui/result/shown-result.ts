import type { CheckResult } from '#src/record/check-result.ts';

/** A finished check and where it was kept. */
export interface ShownResult {
  readonly result: CheckResult;
  readonly isPrivate: boolean;
}
