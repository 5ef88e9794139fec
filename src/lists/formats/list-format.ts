import type { BadLine } from '../parse.ts';

/** What a list file says of one entry, as it stands there. */
export interface ListFileEntry {
  /** A host, a URL, a CIDR block, or the beginning of URLs with a star behind it. */
  readonly value: string;
  /** When it ceases to hold, in milliseconds since the Unix epoch; null where the file does not say. */
  readonly expiresAtMs: number | null;
  /** Who says so; null where the file does not. */
  readonly source: string | null;
  readonly comment: string | null;
  /** Counted from 1; in a file that is one JSON value, the place of the entry in its list. */
  readonly line: number;
  /** Whether it takes what it covers off the list, as `@@` does. */
  readonly isException: boolean;
}

/** What stands in a list file: an entry, or a line that is none. */
export type ListFileItem = ListFileEntry | BadLine;

/** Reads one line of a file after the other; what stands for nothing, such as a comment, gives nothing. */
export type ListLineReader = (line: string, number: number) => readonly ListFileItem[];

/** A format in which lists are handed on. */
export interface ListFormat {
  readonly name: string;
  /** Whether a file is of this format, by its first lines, of which none is blank. */
  recognises(beginning: readonly string[]): boolean;
  readonly read:
    | {
        /** A reader for the lines of one file. */
        readonly byLine: () => ListLineReader;
      }
    | {
        /** Reads the text of a file that only makes sense as a whole. Never throws. */
        readonly whole: (text: string) => Iterable<ListFileItem>;
      };
}

/** Whether an item is a line that is no entry. */
export function isBadLine(item: ListFileItem): item is BadLine {
  return 'message' in item;
}
