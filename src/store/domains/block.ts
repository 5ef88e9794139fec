import { fnvHash, mixHash } from '#src/base/fnv.ts';

/** So many checks that were logged one after the other are indexed together, once all of them are there. */
export const BLOCK_CHECKS = 2048;

/** The entries of a block lie in as many cells, a power of two, by their hash, so that a look-up reads a small part of each block. */
export const BUCKETS = 32;

/** Decisions fit into two bits. */
const DECISION_BITS = 2;
const PLACE_BITS = Math.log2(BLOCK_CHECKS) + DECISION_BITS;

/** An entry is taken apart in two parts of fewer than 31 bits: an integer beyond them costs several times as much. */
const LOW_BITS = 29;

const BYTES_OF_HASH = Uint32Array.BYTES_PER_ELEMENT;
const BYTES_OF_PLACE = Uint16Array.BYTES_PER_ELEMENT;

/** The block of the check with this id. */
export function blockOf(id: number): number {
  return Math.floor(id / BLOCK_CHECKS);
}

/** The key of the cell in which a block keeps the entries of a bucket: the cells of a bucket lie together. */
export function cellKey(bucket: number, block: number): number {
  return bucket * 2 ** 40 + block;
}

/** What stands in the index for the domain from `start` on. Two may share it: whoever reads has to look at the host. */
export function domainHash(domain: string, start = 0): number {
  return mixHash(fnvHash(domain, start));
}

/** The bucket of a hash. */
export function bucketOf(hash: number): number {
  return hash & (BUCKETS - 1);
}

/** A hash and where a check with it stands in its block, in one number that sorts by the hash first. */
export function entryOf(hash: number, id: number, decision: number): number {
  return hash * 2 ** PLACE_BITS + ((id % BLOCK_CHECKS) << DECISION_BITS) + decision;
}

/** Writes the entries of a cell, in any order: all hashes in ascending order, then their places. */
export function writeCell(entries: readonly number[]): Uint8Array {
  const sorted = new Float64Array(entries).sort();
  const bytes = new Uint8Array(sorted.length * (BYTES_OF_HASH + BYTES_OF_PLACE));
  const hashes = new Uint32Array(bytes.buffer, 0, sorted.length);
  const places = new Uint16Array(bytes.buffer, sorted.length * BYTES_OF_HASH, sorted.length);
  for (let i = 0; i < sorted.length; i++) {
    const entry = sorted[i] ?? 0;
    const high = Math.floor(entry / 2 ** LOW_BITS);
    const low = entry - high * 2 ** LOW_BITS;
    hashes[i] = (high << (LOW_BITS - PLACE_BITS)) | (low >>> PLACE_BITS);
    places[i] = low & (2 ** PLACE_BITS - 1);
  }
  return bytes;
}

/** A cell without the entries of some checks of its block; the cell itself where it has none of them. */
export function withoutChecks(cell: Uint8Array, ids: ReadonlySet<number>, block: number): Uint8Array {
  const { hashes, places } = readCell(cell);
  const entries: number[] = [];
  for (let i = 0; i < hashes.length; i++) {
    const place = places[i] ?? 0;
    if (!ids.has(idAt(block, place))) entries.push((hashes[i] ?? 0) * 2 ** PLACE_BITS + place);
  }
  return entries.length === hashes.length ? cell : writeCell(entries);
}

/** The ids of the checks in a cell that have this hash, and one of the decisions that `isMeant` takes. */
export function idsInCell(
  cell: Uint8Array,
  block: number,
  hash: number,
  isMeant: (decision: number) => boolean,
): number[] {
  const { hashes, places } = readCell(cell);
  const ids: number[] = [];
  for (let i = firstNotBelow(hashes, hash); hashes[i] === hash; i++) {
    const place = places[i] ?? 0;
    if (isMeant(place % 2 ** DECISION_BITS)) ids.push(idAt(block, place));
  }
  return ids;
}

function readCell(cell: Uint8Array): { hashes: Uint32Array; places: Uint16Array } {
  // What SQLite hands out begins anywhere.
  const { buffer, length } = new Uint8Array(cell);
  const count = length / (BYTES_OF_HASH + BYTES_OF_PLACE);
  return { hashes: new Uint32Array(buffer, 0, count), places: new Uint16Array(buffer, count * BYTES_OF_HASH, count) };
}

function idAt(block: number, place: number): number {
  return block * BLOCK_CHECKS + (place >>> DECISION_BITS);
}

function firstNotBelow(sorted: Uint32Array, wanted: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
