import type { Decision } from '#src/fusion/decide.ts';
import type { ExitCode } from '../exit-codes.ts';

/** How the inputs came out, for the exit code and the progress line. */
export interface Tally {
  readonly counts: Record<Decision | 'failed', number>;
}

/**
 * 0 done, 1 a line failed; with `failOn`, 10 where the worst decision is `warn` and 20 where it is `block`, as far as
 * that is what was asked to fail.
 */
export function exitCode({ counts }: Tally, failOn: string | undefined): ExitCode {
  if (failOn !== undefined && counts.block > 0) return 20;
  if (failOn === 'warn' && counts.warn > 0) return 10;
  return counts.failed > 0 ? 1 : 0;
}
