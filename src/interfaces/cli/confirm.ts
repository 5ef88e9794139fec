import { readLines } from '#src/core/base/files/line-reader.ts';
import type { Io } from '#src/core/base/io.ts';
import { UsageError } from './command.ts';

const MAX_ANSWER_BYTES = 64;

/** Asks a question that is answered by a line of standard input. Throws a UsageError where there is none: then nobody was asked. */
export async function confirm(question: string, { stdin, stderr }: Pick<Io, 'stdin' | 'stderr'>): Promise<boolean> {
  await stderr.write(`${question} [y/N] `);
  for await (const [line] of readLines(stdin, MAX_ANSWER_BYTES)) return /^y(es)?$/i.test(line?.text?.trim() ?? '');
  await stderr.write('\n');
  throw new UsageError('confirmation required, but stdin is not a terminal: pass --yes');
}
