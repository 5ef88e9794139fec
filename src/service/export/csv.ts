import { cellText } from '#src/core/base/text/untrusted-text.ts';
import type { LogEntry } from '#src/checks/store/scan-log.ts';
import { EXPORT_COLUMNS } from './columns.ts';

/** A header, then a line a check (RFC 4180). No cell is a formula to a spreadsheet, and none holds a line break. */
export async function* writeCsv(entries: AsyncIterable<LogEntry>): AsyncGenerator<string> {
  yield csvLine(EXPORT_COLUMNS.map(({ name }) => name));
  for await (const entry of entries) yield csvLine(EXPORT_COLUMNS.map(({ cell }) => cell(entry)));
}

/** A line of a table, from whatever a stranger wrote into its cells; null is an empty one. */
export function csvLine(cells: readonly (string | number | boolean | null)[]): string {
  return `${cells.map((cell) => quoted(cellText(String(cell ?? '')))).join(',')}\r\n`;
}

function quoted(cell: string): string {
  return /[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
