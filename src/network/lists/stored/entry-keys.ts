import { FNV_BASIS, fnvHash, fnvStep, mixHash } from '#src/core/base/fnv.ts';
import { createTextTable, openTextTable, type PackedTexts, type TextTable } from './text-table.ts';

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
function createHashSet(packed: Uint32Array<ArrayBuffer> | null = null): HashSet {
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

/**
 * The texts of entries, each with a number, and what kinds of them there are, so that the others need not be looked
 * for.
 */
export interface EntryKeys {
  readonly size: number;
  /**
   * Hosts by the hash from behind, so that one pass is enough for all that a host lies under; all others by {@link
   * fnvHash}.
   */
  readonly texts: Pick<TextTable, 'find' | 'has'>;
  /** Hashes of the authorities of URLs. */
  readonly authorities: Pick<HashSet, 'mayHave'>;
  /** Lengths of URL prefixes after the host, in characters. */
  readonly beginnings: ReadonlySet<number>;
  /** Prefix lengths of the address blocks, longest first. */
  readonly blockBits: readonly number[];
  /** Adds the output of `writeStoredEntry` between two positions; returns its number, or that of an equal entry. */
  add(given: Uint8Array, from: number, to: number): number;
  /** The number of an entry; −1 for none. */
  numberOf(entry: string): number;
  /** Returns the content for {@link openEntryKeys}. */
  pack(): PackedKeys;
}

/** Content of {@link EntryKeys}. */
export interface PackedKeys {
  readonly texts: PackedTexts;
  readonly authorities: Uint32Array<ArrayBuffer> | null;
  readonly beginnings: readonly number[];
  readonly blockBits: readonly number[];
}

/** The common beginning of all URLs, which is not stored. */
export const SCHEME = 'http://';

const [SLASH, STAR] = [0x2f, 0x2a];

/** Makes a table, with room for `count` entries whose texts have `bytes` together; it grows beyond. */
export function createEntryKeys(count: number, bytes: number): EntryKeys {
  return keysOver(createTextTable(count, bytes), { authorities: null, beginnings: [], blockBits: [] });
}

/** Opens keys on their content, to which nothing is added. */
export function openEntryKeys(packed: PackedKeys): EntryKeys {
  return keysOver(openTextTable(packed.texts), packed);
}

function keysOver(texts: TextTable, packed: Omit<PackedKeys, 'texts'>): EntryKeys {
  const authorities = createHashSet(packed.authorities);
  const beginnings = new Set(packed.beginnings);
  let { blockBits } = packed;

  function addUrl(given: Uint8Array, from: number, to: number): number {
    const start = from + SCHEME.length;
    let hash = FNV_BASIS;
    let path = -1;
    for (let at = start; at < to; at++) {
      const byte = given[at] ?? 0;
      if (byte === SLASH && path === -1) {
        authorities.add(hash);
        path = at;
      }
      hash = fnvStep(hash, byte);
    }
    if (given[to - 1] === STAR) beginnings.add(to - path - 1);
    return texts.add(given, start, to, hash);
  }

  function addBlock(entry: string): number {
    const bits = Number(entry.slice(entry.indexOf('/') + 1));
    if (!blockBits.includes(bits)) blockBits = [...blockBits, bits].toSorted((a, b) => b - a);
    const key = keyOf(entry);
    return texts.add(Buffer.from(key, 'latin1'), 0, key.length, fnvHash(key));
  }

  function add(given: Uint8Array, from: number, to: number): number {
    let hash = FNV_BASIS;
    for (let at = to - 1; at >= from; at--) {
      const byte = given[at] ?? 0;
      if (byte === SLASH) {
        // In a URL two follow each other.
        const isUrl = given[from + SCHEME.length - 1] === SLASH && given[from + SCHEME.length - 2] === SLASH;
        return isUrl ? addUrl(given, from, to) : addBlock(Buffer.from(given.subarray(from, to)).toString('latin1'));
      }
      hash = fnvStep(hash, byte);
    }
    return texts.add(given, from, to, hash);
  }

  return {
    texts,
    authorities,
    beginnings,
    add,
    pack: () => ({ texts: texts.pack(), authorities: authorities.pack(), beginnings: [...beginnings], blockBits }),
    get size() {
      return texts.size;
    },
    get blockBits() {
      return blockBits;
    },
    numberOf(entry) {
      const key = keyOf(entry);
      return texts.find(key, 0, key.length, 0, key.includes('/') ? fnvHash(key) : hashFromBehind(key));
    },
  };
}

function hashFromBehind(text: string): number {
  let hash = FNV_BASIS;
  for (let at = text.length - 1; at >= 0; at--) hash = fnvStep(hash, text.charCodeAt(at));
  return hash;
}

/** Returns the key of an entry: a URL without its scheme, and a block with a slash, so that no URL has the same key. */
function keyOf(entry: string): string {
  if (entry.startsWith(SCHEME)) return entry.slice(SCHEME.length);
  return entry.includes('/') ? `/${entry}` : entry;
}
