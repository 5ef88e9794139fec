import type { CsvError, InfoRecord, Options } from 'csv-parse/sync';
import type { Line } from '#src/core/base/files/line-reader.ts';
import { ListFileError } from '../list-file-error.ts';

/** A record of a table: its cells, and the line on which it begins. */
export interface CsvRecord {
  readonly cells: readonly string[];
  readonly line: number;
}

/** A record that cannot be read, and why, as a sentence without its subject. */
export interface CsvFault {
  readonly line: number;
  readonly message: string;
}

/** Reads the records of a table as its lines come in. */
export interface CsvRecords {
  /** Returns the records that end on these lines. */
  add(lines: readonly Line[]): readonly (CsvRecord | CsvFault)[];
  /** Returns the fault of a record whose last cell is never closed. */
  end(): readonly CsvFault[];
}

/** Maximum length of a record, in characters: several of the longest URLs with their comments. */
const MAX_RECORD = 256 * 1024;

/** Most faults of a file; the parser is opened again after each. */
const MAX_FAULTS = 1000;

/**
 * Opens a reader of comma-separated values (RFC 4180), or of values with another separator, over csv-parse. A record that
 * cannot be read costs its own line alone: the parser is opened again behind it.
 */
export async function csvRecords(separator: string): Promise<CsvRecords> {
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
    add(lines) {
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
