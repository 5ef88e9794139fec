import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import { createFormatter, type FormatStyle } from './check-format.ts';
import type { CheckOutcome, LineProblem } from './check-one.ts';
import { emptyTally, type Tally } from './tally.ts';

/** Outcomes as they are printed, one after the other: plain data, which may come from another thread. */
export interface WrittenOutcomes {
  /** Without what stands before the first of all and behind the last; empty where there are none. */
  readonly text: string;
  /** What stderr is told of them. */
  readonly complaints: string;
  readonly tally: Readonly<Tally>;
}

/** Writes outcomes down. */
export function writeDown(outcomes: Iterable<CheckOutcome>, style: FormatStyle): WrittenOutcomes {
  const formatter = createFormatter(style);
  const tally = emptyTally();
  let text = '';
  let complaints = '';
  for (const outcome of outcomes) {
    tally['result' in outcome ? outcome.result.decision : 'failed']++;
    text += (text === '' ? '' : formatter.around.between) + formatter.write(outcome);
    // A row of tsv has no room for the reason.
    if (style.format === 'tsv' && 'problem' in outcome) complaints += describeProblem(outcome.problem);
  }
  return { text, complaints, tally };
}

function describeProblem({ line, detail }: LineProblem): string {
  return `lurecheck: line ${line}: ${visibleInTerminal(detail)}\n`;
}
