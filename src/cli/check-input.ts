import { refang } from '#src/url/defang.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/url/target.ts';
import { type Line, readLines } from './line-reader.ts';

/** Longest line of input, in bytes: room for a saved page in an object. */
const MAX_LINE_BYTES = 8 * 1024 * 1024;

/** One thing to check, or why it cannot be. */
export interface CheckInput {
  /** As it was read. */
  readonly text: string;
  /** Line of standard input, from 1; position of the operand where it came from the command line. */
  readonly line: number;
  readonly target: Target | { readonly problem: string };
}

/** The URLs of the command line. */
export function inputsOfOperands(operands: readonly string[]): CheckInput[] {
  return operands.map((text, index) => readInput(text, index + 1));
}

/** The URLs of standard input, a batch for each chunk that arrived; blank lines are skipped. */
export async function* inputsOfStream(stdin: AsyncIterable<Uint8Array>): AsyncGenerator<CheckInput[]> {
  for await (const lines of readLines(stdin, MAX_LINE_BYTES)) yield lines.flatMap(inputOfLine);
}

function inputOfLine({ text, number }: Line): CheckInput[] {
  if (text === null) {
    return [{ text: '', line: number, target: { problem: `is longer than ${MAX_LINE_BYTES} bytes` } }];
  }
  return text.trim() === '' ? [] : [readInput(text.trim(), number)];
}

function readInput(text: string, line: number): CheckInput {
  const target = parseTarget(refang(text).url);
  return isTargetProblem(target)
    ? { text, line, target: { problem: target.message } }
    : { text, line, target: { ...target, input: text } };
}
