/** A record of a table: its cells, and the line on which it begins. */
export interface CsvRecord {
  readonly cells: readonly string[];
  readonly line: number;
}

/** Puts records together from lines, since a cell in quotes may go on over several. */
export interface CsvRecords {
  /** The record that a line ends; null while its last cell is open; a string is what is wrong with it. */
  add(text: string, line: number): CsvRecord | string | null;
  /** The line on which a record begins whose last cell is open still; null where none is. */
  openedOn(): number | null;
}

/** Maximum length of a record, in characters: several of the longest URLs with their comments. */
const MAX_RECORD = 256 * 1024;

/** A record of which the end has not come. */
interface OpenRecord {
  readonly line: number;
  readonly cells: string[];
  /** The lines of the cell in quotes that is open. */
  readonly quoted: string[];
  size: number;
}

/**
 * Parses comma-separated values (RFC 4180), or values with another separator. Quoted cells may contain separators, line
 * ends and doubled quotes; a quote within an unquoted cell is an ordinary character.
 */
export function csvRecords(separator: string): CsvRecords {
  let open: OpenRecord | null = null;
  return {
    add(text, line) {
      const record: OpenRecord = open ?? { line, cells: [], quoted: [], size: 0 };
      const isInQuotes = open !== null;
      open = null;
      record.size += text.length + 1;
      if (record.size > MAX_RECORD) return `is in quotes that open on line ${record.line} and are never closed`;
      const end = takeCells(record, text, separator, isInQuotes);
      if (end === 'open') open = record;
      return end === 'open' ? null : end === 'faulty' ? 'has text after a quoted cell' : record;
    },
    openedOn: () => open?.line ?? null,
  };
}

/** Moves the cells of a line into its record. */
function takeCells(
  record: OpenRecord,
  text: string,
  separator: string,
  isInQuotes: boolean,
): 'whole' | 'open' | 'faulty' {
  let inQuotes = isInQuotes;
  for (let at = 0; at <= text.length || inQuotes; at++) {
    if (!inQuotes && text[at] !== '"') {
      const end = text.indexOf(separator, at);
      record.cells.push(text.slice(at, end === -1 ? undefined : end));
      at = end === -1 ? text.length : end;
      continue;
    }
    const start = inQuotes ? at : at + 1;
    const end = closingQuote(text, start);
    record.quoted.push(text.slice(start, end === -1 ? undefined : end));
    if (end === -1) return 'open';
    record.cells.push(record.quoted.splice(0).join('\n').replaceAll('""', '"'));
    inQuotes = false;
    at = end + 1;
    if (at < text.length && text[at] !== separator) return 'faulty';
  }
  return 'whole';
}

/** The index of the first quote from `start` on that is not doubled; -1 where there is none. */
function closingQuote(text: string, start: number): number {
  let at = text.indexOf('"', start);
  while (at !== -1 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at;
}
