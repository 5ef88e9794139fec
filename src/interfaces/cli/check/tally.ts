import type { Decision } from '#src/engine/fusion/fuse.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { VerdictOutcome } from './check-one.ts';

/** Numbers of outcomes, for the exit code and the progress line. */
export type Tally = Record<Decision | 'failed', number>;

/** None has come out yet. */
export const emptyTally = (): Tally => ({ allow: 0, warn: 0, block: 0, failed: 0 });

/** Counts an outcome, but not unread parts of a message. */
export function count(tally: Tally, outcome: VerdictOutcome): void {
  if ('result' in outcome) tally[outcome.result.decision]++;
  else if (outcome.problem.not_read === undefined) tally.failed++;
}

/**
 * Returns 0 if all is done and 1 if a line failed. With `failOn`, returns 10 if the worst decision is `warn` and 20 if
 * it is `block`, provided that `failOn` includes it.
 */
export function exitCode(tally: Readonly<Tally>, failOn: string | undefined): ExitCode {
  if (failOn !== undefined && tally.block > 0) return 20;
  if (failOn === 'warn' && tally.warn > 0) return 10;
  return tally.failed > 0 ? 1 : 0;
}
