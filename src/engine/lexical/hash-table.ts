import { FNV_BASIS, fnvStep, mixHash } from '#src/core/base/fnv.ts';

/** A map from 32-bit hashes to values, in two arrays with open addressing; key 0 marks a free slot. */
export interface HashTable {
  /** 2ⁿ slots. */
  readonly keys: Uint32Array;
  /** One value per slot. */
  readonly values: Uint8Array;
}

/** Returns the value of a hash; 0 if it is not in the table. */
export function lookUp(table: HashTable, hash: number): number {
  const { keys, values } = table;
  const mask = keys.length - 1;
  const key = hash === 0 ? 1 : hash;
  for (let at = key & mask; ; at = (at + 1) & mask) {
    const found = keys[at];
    if (found === key) return values[at] ?? 0;
    if (found === 0 || found === undefined) return 0;
  }
}

/** Builds a table that is at most two thirds full. The first value of a repeated hash is used. Values are 1 to 255. */
export function buildHashTable(entries: readonly (readonly [hash: number, value: number])[]): HashTable {
  let size = 16;
  while (size * 2 < entries.length * 3) size *= 2;
  const keys = new Uint32Array(size);
  const values = new Uint8Array(size);
  for (const [hash, value] of entries) {
    const key = hash === 0 ? 1 : hash;
    let at = key & (size - 1);
    while (keys[at] !== 0 && keys[at] !== key) at = (at + 1) & (size - 1);
    if (keys[at] === key) continue;
    keys[at] = key;
    values[at] = value;
  }
  return { keys, values };
}

/** Returns the 32-bit hash of `text` from `start` to `end`, in lower case: the key of the model's tables. */
export function hashText(text: string, start = 0, end = text.length): number {
  let hash = FNV_BASIS;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    hash = fnvStep(hash, code >= 65 && code <= 90 ? code + 32 : code);
  }
  return mixHash(hash);
}
