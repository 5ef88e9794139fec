import { readLines } from '#src/core/base/files/line-reader.ts';
import { MAX_URL_LENGTH } from '#src/core/url/target.ts';
import { quoted } from '../entry.ts';
import type { BadLine } from '../parse.ts';

/** Thrown for a file that could not be read to its end; the message states why, as the end of a sentence. */
export class ListFileError extends Error {
  override readonly name = 'ListFileError';
}

/** Maximum length of a line of a list; no URL that is checked is as long. */
export const MAX_LIST_LINE_BYTES = 64 * 1024;

/** Returns why a line cannot be parsed, as a sentence without its subject; null if it can. */
export function listLineProblem(text: string | null): string | null {
  if (text === null) return `is longer than ${MAX_LIST_LINE_BYTES / 1024} KiB`;
  if (text.includes('\0')) return 'contains a NUL';
  return text.includes('\ufffd') ? 'is not UTF-8' : null;
}

/** An address with a port, as of a command server; the list covers the address. */
const ADDRESS_WITH_PORT = /^(?:(\d{1,3}(?:\.\d{1,3}){3})|\[([\da-f:.]+)\]):\d{1,5}$/i;
const BLOCK = /^[\da-f.:]+\/\d+$/i;
/** A host without a scheme, and a port, path or query behind it. */
const HOST_AND_REST = /^([^\s/?#:@|^]+)((?::\d{1,5})?)([/?]\S*|)$/;

/**
 * Returns a value of a list as an entry spells it: `.evil.example` and `*.evil.example` are the host with what is below
 * it, `192.0.2.1:8080` is the address, `evil.example/path` and `evil.example:8080` are URLs.
 */
export function entryValue(written: string): string {
  const value = written.replace(/^(?:\*?\.|\/\/)(?=[^.*/\s])/, '');
  const [, ipv4, ipv6] = ADDRESS_WITH_PORT.exec(value) ?? [];
  if (ipv4 !== undefined || ipv6 !== undefined) return ipv4 ?? ipv6 ?? '';
  if (BLOCK.test(value)) return value;
  const [, host, port, rest] = HOST_AND_REST.exec(value) ?? [];
  return !host?.includes('.') || `${port}${rest}` === '' ? value : `http://${host}${port}${rest || '/'}`;
}

const HASH = /^(?:[\da-f]{32}|[\da-f]{40}|[\da-f]{56}|[\da-f]{64}|[\da-f]{96}|[\da-f]{128})$/i;

/** Returns true for a hash of a file, in hexadecimal digits, which many feeds have beside URLs. */
export function isHash(value: string): boolean {
  return HASH.test(value);
}

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
