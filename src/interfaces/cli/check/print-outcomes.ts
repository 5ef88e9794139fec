import { batchOutput } from '../batched-output.ts';
import type { Io } from '#src/core/base/io.ts';
import { createFormatter, createSequence, type FormatStyle } from './check-format.ts';
import { type Progress, startProgress } from './progress.ts';
import { emptyTally, type Tally } from './tally.ts';
import type { WrittenOutcomes } from './formatted-outcomes.ts';

/** Prints outcomes as they come, and counts them. */
export async function printOutcomes(
  outcomes: AsyncIterable<WrittenOutcomes>,
  { style, isQuiet }: { readonly style: FormatStyle; readonly isQuiet: boolean },
  io: Io,
): Promise<Tally> {
  const sequence = createSequence(createFormatter(style));
  const total = emptyTally();
  using _progress = isQuiet ? null : startProgress(() => progressOf(total), io);
  const output = batchOutput(io.stdout);
  for await (const { text, complaints, tally } of outcomes) {
    for (const how of Object.keys(total) as (keyof Tally)[]) total[how] += tally[how];
    if (text !== '') await output.write(sequence.next(text));
    if (complaints !== '') await io.stderr.write(complaints);
  }
  await output.write(sequence.end());
  await output.flush();
  return total;
}

function progressOf({ allow, warn, block, failed }: Readonly<Tally>): Progress {
  const done = allow + warn + block + failed;
  return { done, words: `${done} checked, ${warn} warn, ${block} block, ${failed} failed` };
}
