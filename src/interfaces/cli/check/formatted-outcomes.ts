import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import type { Decision } from '#src/engine/fusion/fuse.ts';
import type { ExitCode } from '../exit-codes.ts';
import { createFormatter, type FormatStyle, type Formatter, TSV } from './check-format.ts';
import type { CheckOutcome, LineProblem, VerdictOutcome } from './check-one.ts';

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

/** Outcomes as they are printed, one after the other: plain data, which may come from another thread. */
export interface FormattedOutcomes {
  /** Text without the surrounding texts of the whole output; empty if there are no outcomes. */
  readonly text: string;
  /** Lines for stderr. */
  readonly diagnostics: string;
  readonly tally: Readonly<Tally>;
}

/** Writes outcomes in a format. */
export function formatOutcomes(outcomes: Iterable<CheckOutcome>, style: FormatStyle): FormattedOutcomes {
  return formatted(outcomes, createFormatter(style), style.format === 'tsv');
}

/** Writes verdicts as tsv. */
export function formatVerdicts(outcomes: Iterable<VerdictOutcome>): FormattedOutcomes {
  return formatted(outcomes, TSV, true);
}

/** @param complains a row of tsv has no room for the reason of a problem */
function formatted<Outcome extends VerdictOutcome>(
  outcomes: Iterable<Outcome>,
  formatter: Formatter<Outcome>,
  complains: boolean,
): FormattedOutcomes {
  const tally = emptyTally();
  let text = '';
  let diagnostics = '';
  for (const outcome of outcomes) {
    count(tally, outcome);
    text += (text === '' ? '' : formatter.around.between) + formatter.write(outcome);
    if (complains && 'problem' in outcome) diagnostics += describeProblem(outcome.problem);
  }
  return { text, diagnostics, tally };
}

function describeProblem({ line, detail }: LineProblem): string {
  return `lurecheck: line ${line}: ${visibleInTerminal(detail)}\n`;
}
