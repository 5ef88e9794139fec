import type { CsvError, InfoRecord, Options } from 'csv-parse/sync';
import { type Line, readLines } from '#src/core/base/files/line-reader.ts';
import { quoted } from '../../entry.ts';
import { readStoredEntry } from '../../stored/stored-entry.ts';
import { FEED_TERMS, readFeedRecord } from '../feed-record.ts';
import {
  entryValue,
  ListFileError,
  type ListFileItem,
  type ListFormat,
  listLineProblem,
  MAX_LIST_LINE_BYTES,
} from '../list-format.ts';

/** A record of a table: its cells, and the line on which it begins. */
interface CsvRecord {
  readonly cells: readonly string[];
  readonly line: number;
}

/** A record that cannot be read, and why, as a sentence without its subject. */
interface CsvFault {
  readonly line: number;
  readonly message: string;
}

/** Maximum length of a record, in characters: several of the longest URLs with their comments. */
const MAX_RECORD = 256 * 1024;

/** Most faults of a file; the parser is opened again after each. */
const MAX_FAULTS = 1000;

/**
 * Opens a reader of comma-separated values (RFC 4180), or of values with another separator, over csv-parse. A record that
 * cannot be read costs its own line alone: the parser is opened again behind it.
 */
async function csvRecords(separator: string) {
  // Only who imports a table waits for its parser.
  const { parse, CsvError: Fault } = await import('csv-parse/sync');
  let open: readonly Line[] = [];
  let faults = 0;

  /** Reads the records at the beginning of some lines, up to the first that is open or cannot be read. */
  function take(lines: readonly Line[]): { records: CsvRecord[]; rest: readonly Line[]; fault: CsvError | null } {
    const records: CsvRecord[] = [];
    let read = 0;
    const onRecord = (cells: string[], { lines: last }: InfoRecord) => {
      const breaks = cells.reduce((sum, cell) => sum + (cell.includes('\n') ? cell.split('\n').length - 1 : 0), 0);
      records.push({ cells, line: lines[last - 1 - breaks]?.number ?? 1 });
      read = last;
      return null;
    };
    try {
      parse(`${lines.map(({ text }) => text).join('\n')}\n`, optionsOf(separator, onRecord));
      return { records, rest: [], fault: null };
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      const isComment = ({ text }: Line) => text === '' || text?.startsWith('#') === true;
      while (read < lines.length - 1 && lines[read] && isComment(lines[read] as Line)) read += 1;
      return { records, rest: lines.slice(read), fault: error };
    }
  }

  return {
    /** Returns the records that end on these lines. */
    add(lines: readonly Line[]) {
      const found: (CsvRecord | CsvFault)[] = [];
      let rest = [...open, ...lines];
      open = [];
      while (rest.length > 0) {
        const { records, rest: unread, fault } = take(rest);
        for (const record of records) found.push(record);
        if (fault === null) return found;
        const [first] = unread;
        const isOpen = fault.code === 'CSV_QUOTE_NOT_CLOSED';
        if (isOpen && sizeOf(unread) <= MAX_RECORD) {
          open = unread;
          return found;
        }
        if (++faults > MAX_FAULTS)
          throw new ListFileError(`has more than ${MAX_FAULTS} rows that cannot be read as CSV`);
        const message = isOpen ? 'opens quotes that are never closed' : 'has text after a quoted cell';
        found.push({ line: first?.number ?? 1, message });
        // Text in quotes that are never closed is not read line by line, which would take quadratic time.
        rest = isOpen ? [] : unread.slice(1);
      }
      return found;
    },
    /** Returns the fault of a record whose last cell is never closed. */
    end: () => (open[0] ? [{ line: open[0].number, message: 'opens quotes that are never closed' }] : []),
  };
}

function optionsOf(delimiter: string, on_record: (cells: string[], info: InfoRecord) => null): Options<string[]> {
  return {
    ...{ delimiter, on_record, comment: '#', comment_no_infix: true, trim: true, skip_empty_lines: true },
    ...{ record_delimiter: '\n', relax_column_count: true, relax_quotes: true },
  };
}

const sizeOf = (lines: readonly Line[]) => lines.reduce((sum, { text }) => sum + (text?.length ?? 0) + 1, 0);

/** Column of each field in a record, counted from 0; -1 if the table does not have it. */
interface CsvColumns {
  readonly separator: string;
  readonly count: number;
  readonly value: number;
  readonly type: number;
  readonly toIds: number;
  readonly expiry: number;
  readonly source: number;
  readonly comments: readonly number[];
}

/** Separators, in the order in which a table is tried with them. */
export const CSV_SEPARATORS = [',', ';', '\t', '|'];

/** The columns of a table without a header: `value,expiration,comment`. */
const USUAL_COLUMNS: CsvColumns = {
  ...{ separator: ',', count: 3, value: 0, type: -1, toIds: -1, expiry: 1, source: -1, comments: [2] },
};

/** Returns the columns that the cells of a header name; null if they are not a header. */
function columnsOfHeader(cells: readonly string[], separator: string): CsvColumns | null {
  const names = cells.map(nameOf);
  const indexOf = (known: readonly string[]) => names.indexOf(known.find((one) => names.includes(one)) ?? '');
  const value = indexOf(FEED_TERMS.value);
  // One word alone, such as `domain`, may be the title of anything.
  if (value === -1 || names.length === 1 || !names.every((name) => /^[a-z][a-z\d_]*$/.test(name))) return null;
  return {
    ...{ separator, count: names.length, value, type: indexOf(FEED_TERMS.type), toIds: names.indexOf('to_ids') },
    ...{ expiry: indexOf(FEED_TERMS.expiry), source: indexOf(FEED_TERMS.source) },
    comments: FEED_TERMS.comment.map((name) => names.indexOf(name)).filter((index) => index !== -1),
  };
}

