import { BLOCK_CHECKS, BUCKETS, bucketOf, placeInBlock, writeCell } from './block.ts';
import { MAX_INDEXED_NAMES } from './host-suffixes.ts';

/** Index entries of a block in flat arrays: thousands of small objects would dominate the cost. */
export interface BlockEntries {
  /** Adds a domain of a check by its hash. Checks come in the order of their ids. */
  add(hash: number, id: number, decision: number): void;
  /** Returns the cells of all buckets that have an entry. */
  cells(): Iterable<readonly [bucket: number, cell: Uint8Array]>;
}

/** Parallel arrays of hashes and places. */
interface Entries {
  readonly hashes: Uint32Array;
  readonly places: Uint16Array;
}

const BUCKET_BITS = Math.log2(BUCKETS);
const OTHER_BITS = (32 - BUCKET_BITS) / 3;

/**
 * Parts of a hash for the radix sort. The bucket comes last, so that its entries are adjacent; the other parts are
 * short enough for their counters to stay in the processor's cache.
 */
const PARTS = [
  { shift: BUCKET_BITS, bits: OTHER_BITS },
  { shift: BUCKET_BITS + OTHER_BITS, bits: OTHER_BITS },
  { shift: BUCKET_BITS + 2 * OTHER_BITS, bits: OTHER_BITS },
  { shift: 0, bits: BUCKET_BITS },
] as const;

/** Creates an empty collection of entries. */
export function gatherEntries(): BlockEntries {
  const hashes = new Uint32Array(BLOCK_CHECKS * MAX_INDEXED_NAMES);
  const places = new Uint16Array(hashes.length);
  let count = 0;
  return {
    add(hash, id, decision) {
      hashes[count] = hash;
      places[count++] = placeInBlock(id, decision);
    },
    *cells() {
      let sorted: Entries = { hashes: hashes.subarray(0, count), places: places.subarray(0, count) };
      for (const { shift, bits } of PARTS) sorted = sortedBy(sorted, shift, bits);
      for (let from = 0, to = 0; from < count; from = to) {
        const bucket = bucketOf(sorted.hashes[from] ?? 0);
        while (to < count && bucketOf(sorted.hashes[to] ?? 0) === bucket) to++;
        yield [bucket, writeCell(sorted.hashes.subarray(from, to), sorted.places.subarray(from, to))];
      }
    },
  };
}

/** Sorts entries by some bits of their hashes, stably (one pass of a radix sort). */
function sortedBy({ hashes, places }: Entries, shift: number, bits: number): Entries {
  const count = hashes.length;
  const mask = (1 << bits) - 1;
  // Target index of the next entry with these bits.
  const next = new Uint32Array(mask + 2);
  for (let i = 0; i < count; i++) {
    const above = (((hashes[i] ?? 0) >>> shift) & mask) + 1;
    next[above] = (next[above] ?? 0) + 1;
  }
  for (let part = 1; part <= mask; part++) next[part] = (next[part] ?? 0) + (next[part - 1] ?? 0);
  const sorted: Entries = { hashes: new Uint32Array(count), places: new Uint16Array(count) };
  for (let i = 0; i < count; i++) {
    const hash = hashes[i] ?? 0;
    const part = (hash >>> shift) & mask;
    const at = next[part] ?? 0;
    next[part] = at + 1;
    sorted.hashes[at] = hash;
    sorted.places[at] = places[i] ?? 0;
  }
  return sorted;
}
