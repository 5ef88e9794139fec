import type { Line } from '#src/core/base/files/line-reader.ts';
import type { FormatStyle } from './check-format.ts';
import { type CheckInput, describeNotes, inputOfLine } from './check-input.ts';
import { type CheckOptions, checkOne, type LineChecker, type VerdictOutcome } from './check-one.ts';
import { type FormattedOutcomes, formatOutcomes, formatVerdicts } from './formatted-outcomes.ts';

/** Options of checking and formatting lines: plain data, which can be sent to a thread. */
export interface LineOptions {
  readonly options: CheckOptions;
  readonly style: FormatStyle;
}

/** Checks lines, one URL per line. They go through each stage together, while its code and tables are in the processor's caches. */
export async function checkLines(
  lines: readonly Line[],
  checker: LineChecker,
  { options, style }: LineOptions,
): Promise<FormattedOutcomes> {
  const reading = { format: 'text', isForPeople: style.format === 'text' } as const;
  const inputs = lines.flatMap((line) => inputOfLine(line, reading));
  const check = (input: CheckInput) => checkOne(input, checker, options);
  if (style.format !== 'tsv') {
    const written = formatOutcomes(await Promise.all(inputs.map(check)), style);
    return { ...written, diagnostics: describeNotes(inputs) + written.diagnostics };
  }
  return formatVerdicts(await Promise.all(inputs.map((input) => verdictOf(input, checker) ?? check(input))));
}

/** A row of tsv has the verdict alone. Returns null for an input that only a check can answer. */
function verdictOf({ target }: CheckInput, { offlineVerdict }: LineChecker): VerdictOutcome | null {
  const result = 'problem' in target ? null : offlineVerdict(target);
  return result && { result };
}
