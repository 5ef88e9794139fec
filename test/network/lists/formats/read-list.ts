import { isBadLine, isSkippedLine, type ListFileItem } from '#src/network/lists/formats/list-format.ts';
import { readListFile } from '#src/network/lists/formats/read-list-file.ts';

async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

/** What stands in a file that comes in chunks of a size, in bytes. */
export async function readList(
  file: string | Uint8Array,
  size = 7,
  format: string | null = null,
): Promise<ListFileItem[]> {
  return (await Array.fromAsync(readListFile(chunksOf(Buffer.from(file), size), format))).flat();
}

/** Each item with its line: an entry with value and comment, a line that is none with its message. */
export function told(items: readonly ListFileItem[]) {
  return items.map((item) => (isBadLine(item) ? [item.line, item.message] : [item.line, item.value, item.comment]));
}

/** The entries alone, as line and value; behind an exception stands `except`. */
export function entriesOf(items: readonly ListFileItem[]) {
  return items.flatMap((item) =>
    isBadLine(item) ? [] : [[item.line, item.value, ...(item.isException ? ['except'] : [])]],
  );
}

/** The lines that are left out, and those that are broken. */
export function unread(items: readonly ListFileItem[]) {
  const bad = items.filter(isBadLine);
  const [broken, out] = [bad.filter((item) => !isSkippedLine(item)), bad.filter(isSkippedLine)];
  return { broken: broken.map(({ line }) => line), leftOut: out.map(({ line }) => line) };
}
