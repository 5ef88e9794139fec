import { quoted } from '../quoted.ts';
import { csvRecords } from './csv-records.ts';
import { readExpiry } from './expiry.ts';
import { COMMENT_MEMBERS, EXPIRY_MEMBERS, SOURCE_MEMBERS, VALUE_MEMBERS } from './known-members.ts';
import { type ListFileItem, type ListFormat, type ListLineReader, observedEntry } from './list-format.ts';

/**
 * Comma-separated values: `value,expiration,comment`, or the columns that a header names, which is a comment in the exports of
 * URLhaus. Other lines that begin with `#` are passed by.
 */
export const csvFormat: ListFormat = {
  name: 'csv',
  recognises(beginning) {
    const first = beginning.findIndex((line) => !line.startsWith('#'));
    return first !== -1 && (beginning.slice(0, first + 1).some(isHeader) || isRecord(beginning[first] ?? ''));
  },
  read: { byLine: csvReader },
};

/** Column of each field in a record, counted from 0; -1 if the table does not have it. */
interface Columns {
  readonly separator: string;
  readonly count: number;
  readonly value: number;
  readonly expiry: number;
  readonly source: number;
  readonly comments: readonly number[];
}

/** The columns of a table without a header. */
const USUAL: Columns = { separator: ',', count: 3, value: 0, expiry: 1, source: -1, comments: [2] };

function csvReader(): ListLineReader {
  let columns: Columns | null = null;
  let records = csvRecords(USUAL.separator);
  return {
    read(line, number) {
      const isWithin = records.openedOn() !== null;
      const header = columns === null ? readHeader(line) : null;
      if (header !== null) {
        columns = header;
        records = csvRecords(header.separator);
        return [];
      }
      if (!isWithin && (line.trim() === '' || line.startsWith('#'))) return [];
      columns ??= USUAL;
      const record = records.add(line, number);
      if (record === null) return [];
      return [typeof record === 'string' ? { line: number, message: record } : readRecord(record, columns)];
    },
    end() {
      const openedOn = records.openedOn();
      return openedOn === null ? [] : [{ line: openedOn, message: 'opens quotes that are never closed' }];
    },
  };
}

function isHeader(line: string): boolean {
  return readHeader(line) !== null;
}

/** The columns that a line names; null where it is no header. */
function readHeader(text: string): Columns | null {
  const line = text.replace(/^#/, '').trim();
  const separator = [',', ';', '\t'].find((one) => line.includes(one)) ?? USUAL.separator;
  const record = csvRecords(separator).add(line, 1);
  if (record === null || typeof record === 'string') return null;
  const names = record.cells.map((cell) => cell.trim().toLowerCase());
  const indexOf = (known: readonly string[]) => names.indexOf(known.find((one) => names.includes(one)) ?? '');
  const value = indexOf(VALUE_MEMBERS);
  // One word alone, such as `domain`, may be the title of anything.
  if (value === -1 || names.length === 1 || !names.every((name) => /^[a-z][a-z0-9 _-]*$/.test(name))) return null;
  const comments = COMMENT_MEMBERS.map((name) => names.indexOf(name)).filter((index) => index !== -1);
  const [expiry, source] = [indexOf(EXPIRY_MEMBERS), indexOf(SOURCE_MEMBERS)];
  return { separator, count: names.length, value, expiry, source, comments };
}

/** Returns true if a line by itself looks like `value,expiration,comment`: its second cell is empty, or a time. */
function isRecord(line: string): boolean {
  const record = csvRecords(USUAL.separator).add(line, 1);
  if (record === null || typeof record === 'string') return line.startsWith('"');
  const [value = '', expiry, ...others] = record.cells;
  return expiry !== undefined && others.length < 2 && !/\s/.test(value) && !Number.isNaN(readExpiry(expiry.trim()));
}

function readRecord(
  { cells, line }: { readonly cells: readonly string[]; readonly line: number },
  columns: Columns,
): ListFileItem {
  const cell = (index: number) => (cells[index] ?? '').trim();
  const bad = (message: string) => ({ line, message });
  const value = cell(columns.value);
  const expiresAtMs = readExpiry(cell(columns.expiry));
  if (cells.length > columns.count)
    return bad(
      `has ${cells.length} cells for ${columns.count} columns: a cell with ${quoted(columns.separator)} must be quoted`,
    );
  if (value === '') return bad('has no value');
  if (Number.isNaN(expiresAtMs))
    return bad(`expires at ${quoted(cell(columns.expiry))}, which is neither a day nor a time, such as 2027-12-31`);
  const comment =
    columns.comments
      .map(cell)
      .filter((text) => text !== '')
      .join(', ') || null;
  return observedEntry(value, line, { expiresAtMs, source: cell(columns.source) || null, comment });
}
