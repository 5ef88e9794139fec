import type { Decision } from '#src/fusion/decide.ts';
import type { CheckResult } from '#src/record/check-result.ts';

/** A line that could not be checked, in the shape of an RFC 9457 problem with its place. */
export interface LineProblem {
  readonly type: 'about:blank';
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly url: string;
  readonly line: number;
}

/** What came of one input. */
export type CheckOutcome = { readonly result: CheckResult } | { readonly problem: LineProblem };

/** How the inputs came out, for the exit code and the progress line. */
export interface Tally {
  readonly counts: Record<Decision | 'failed', number>;
}

/**
 * 0 done, 1 a line failed; with `failOn`, 10 where the worst decision is `warn` and 20 where it is `block`, as far as
 * that is what was asked to fail.
 */
export function exitCode({ counts }: Tally, failOn: string | undefined): number {
  if (failOn !== undefined && counts.block > 0) return 20;
  if (failOn === 'warn' && counts.warn > 0) return 10;
  return counts.failed > 0 ? 1 : 0;
}
