import { type Line, readLines } from '#src/core/base/files/line-reader.ts';
import { quoted } from '../../quoted.ts';
import { readFeedRecord } from '../feed-record.ts';
import { listLineProblem, MAX_LIST_LINE_BYTES } from '../line-problem.ts';
import { ListFileError } from '../list-file-error.ts';
import type { ListFileItem, ListFormat } from '../list-format.ts';
import { CSV_SEPARATORS, type CsvColumns, columnsOfHeader, columnsOfRows, USUAL_COLUMNS } from './csv-columns.ts';
import { type CsvRecord, csvRecords } from './csv-records.ts';

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
