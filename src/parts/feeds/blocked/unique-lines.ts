/** Ends each line with LF, and leaves out those that occurred before. */
export function* uniqueLines(lines: readonly string[]): Generator<string> {
  for (const line of new Set(lines)) yield `${line}\n`;
}
