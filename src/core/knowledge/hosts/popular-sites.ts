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

const HEADER_START = '# lurecheck popular sites 1\n';

/**
 * Reads the table: sorted lines of `name bucket`, after comment lines that begin with `#` and name the source. It is
 * searched in place, without parsing, and has the names themselves: with a table of short hashes, anybody could find a
 * name that passes for a popular one. Throws an Error if the text is not such a table.
 */
export function readPopularSites(table: string): PopularSites {
  if (!table.startsWith(HEADER_START) || !table.endsWith('\n')) {
    throw new Error(
      `popular-sites.txt is not a whole table of this version: it must begin with "${HEADER_START.trim()}"`,
    );
  }
  return {
    bucketOf: (site) => {
      const line = findLine(table, `${site} `);
      return line === -1 ? null : bucketFrom(table.charCodeAt(line + site.length + 1));
    },
    hasLabel: (label) => findLine(table, `${label}.`) !== -1,
    upTo: (bucket) =>
      table
        .split('\n')
        .filter((line) => !line.startsWith('#') && Number(line.slice(-1)) <= bucket && line !== '')
        .map((line) => line.slice(0, line.lastIndexOf(' '))),
  };
}

/** The offset of a line that begins with `prefix`, or −1. */
function findLine(table: string, prefix: string): number {
  let low = 0;
  let high = table.length;
  while (low < high) {
    // At 0, `lastIndexOf` would find a line break at 0 only; tables begin with none.
    const lineStart = Math.max(low, table.lastIndexOf('\n', ((low + high) >>> 1) - 1) + 1);
    const order = comparePrefix(table, lineStart, prefix);
    if (order === 0) return lineStart;
    if (order > 0) high = lineStart;
    else low = table.indexOf('\n', lineStart) + 1;
  }
  return -1;
}

/** Below zero if the line at `offset` sorts before `prefix`, zero if it begins with it. */
function comparePrefix(table: string, offset: number, prefix: string): number {
  for (let i = 0; i < prefix.length; i++) {
    const difference = table.charCodeAt(offset + i) - prefix.charCodeAt(i);
    if (difference !== 0) return difference;
  }
  return 0;
}

function bucketFrom(digit: number): PopularityBucket | null {
  const bucket = digit - 0x30;
  return bucket === 3 || bucket === 4 || bucket === 5 ? bucket : null;
}
