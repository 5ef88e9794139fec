import type { Decision } from '#src/engine/fusion/decide.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { VerdictOutcome } from './check-one.ts';

/** How the inputs came out, for the exit code and the progress line. */
export type Tally = Record<Decision | 'failed', number>;

/** None has come out yet. */
export const emptyTally = (): Tally => ({ allow: 0, warn: 0, block: 0, failed: 0 });

/** Counts an outcome; parts of a message that were not read are none. */
export function count(tally: Tally, outcome: VerdictOutcome): void {
  if ('result' in outcome) tally[outcome.result.decision]++;
  else if (outcome.problem.not_read === undefined) tally.failed++;
}

/**
 * 0 done, 1 a line failed; with `failOn`, 10 where the worst decision is `warn` and 20 where it is `block`, as far as
 * that is what was asked to fail.
 */
export function exitCode(tally: Readonly<Tally>, failOn: string | undefined): ExitCode {
  if (failOn !== undefined && tally.block > 0) return 20;
  if (failOn === 'warn' && tally.warn > 0) return 10;
  return tally.failed > 0 ? 1 : 0;
}
