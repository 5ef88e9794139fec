import { fnvHash, mixHash } from '#src/core/base/fnv.ts';

/** So many checks that were logged one after the other are indexed together, once all of them are there. */
export const BLOCK_CHECKS = 2048;

/** The entries of a block lie in as many cells, a power of two, by their hash, so that a look-up reads a small part of each block. */
export const BUCKETS = 32;

/** Decisions fit into two bits. */
const DECISION_BITS = 2;

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

/** Where a check stands in its block, and how it was decided: the other half of an entry beside its hash. */
export function placeInBlock(id: number, decision: number): number {
  return ((id % BLOCK_CHECKS) << DECISION_BITS) + decision;
}

/** A cell of entries in ascending order: all hashes, then their places. */
export function writeCell(hashes: Uint32Array, places: Uint16Array): Uint8Array {
  const bytes = new Uint8Array(hashes.length * (BYTES_OF_HASH + BYTES_OF_PLACE));
  new Uint32Array(bytes.buffer, 0, hashes.length).set(hashes);
  new Uint16Array(bytes.buffer, hashes.length * BYTES_OF_HASH, places.length).set(places);
  return bytes;
}

/** A cell without the entries of some checks of its block; the cell itself where it has none of them. */
export function withoutChecks(cell: Uint8Array, ids: ReadonlySet<number>, block: number): Uint8Array {
  const { hashes, places } = readCell(cell);
  const stays = (_: number, i: number) => !ids.has(idAt(block, places[i] ?? 0));
  const left = hashes.filter(stays);
  return left.length === hashes.length ? cell : writeCell(left, places.filter(stays));
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
