/** Prefixes that a spreadsheet takes for a formula, or that control its cell. */
const FORMULA = /^[=+\-@\t\r\n]/;

/**
 * Rows as comma-separated values (RFC 4180), with the mark by which spreadsheets know UTF-8. A cell that a spreadsheet would
 * take for a formula begins with an apostrophe, which makes it a text there.
 */
export function csvText(rows: readonly (readonly (string | number)[])[]): string {
  return `\ufeff${rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')}`;
}

function cell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
