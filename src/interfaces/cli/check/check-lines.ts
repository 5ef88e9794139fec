import type { Line } from '#src/core/base/files/line-reader.ts';
import type { FormatStyle } from './check-format.ts';
import { inputOfLine } from './check-input.ts';
import { type Checker, type CheckOptions, type CheckOutcome, checkOne } from './check-one.ts';
import { type WrittenOutcomes, writeDown } from './formatted-outcomes.ts';

/** How lines are checked, and how their outcomes are written: plain data, which another thread can be sent. */
export interface LinesOrder {
  readonly options: CheckOptions;
  readonly style: FormatStyle;
}

/** Checks lines, a URL each, one after the other. */
export async function checkLines(
  lines: readonly Line[],
  checker: Checker,
  { options, style }: LinesOrder,
): Promise<WrittenOutcomes> {
  const outcomes: CheckOutcome[] = [];
  for (const line of lines) {
    for (const input of inputOfLine(line, 'text')) outcomes.push(await checkOne(input, checker, options));
  }
  return writeDown(outcomes, style);
}
