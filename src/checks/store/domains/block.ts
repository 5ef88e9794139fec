import { fnvHash, mixHash } from '#src/core/base/fnv.ts';

/** Consecutive checks that are indexed together, once the block is complete. */
export const BLOCK_CHECKS = 2048;

/** Cells per block, a power of two; entries are spread by hash, so that a lookup reads a small part of each block. */
export const BUCKETS = 32;

/** Bits per decision. */
const DECISION_BITS = 2;

const BYTES_OF_HASH = Uint32Array.BYTES_PER_ELEMENT;
const BYTES_OF_PLACE = Uint16Array.BYTES_PER_ELEMENT;

/** Returns the block of a check. */
export function blockOf(id: number): number {
  return Math.floor(id / BLOCK_CHECKS);
}

/** Most blocks whose cells have keys: no log has as many. */
export const MAX_BLOCKS = 2 ** 40;

/** Returns the key of a cell. Cells of the same bucket are adjacent. */
export function cellKey(bucket: number, block: number): number {
  return bucket * MAX_BLOCKS + block;
}

/** Returns the index hash of the domain from `start` on. Domains may collide: readers must compare the host. */
export function domainHash(domain: string, start = 0): number {
  return mixHash(fnvHash(domain, start));
}

/** Returns the bucket of a hash. */
export function bucketOf(hash: number): number {
  return hash & (BUCKETS - 1);
}

/** Encodes a check's offset in its block and its decision: the second half of an entry. */
export function placeInBlock(id: number, decision: number): number {
  return ((id % BLOCK_CHECKS) << DECISION_BITS) + decision;
}

/** Encodes a cell with entries in ascending order: all hashes, then their places. */
export function writeCell(hashes: Uint32Array, places: Uint16Array): Uint8Array {
  const bytes = new Uint8Array(hashes.length * (BYTES_OF_HASH + BYTES_OF_PLACE));
  new Uint32Array(bytes.buffer, 0, hashes.length).set(hashes);
  new Uint16Array(bytes.buffer, hashes.length * BYTES_OF_HASH, places.length).set(places);
  return bytes;
}

/** Returns a cell without the entries of some checks; the same cell if it has none of them. */
export function withoutChecks(cell: Uint8Array, ids: ReadonlySet<number>, block: number): Uint8Array {
  const { hashes, places } = readCell(cell);
  const stays = (_: number, i: number) => !ids.has(idAt(block, places[i] ?? 0));
  const left = hashes.filter(stays);
  return left.length === hashes.length ? cell : writeCell(left, places.filter(stays));
}

/** Returns the ids in a cell with this hash and a decision that `accepts` takes. */
export function idsInCell(
  cell: Uint8Array,
  block: number,
  hash: number,
  accepts: (decision: number) => boolean,
): number[] {
  const { hashes, places } = readCell(cell);
  const ids: number[] = [];
  for (let i = firstNotBelow(hashes, hash); hashes[i] === hash; i++) {
    const place = places[i] ?? 0;
    if (accepts(place % 2 ** DECISION_BITS)) ids.push(idAt(block, place));
  }
  return ids;
}

function readCell(cell: Uint8Array): { hashes: Uint32Array; places: Uint16Array } {
  // SQLite's buffers may be unaligned.
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
