/** How popular a site is: 3 among the first thousand, 4 ten thousand, 5 hundred thousand; 6 in a second list alone. */
export type PopularityBucket = 3 | 4 | 5 | 6;

/** Which sites many people visit. */
export interface PopularSites {
  /** The bucket of exactly this name, or null where it is in no list. About 1 µs. */
  bucketOf(site: string): PopularityBucket | null;
}

const NEWLINE = 0x0a;
const SPACE = 0x20;
const HEADER_START = '# lurecheck popular sites 1\n';

/**
 * Reads the table: sorted lines of `name bucket`, behind lines that begin with `#` and say where it comes from. It is
 * searched where it lies, without parsing, and holds the names themselves: a table of short hashes would let anyone
 * find a name that passes for a popular one. Throws an Error when it is not such a table.
 */
export function readPopularSites(bytes: Uint8Array): PopularSites {
  const start = new TextDecoder().decode(bytes.subarray(0, HEADER_START.length));
  if (start !== HEADER_START || bytes.at(-1) !== NEWLINE) {
    throw new Error(
      `popular-sites.txt is not a whole table of this version: it must begin with "${HEADER_START.trim()}"`,
    );
  }
  return { bucketOf: (site) => bucketAt(bytes, findLine(bytes, site)) };
}

/** The offset behind the space of the line that holds `name`, or −1. */
function findLine(bytes: Uint8Array, name: string): number {
  let low = 0;
  let high = bytes.length;
  while (low < high) {
    let lineStart = (low + high) >>> 1;
    while (lineStart > low && bytes[lineStart - 1] !== NEWLINE) lineStart--;
    const order = compareLine(bytes, lineStart, name);
    if (order === 0) return lineStart + name.length + 1;
    if (order > 0) high = lineStart;
    else low = bytes.indexOf(NEWLINE, lineStart) + 1;
  }
  return -1;
}

/** Below zero where the line at `offset` sorts before `name` and a space, zero where it begins with just that. */
function compareLine(bytes: Uint8Array, offset: number, name: string): number {
  for (let i = 0; i < name.length; i++) {
    const difference = (bytes[offset + i] ?? NEWLINE) - name.charCodeAt(i);
    if (difference !== 0) return difference;
  }
  return (bytes[offset + name.length] ?? NEWLINE) - SPACE;
}

function bucketAt(bytes: Uint8Array, offset: number): PopularityBucket | null {
  const digit = offset < 0 ? 0 : (bytes[offset] ?? 0) - 0x30;
  return digit === 3 || digit === 4 || digit === 5 || digit === 6 ? digit : null;
}
