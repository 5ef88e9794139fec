import { mixHash } from '#src/core/base/fnv.ts';

/**
 * Table of ASCII texts, numbered from 0 in the order of insertion. All are in one buffer with a hash table over it: a
 * text takes 10 to 16 bytes besides its own. The caller supplies the hash, which must always be the same function of
 * the text.
 */
export interface TextTable {
  readonly size: number;
  /** Adds the text between two positions of `bytes`; returns its number, or that of an equal text. */
  add(bytes: Uint8Array, from: number, to: number, hash: number): number;
  /** Returns true if the text between two places of `bytes` is in the table. */
  has(bytes: Uint8Array, from: number, to: number, hash: number): boolean;
  /** The number of a part of `text`, with `tail` (a character code; 0 for none) behind it; −1 for none. */
  find(text: string, from: number, to: number, tail: number, hash: number): number;
  /** Returns the content, to be handed to another thread. */
  pack(): PackedTexts;
}

/** Content of a {@link TextTable}, in buffers without spare room. */
export interface PackedTexts {
  readonly size: number;
  readonly blob: Uint8Array<ArrayBuffer>;
  readonly ends: Uint32Array<ArrayBuffer>;
  readonly slots: Uint32Array<ArrayBuffer>;
}

const NONE = 0xffffffff;
/** A slot has 24 bits for the number of a text, and eight for its hash. */
const NUMBER = 0x00ffffff;
const TAG = 0xff000000;

/** At most two of three slots are occupied, so that lookups rarely probe other texts. */
const SLOTS_EACH = 1.5;

/** Makes a table, with room for `count` texts of `bytes` together; it grows beyond. */
export function createTextTable(count: number, bytes: number): TextTable {
  const empty = { size: 0, blob: new Uint8Array(bytes), ends: new Uint32Array(count), slots: emptySlots(count) };
  return openTextTable(empty, count === 0);
}

/**
 * Opens a table on its content.
 *
 * @param mayGrow true if texts may be added beyond the room of the content
 */
export function openTextTable(packed: PackedTexts, mayGrow = false): TextTable {
  let { size, blob, ends, slots } = packed;
  /** Its own hash for each text. */
  let hashes = mayGrow ? new Uint32Array(16) : null;

  const startOf = (number: number) => (number === 0 ? 0 : (ends[number - 1] ?? 0));

  function grow(): void {
    if (hashes === null) throw new Error('a table of a fixed size is full');
    slots = new Uint32Array(2 * slots.length).fill(NONE);
    const mask = slots.length - 1;
    for (let number = 0; number < size; number++) {
      const mixed = hashes[number] ?? 0;
      let slot = mixed & mask;
      while (slots[slot] !== NONE) slot = (slot + 1) & mask;
      slots[slot] = ((mixed & TAG) | number) >>> 0;
    }
  }

  function isText(number: number, given: Uint8Array, from: number, length: number): boolean {
    const start = startOf(number);
    if ((ends[number] ?? 0) - start !== length) return false;
    for (let i = 0; i < length; i++) if (blob[start + i] !== given[from + i]) return false;
    return true;
  }

  /** Returns the number of a text; of an absent one the slot that it would take, as a negative number below −1. */
  function numberOf(given: Uint8Array, from: number, to: number, mixed: number): number {
    const mask = slots.length - 1;
    let slot = mixed & mask;
    for (let taken = slots[slot] ?? NONE; taken !== NONE; taken = slots[slot] ?? NONE) {
      const number = taken & NUMBER;
      if (((taken ^ mixed) & TAG) === 0 && isText(number, given, from, to - from)) return number;
      slot = (slot + 1) & mask;
    }
    return -2 - slot;
  }

  function place(number: number, given: Uint8Array, from: number, to: number): void {
    const start = startOf(number);
    const end = start + to - from;
    if (end > blob.length) blob = copied(blob, new Uint8Array(2 * end));
    if (number === ends.length) ends = copied(ends, new Uint32Array(2 * number + 8));
    for (let at = from; at < to; at++) blob[start + at - from] = given[at] ?? 0;
    ends[number] = end;
  }

  return {
    get size() {
      return size;
    },
    add(given, from, to, hash) {
      if ((size + 1) * SLOTS_EACH > slots.length) grow();
      const mixed = mixHash(hash);
      const known = numberOf(given, from, to, mixed);
      if (known >= 0) return known;
      place(size, given, from, to);
      if (hashes !== null) {
        if (size === hashes.length) hashes = copied(hashes, new Uint32Array(2 * size));
        hashes[size] = mixed;
      }
      slots[-2 - known] = ((mixed & TAG) | size) >>> 0;
      return size++;
    },
    has: (given, from, to, hash) => numberOf(given, from, to, mixHash(hash)) >= 0,
    pack() {
      const used = startOf(size);
      return {
        size,
        blob: used === blob.length ? blob : blob.slice(0, used),
        ends: size === ends.length ? ends : ends.slice(0, size),
        slots,
      };
    },
    find(text, from, to, tail, hash) {
      const mixed = mixHash(hash);
      const mask = slots.length - 1;
      const length = to - from;
      let slot = mixed & mask;
      for (let taken = slots[slot] ?? NONE; taken !== NONE; taken = slots[slot] ?? NONE) {
        slot = (slot + 1) & mask;
        if (((taken ^ mixed) & TAG) !== 0) continue;
        const number = taken & NUMBER;
        const start = startOf(number);
        if ((ends[number] ?? 0) - start !== length + (tail === 0 ? 0 : 1)) continue;
        let i = 0;
        while (i < length && blob[start + i] === text.charCodeAt(from + i)) i++;
        if (i === length && (tail === 0 || blob[start + length] === tail)) return number;
      }
      return -1;
    },
  };
}

/** A power of two that leaves room. */
function emptySlots(count: number): Uint32Array<ArrayBuffer> {
  return new Uint32Array(2 ** Math.ceil(Math.log2(SLOTS_EACH * count + 8))).fill(NONE);
}

function copied<T extends Uint8Array | Uint32Array>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}
