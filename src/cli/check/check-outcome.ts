import { visibleInTerminal } from '#src/base/foreign-text.ts';
import { batchOutput } from '../batched-output.ts';
import { wantsColour } from '../colour.ts';
import type { Invocation } from '../command.ts';
import type { Io } from '../io.ts';
import { createFormatter, type Format } from './check-format.ts';
import type { CheckOutcome, LineProblem } from './check-one.ts';
import { startProgress } from './progress.ts';
import type { Tally } from './tally.ts';

/** How outcomes are written. */
export interface OutcomeStyle extends Pick<Invocation, 'color' | 'isQuiet'> {
  readonly format: Format;
  /** Whether JSON is an array, however many there are. */
  readonly isList: boolean;
}

/** Writes outcomes as they come, and counts them. */
export async function writeOutcomes(
  outcomes: AsyncIterable<CheckOutcome>,
  { format, isList, color, isQuiet }: OutcomeStyle,
  io: Io,
): Promise<Tally> {
  const formatter = createFormatter({ format, isList, colour: wantsColour(io, color) });
  const tally: Tally = { counts: { allow: 0, warn: 0, block: 0, failed: 0 } };
  using _progress = isQuiet ? null : startProgress(tally, io);
  const output = batchOutput(io.stdout);
  for await (const outcome of outcomes) {
    tally.counts['result' in outcome ? outcome.result.decision : 'failed']++;
    await output.write(formatter.next(outcome));
    // A row of tsv has no room for the reason.
    if (format === 'tsv' && 'problem' in outcome) await io.stderr.write(describeProblem(outcome.problem));
  }
  await output.write(formatter.end());
  await output.flush();
  return tally;
}

function describeProblem({ line, detail }: LineProblem): string {
  return `lurecheck: line ${line}: ${visibleInTerminal(detail)}\n`;
}
