import { BLOCK_CHECKS, BUCKETS, bucketOf, placeInBlock, writeCell } from './block.ts';
import { MAX_INDEXED_NAMES } from './host-suffixes.ts';

/** The entries of a block, gathered in flat lists: thousands of small objects would cost more than all the rest. */
export interface BlockEntries {
  /** Adds the domain with this hash of a check. Checks come in the order of their ids. */
  add(hash: number, id: number, decision: number): void;
  /** The cells of all buckets that have an entry. */
  cells(): Iterable<readonly [bucket: number, cell: Uint8Array]>;
}

/** Entry by entry, a hash and where a check with it stands. */
interface Entries {
  readonly hashes: Uint32Array;
  readonly places: Uint16Array;
}

const BUCKET_BITS = Math.log2(BUCKETS);
const OTHER_BITS = (32 - BUCKET_BITS) / 3;

/**
 * The parts of a hash by which entries are sorted in turn. That of the bucket comes last, so that the entries of one lie
 * together; the others are so short that a counter for each value of one stays near the processor.
 */
const PARTS = [
  { shift: BUCKET_BITS, bits: OTHER_BITS },
  { shift: BUCKET_BITS + OTHER_BITS, bits: OTHER_BITS },
  { shift: BUCKET_BITS + 2 * OTHER_BITS, bits: OTHER_BITS },
  { shift: 0, bits: BUCKET_BITS },
] as const;

/** Begins to gather. */
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

/** The entries in the order of some bits of their hashes; where these are the same they stay in order (a radix sort). */
function sortedBy({ hashes, places }: Entries, shift: number, bits: number): Entries {
  const count = hashes.length;
  const mask = (1 << bits) - 1;
  // Where the next entry with these bits goes: behind all of those with lower ones.
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
