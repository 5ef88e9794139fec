import type { Io } from '#src/core/base/io.ts';
import { batchOutput } from '../batched-output.ts';
import { createFormatter, createSequence, type FormatStyle } from './check-format.ts';
import type { FormattedOutcomes } from './formatted-outcomes.ts';
import { type Progress, startProgress } from './progress.ts';
import { emptyTally, type Tally } from './tally.ts';

/** Prints outcomes as they come, and counts them. */
export async function printOutcomes(
  outcomes: AsyncIterable<FormattedOutcomes>,
  { style, isQuiet }: { readonly style: FormatStyle; readonly isQuiet: boolean },
  io: Io,
): Promise<Tally> {
  const sequence = createSequence(createFormatter(style));
  const total = emptyTally();
  using _progress = isQuiet ? null : startProgress(() => progressOf(total), io);
  const output = batchOutput(io.stdout);
  for await (const { text, diagnostics, tally } of outcomes) {
    for (const how of Object.keys(total) as (keyof Tally)[]) total[how] += tally[how];
    if (text !== '') await output.write(sequence.next(text));
    if (diagnostics !== '') await io.stderr.write(diagnostics);
  }
  await output.write(sequence.end());
  await output.flush();
  return total;
}

function progressOf({ allow, warn, block, failed }: Readonly<Tally>): Progress {
  const done = allow + warn + block + failed;
  return { done, words: `${done} checked, ${warn} warn, ${block} block, ${failed} failed` };
}
