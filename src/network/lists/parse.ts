import { type EntryProblem, type ListEntry, quoted, readEntry } from './entry.ts';

/** An invalid line. */
export interface BadLine {
  /** Counted from 1. */
  readonly line: number;
  readonly message: string;
}

/** The entries of a list in the order of its lines, and what is wrong with the others. */
export interface ParsedList {
  readonly entries: readonly { readonly entry: ListEntry; readonly line: number }[];
  readonly problems: readonly BadLine[];
  /** SHA-256 of the text, by which it is known again. */
  readonly digest: string;
}

/**
 * Parses a list: one host or URL per line, LF or CRLF; a `#` at the start of a line or after white space begins a
 * comment. Never throws.
 */
export function parseList(text: string): ParsedList {
  const entries: { entry: ListEntry; line: number }[] = [];
  const problems: BadLine[] = [];
  let line = 0;
  // A byte order mark at the beginning is white space.
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    line += 1;
    const content = text
      .slice(start, end)
      .replace(/(?:^|\s)#[\s\S]*/, '')
      .trim();
    start = end + 1;
    if (content === '') continue;
    const entry = readEntry(content);
    if (isProblem(entry)) problems.push({ line, message: `${quoted(content)} ${entry.problem}` });
    else entries.push({ entry, line });
  }
  return { entries, problems, digest: new Bun.CryptoHasher('sha256').update(text).digest('hex') };
}

function isProblem(entry: ListEntry | EntryProblem): entry is EntryProblem {
  return 'problem' in entry;
}
