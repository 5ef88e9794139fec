import { cellText } from '#src/base/foreign-text.ts';
import type { LogEntry } from '#src/store/scan-log.ts';
import { EXPORT_COLUMNS } from './columns.ts';

/** A header, then a line a check (RFC 4180). No cell is a formula to a spreadsheet, and none holds a line break. */
export async function* writeCsv(entries: AsyncIterable<LogEntry>): AsyncGenerator<string> {
  yield line(EXPORT_COLUMNS.map(({ name }) => name));
  for await (const entry of entries) yield line(EXPORT_COLUMNS.map(({ cell }) => cellText(String(cell(entry) ?? ''))));
}

function line(cells: readonly string[]): string {
  return `${cells.map((cell) => (/[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`;
}
