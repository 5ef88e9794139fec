import { readLines } from '#src/core/base/files/line-reader.ts';
import { MAX_URL_LENGTH } from '#src/core/url/target.ts';
import type { BadLine } from '../parse.ts';
import { quoted } from '../quoted.ts';
import { entryValue } from './entry-value.ts';
import { listLineProblem, MAX_LIST_LINE_BYTES } from './line-problem.ts';

/** An unvalidated entry of a list file. */
export interface ListFileEntry {
  /** A host, a URL, a CIDR block, or the beginning of URLs with a star behind it. */
  readonly value: string;
  /** Expiry in milliseconds since the Unix epoch; null if the file has none. */
  readonly expiresAtMs: number | null;
  /** Source of the entry; null if the file has none. */
  readonly source: string | null;
  readonly comment: string | null;
  /** First line, counted from 1. */
  readonly line: number;
  /** True if it takes what it covers off the list, as `@@` does. */
  readonly isException: boolean;
}

/**
 * A valid line that a list cannot express: a rule about a part of a page, a revoked indicator. It does not make the
 * file invalid.
 */
export interface SkippedLine extends BadLine {
  readonly isSkipped: true;
}

/** Item of a list file: an entry, or an invalid line. */
export type ListFileItem = ListFileEntry | BadLine | SkippedLine;

/** Reads one line of a file; returns nothing for a line without entries, such as a comment. */
export type ListLineReader = (line: string, number: number) => readonly ListFileItem[];

/** A format in which lists are handed on. */
export interface ListFormat {
  readonly name: string;
  /** True if people and programs mix such lists with others, so that a line that is not understood is left out. */
  readonly isLenient: boolean;
  /**
   * Reads a file.
   *
   * @param beginning its first lines, none of which is blank
   */
  readonly read: (
    bytes: AsyncIterable<Uint8Array>,
    beginning: readonly string[],
  ) => AsyncGenerator<readonly ListFileItem[]>;
}

/** Returns true if an item is a line without an entry, invalid or skipped. */
export function isBadLine(item: ListFileItem): item is BadLine | SkippedLine {
  return 'message' in item;
}

/** Returns true if an item is a line that is skipped, but not invalid. */
export function isSkippedLine(item: ListFileItem): item is SkippedLine {
  return 'isSkipped' in item;
}

/** Returns an entry with the file's comment, source and expiry. */
export function listedEntry(
  value: string,
  line: number,
  said: Partial<Omit<ListFileEntry, 'value' | 'line'>> = {},
): ListFileEntry {
  return { value, line, expiresAtMs: null, source: null, comment: null, isException: false, ...said };
}

/**
 * Returns an entry whose value is a URL as observed, or else a host or a block. Characters that browsers escape are
 * escaped; a URL that is never checked is left out.
 */
export function observedEntry(
  written: string,
  line: number,
  said: Partial<Omit<ListFileEntry, 'value' | 'line'>> = {},
): ListFileItem {
  const value = entryValue(written);
  const [, scheme, authority = ''] = /^([a-z][a-z\d+.-]*):\/\/([^/?#]*)/i.exec(value) ?? [];
  if (scheme === undefined) return listedEntry(value, line, said);
  if (!/^https?$/i.test(scheme)) return skippedLine(line, `${quoted(value)} is not an http or https URL`);
  if (authority.includes('@')) return skippedLine(line, `${quoted(value)} names a user`);
  if (value.length > MAX_URL_LENGTH)
    return skippedLine(line, `${quoted(value)} is longer than any URL that is checked`);
  return listedEntry(value.replace(/[\s"<>]|\*$/g, percentEncoded), line, said);
}

function percentEncoded(character: string): string {
  return character === '*' ? '%2A' : encodeURIComponent(character);
}

/** A line that is left out, with the reason as the end of a sentence. */
export function skippedLine(line: number, message: string): SkippedLine {
  return { line, message, isSkipped: true };
}

/** Reads a format in which lines are read one after the other; `open` gives the reader of one file. */
export function eachLine(
  open: () => ListLineReader & { readonly end?: () => readonly ListFileItem[] },
): ListFormat['read'] {
  return async function* (bytes) {
    const read = open();
    for await (const lines of readLines(bytes, MAX_LIST_LINE_BYTES)) {
      yield lines.flatMap(({ number, text }) => {
        const problem = listLineProblem(text);
        return problem === null ? read(withoutMark(text ?? ''), number) : [{ line: number, message: problem }];
      });
    }
    yield read.end?.() ?? [];
  };
}

/** A byte order mark begins the first line of some files. */
function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}
