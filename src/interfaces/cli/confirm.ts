import { readLines } from '#src/core/base/files/line-reader.ts';
import type { Io } from '#src/core/base/io.ts';
import { UsageError } from './command.ts';

const MAX_ANSWER_BYTES = 64;

/** Asks a question and reads the answer from standard input. Throws UsageError if there is no answer. */
export async function confirm(question: string, { stdin, stderr }: Pick<Io, 'stdin' | 'stderr'>): Promise<boolean> {
  await stderr.write(`${question} [y/N] `);
  for await (const [line] of readLines(stdin, MAX_ANSWER_BYTES)) return /^y(es)?$/i.test(line?.text?.trim() ?? '');
  await stderr.write('\n');
  throw new UsageError('confirmation required, but stdin is not a terminal: pass --yes');
}
