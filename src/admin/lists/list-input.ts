import type { ListFileItem } from '#src/network/lists/formats/list-format.ts';
import { type ListFile, readListFile } from '#src/network/lists/formats/read-list-file.ts';

/** Content of a change: entries, the bytes of a file, or a file that is streamed. */
export type ListInput = readonly ListFileItem[] | ListInputFile | ListStream;

/** Bytes of a list file. Their buffer must not be used afterwards. */
export interface ListInputFile {
  readonly bytes: Uint8Array;
  /** Name of the format; null to detect it. */
  readonly format: string | null;
}

/** Entries that arrive in pieces. */
export type ListStream = AsyncIterable<readonly ListFileItem[]> | ListFile;

/** Bytes that are read at a time. */
const PIECE_BYTES = 32 * 1024;

/** Returns true for an input that arrives in pieces. */
export function isStream(input: ListInput): input is ListStream {
  return Symbol.asyncIterator in input;
}

/** Returns the entries of an input in pieces. */
export function readInput(input: ListInput): ListStream {
  if ('bytes' in input) return readListFile(inPieces(input.bytes), input.format);
  return isStream(input) ? input : once(input);
}

async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

async function* once(items: readonly ListFileItem[]): AsyncGenerator<readonly ListFileItem[]> {
  yield items;
}
