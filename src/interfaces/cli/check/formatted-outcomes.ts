import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import { createFormatter, type FormatStyle, type Formatter, TSV } from './check-format.ts';
import type { CheckOutcome, LineProblem, VerdictOutcome } from './check-one.ts';
import { count, emptyTally, type Tally } from './tally.ts';

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
