import type { LogEntry } from '#src/checks/store/scan-log.ts';
import { escapeCell } from '#src/core/base/text/untrusted-text.ts';
import { EXPORT_COLUMNS } from './columns.ts';

/** Writes a header, then one line per check (RFC 4180). Cells cannot be formulas or contain line breaks. */
export async function* writeCsv(entries: AsyncIterable<LogEntry>): AsyncGenerator<string> {
  yield csvLine(EXPORT_COLUMNS.map(({ name }) => name));
  for await (const entry of entries) yield csvLine(EXPORT_COLUMNS.map(({ cell }) => cell(entry)));
}

/** Writes a line of a table from untrusted cells; null gives an empty cell. */
export function csvLine(cells: readonly (string | number | boolean | null)[]): string {
  return `${cells.map((cell) => quoted(escapeCell(String(cell ?? '')))).join(',')}\r\n`;
}

function quoted(cell: string): string {
  return /[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
