import { mixHash } from '#src/core/base/fnv.ts';

/** A one-hash Bloom filter of 32-bit hashes. */
export interface HashSet {
  add(hash: number): void;
  /**
   * Returns false if a hash was not added. A false positive occurs for one in seven of a million others, in a set of a
   * million.
   */
  mayHave(hash: number): boolean;
  /** Returns the content for {@link createHashSet}; null for an empty set. */
  pack(): Uint32Array<ArrayBuffer> | null;
}

/** Small enough to stay near the processor. */
const BITS = 2 ** 22;

/** Makes a set, empty by default; its half megabyte is taken with the first hash. */
export function createHashSet(packed: Uint32Array<ArrayBuffer> | null = null): HashSet {
  let bits = packed;
  return {
    pack: () => bits,
    add(hash) {
      bits ??= new Uint32Array(BITS / 32);
      const bit = mixHash(hash) & (BITS - 1);
      bits[bit >>> 5] = (bits[bit >>> 5] ?? 0) | (1 << (bit & 31));
    },
    mayHave(hash) {
      if (bits === null) return false;
      const bit = mixHash(hash) & (BITS - 1);
      return (((bits[bit >>> 5] ?? 0) >>> (bit & 31)) & 1) === 1;
    },
  };
}
