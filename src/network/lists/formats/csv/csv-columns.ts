import { readStoredEntry } from '../../stored/stored-entry.ts';
import { entryValue } from '../entry-value.ts';
import { FEED_TERMS } from '../feed-terms.ts';

/** Column of each field in a record, counted from 0; -1 if the table does not have it. */
export interface CsvColumns {
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
export const USUAL_COLUMNS: CsvColumns = {
  ...{ separator: ',', count: 3, value: 0, type: -1, toIds: -1, expiry: 1, source: -1, comments: [2] },
};

/** Returns the columns that the cells of a header name; null if they are not a header. */
export function columnsOfHeader(cells: readonly string[], separator: string): CsvColumns | null {
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
export function columnsOfRows(rows: readonly (readonly string[])[], separator: string): CsvColumns | null {
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
