/** Popularity of a site: 3 among the first thousand, 4 ten thousand, 5 hundred thousand. */
export type PopularityBucket = 3 | 4 | 5;

/** Which sites many people visit. Each question takes about 1 µs. */
export interface PopularSites {
  /** The bucket of exactly this name, or null if it is in no list. */
  bucketOf(site: string): PopularityBucket | null;
  /** Returns true if some popular site's name begins with this label: `example.org` and the like for `example`. */
  hasLabel(label: string): boolean;
  /** The names of this bucket and of those before it. */
  upTo(bucket: PopularityBucket): string[];
}

const NEWLINE = 0x0a;
const HEADER_START = '# lurecheck popular sites 1\n';

/**
 * Reads the table: sorted lines of `name bucket`, after comment lines that begin with `#` and name the source. It is
 * searched in place, without parsing, and has the names themselves: with a table of short hashes, anybody could find a
 * name that passes for a popular one. Throws an Error if the bytes are not such a table.
 */
export function readPopularSites(bytes: Uint8Array): PopularSites {
  const start = new TextDecoder().decode(bytes.subarray(0, HEADER_START.length));
  if (start !== HEADER_START || bytes.at(-1) !== NEWLINE) {
    throw new Error(
      `popular-sites.txt is not a whole table of this version: it must begin with "${HEADER_START.trim()}"`,
    );
  }
  return {
    bucketOf: (site) => {
      const line = findLine(bytes, `${site} `);
      return line === -1 ? null : bucketFrom(bytes[line + site.length + 1]);
    },
    hasLabel: (label) => findLine(bytes, `${label}.`) !== -1,
    upTo: (bucket) =>
      new TextDecoder()
        .decode(bytes)
        .split('\n')
        .filter((line) => !line.startsWith('#') && Number(line.slice(-1)) <= bucket && line !== '')
        .map((line) => line.slice(0, line.lastIndexOf(' '))),
  };
}

/** The offset of a line that begins with `prefix`, or −1. */
function findLine(bytes: Uint8Array, prefix: string): number {
  let low = 0;
  let high = bytes.length;
  while (low < high) {
    let lineStart = (low + high) >>> 1;
    while (lineStart > low && bytes[lineStart - 1] !== NEWLINE) lineStart--;
    const order = comparePrefix(bytes, lineStart, prefix);
    if (order === 0) return lineStart;
    if (order > 0) high = lineStart;
    else low = bytes.indexOf(NEWLINE, lineStart) + 1;
  }
  return -1;
}

/** Below zero if the line at `offset` sorts before `prefix`, zero if it begins with it. */
function comparePrefix(bytes: Uint8Array, offset: number, prefix: string): number {
  for (let i = 0; i < prefix.length; i++) {
    const difference = (bytes[offset + i] ?? NEWLINE) - prefix.charCodeAt(i);
    if (difference !== 0) return difference;
  }
  return 0;
}

function bucketFrom(digit: number | undefined): PopularityBucket | null {
  const bucket = (digit ?? 0) - 0x30;
  return bucket === 3 || bucket === 4 || bucket === 5 ? bucket : null;
}
