import type { Decision } from '#src/fusion/decide.ts';
import { batchOutput } from './batched-output.ts';
import { createFormatter, type Format } from './check-format.ts';
import type { CheckOutcome } from './check-one.ts';
import { type Io, wantsColour } from './io.ts';
import { startProgress } from './progress.ts';

/** How the inputs came out, for the exit code and the progress line. */
export interface Tally {
  readonly counts: Record<Decision | 'failed', number>;
}

/** Writes outcomes as they come, and counts them. */
export async function writeOutcomes(outcomes: AsyncIterable<CheckOutcome>, format: Format, io: Io): Promise<Tally> {
  const formatter = createFormatter(format, wantsColour(io));
  const tally: Tally = { counts: { allow: 0, warn: 0, block: 0, failed: 0 } };
  using _progress = startProgress(tally, io);
  const output = batchOutput(io.stdout);
  for await (const outcome of outcomes) {
    tally.counts['result' in outcome ? outcome.result.decision : 'failed']++;
    await output.write(formatter.next(outcome));
  }
  await output.write(formatter.end());
  await output.flush();
  return tally;
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
