import { plainLine } from '#src/core/base/text/untrusted-text.ts';
import { QUARANTINES, type Quarantine } from './guard.ts';

/** An entry in the file of a version. Times are seconds since the Unix epoch. */
export interface VersionRow {
  /** In the format of `writeStoredEntry`. */
  readonly entry: string;
  /** Its line in what was imported, counted from 1. */
  readonly line: number;
  readonly addedAt: number;
  /** Null if it does not expire. */
  readonly expiresAt: number | null;
  /** Reason why the entry is not applied; null if it is. */
  readonly quarantine: Quarantine | null;
  readonly isException: boolean;
  readonly source: string | null;
  readonly comment: string | null;
}

/**
 * The first line of a version's file; what follows is a line for each entry, with a tab between what is known of it.
 */
export const VERSION_HEADER = 'lurecheck list 1\n';

/** Value in the quarantine column that marks an exception. */
export const EXCEPTION_MARK = 'exception';

/** Maximum length of a stored untrusted text of an entry, in characters. */
const MAX_TEXT = 200;

/** An entry as a line of the file. */
export function writeRow(row: VersionRow): string {
  const mark = row.isException ? EXCEPTION_MARK : (row.quarantine ?? '');
  const texts = [row.source, row.comment].map((text) => oneLine(text ?? ''));
  return `${[row.entry, row.line, row.addedAt, row.expiresAt ?? '', mark, ...texts].join('\t')}\n`;
}

/** The entry of a line. */
export function readRow(line: string): VersionRow {
  const [entry = '', number, addedAt, expiresAt, mark, source, comment] = line.split('\t');
  return {
    entry,
    line: Number(number),
    addedAt: Number(addedAt),
    expiresAt: expiresAt ? Number(expiresAt) : null,
    quarantine: QUARANTINES.find((one) => one === mark) ?? null,
    isException: mark === EXCEPTION_MARK,
    source: source || null,
    comment: comment || null,
  };
}

/** Without what would end its line or its column. */
function oneLine(text: string): string {
  return plainLine(text).slice(0, MAX_TEXT).toWellFormed();
}