/** `Dateadded (UTC)` → `dateadded`, `Domain Name` → `domain_name`. */
function nameOf(cell: string): string {
  return cell
    .trim()
    .toLowerCase()
    .replace(/\s{0,9}\([^()]{0,80}\)$/, '')
    .replace(/[\s-]+/g, '_');
}

/**
 * Returns the columns of a table without a header: that of the entries is the first in which most rows have a URL, or else
 * a host or an address. Null if no column has.
 */
function columnsOfRows(rows: readonly (readonly string[])[], separator: string): CsvColumns | null {
  const count = Math.max(0, ...rows.map((cells) => cells.length));
  const isMostly = (column: number, fits: (cell: string) => boolean) =>
    rows.filter((cells) => fits((cells[column] ?? '').trim())).length * 2 > rows.length;
  const columns = Array.from({ length: count }, (_, index) => index);
  const value = columns.find((one) => isMostly(one, isUrl)) ?? columns.find((one) => isMostly(one, isHostOrAddress));
  if (value === undefined || count < 2) return null;
  if (value === 0 && count <= USUAL_COLUMNS.count) return { ...USUAL_COLUMNS, separator };
  return { ...USUAL_COLUMNS, separator, count, value, expiry: -1, comments: [] };
}

const isUrl = (cell: string) => /^https?:\/\//i.test(cell);

function isHostOrAddress(cell: string): boolean {
  return (
    /^[^\s.:]+[.:]\S+$/.test(cell) && !/^\d+\.\d+$/.test(cell) && !('problem' in readStoredEntry(entryValue(cell)))
  );
}

/**
 * Comma-separated values, or values with another separator: `value,expiration,comment`, or the columns that a header names,
 * which is a comment in the exports of abuse.ch. Without a header the column of the entries is the one that has them.
 */
export const csvFormat: ListFormat = {
  name: 'csv',
  isLenient: false,
  async *read(bytes, beginning) {
    const { columns, header } = (await layoutOf(beginning)) ?? { columns: USUAL_COLUMNS, header: null };
    const records = await csvRecords(columns.separator);
    const itemOf = (one: Awaited<ReturnType<typeof records.add>>[number]): ListFileItem[] => {
      if ('message' in one) return [one];
      return header !== null && one.cells.join('\n') === header ? [] : [readRecord(one, columns)];
    };
    for await (const lines of readLines(bytes, MAX_LIST_LINE_BYTES)) {
      const problems = lines.flatMap(({ number, text }) => {
        const message = listLineProblem(text);
        return message === null ? [] : [{ line: number, message }];
      });
      const readable = problems.length === 0 ? lines : lines.filter(({ text }) => listLineProblem(text) === null);
      yield [...problems, ...records.add(readable).flatMap(itemOf)];
    }
    yield [...records.end()];
  },
};

/** Layout of a table. */
export interface CsvLayout {
  readonly columns: CsvColumns;
  /** Cells of the header, one per line; null if the table has none. */
  readonly header: string | null;
}

/** Finds the layout of a table by its first lines; null if they are no table. */
export async function layoutOf(beginning: readonly string[]): Promise<CsvLayout | null> {
  for (const separator of CSV_SEPARATORS) {
    if (!beginning.some((line) => line.includes(separator))) continue;
    const headers = beginning.slice(0, 1 + beginning.findIndex((line) => !line.startsWith('#')));
    for (const line of headers.length > 0 ? headers : beginning) {
      const [cells = []] = await cellsOfRows([line.replace(/^#+\s*/, '')], separator);
      const columns = columnsOfHeader(cells, separator);
      if (columns !== null) return { columns, header: cells.join('\n') };
    }
  }
  for (const separator of CSV_SEPARATORS) {
    if (!beginning.some((line) => line.includes(separator))) continue;
    const columns = columnsOfRows(await cellsOfRows(beginning, separator), separator);
    if (columns !== null) return { columns, header: null };
  }
  return null;
}

/** Returns the cells of the rows that can be read. */
export async function cellsOfRows(lines: readonly string[], separator: string): Promise<(readonly string[])[]> {
  try {
    const records = await csvRecords(separator);
    const numbered: Line[] = lines.map((text, index) => ({ number: index + 1, text }));
    return records.add(numbered).flatMap((one) => ('cells' in one ? [one.cells] : []));
  } catch (error) {
    if (!(error instanceof ListFileError)) throw error;
    return [];
  }
}

function readRecord({ cells, line }: CsvRecord, columns: CsvColumns): ListFileItem {
  const cell = (index: number) => (cells[index] ?? '').trim();
  if (cells.length > columns.count) {
    const message = `has ${cells.length} cells for ${columns.count} columns: a cell with ${quoted(columns.separator)} must be quoted`;
    return { line, message };
  }
  const comment = columns.comments
    .map(cell)
    .filter((text) => text !== '' && !/^none$/i.test(text))
    .join(', ');
  const [value, type, toIds] = [cell(columns.value), cell(columns.type), cell(columns.toIds)];
  return readFeedRecord(
    { value, type, toIds, expiry: cell(columns.expiry), source: cell(columns.source), comment },
    line,
  );
}
