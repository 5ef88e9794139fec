import { release } from '#src/core/base/threads/release.ts';
import type { MailRoom } from './mail-room.ts';

/** Bytes of many small pieces, joined in blocks: a piece costs what it weighs, and no object of its own. */
export interface ByteBlocks {
  /** Number of bytes that were added. */
  readonly length: number;
  /** Copies the bytes between two places; false if not all of them have room, in which case the beginning is stored. */
  add(bytes: Uint8Array, from?: number, to?: number): boolean;
  /** Returns all bytes and forgets them; their room stays taken until {@link ByteBlocks.clear}. */
  takeAll(): Uint8Array<ArrayBuffer>;
  /** Forgets everything and releases the room. */
  clear(): void;
}

/** Sizes of the first block and of the largest, in bytes; each is twice as large as the one before. */
const MIN_BLOCK_BYTES = 1024;
const MAX_BLOCK_BYTES = 256 * 1024;

/** Length up to which bytes are copied one by one. */
const SHORT_BYTES = 256;

/** Creates blocks for at most a number of bytes; each block takes its size of the room. */
export function createByteBlocks(room: MailRoom, most: number): ByteBlocks {
  let blocks: Uint8Array<ArrayBuffer>[] = [];
  let [size, taken, free] = [0, 0, 0];

  function addBlock(): boolean {
    const length = Math.min(Math.max(MIN_BLOCK_BYTES, taken), MAX_BLOCK_BYTES, most - taken);
    if (length === 0 || !room.take(length)) return false;
    blocks.push(new Uint8Array(length));
    taken += length;
    free = length;
    return true;
  }

  return {
    get length() {
      return size;
    },
    add(bytes, from = 0, to = bytes.length) {
      for (let at = from; at < to; ) {
        if (free === 0 && !addBlock()) return false;
        const block = blocks[blocks.length - 1] ?? new Uint8Array();
        const length = Math.min(free, to - at);
        const place = block.length - free;
        // A view of a short piece would be an object for each line of the headers.
        if (length > SHORT_BYTES) block.set(bytes.subarray(at, at + length), place);
        else for (let i = 0; i < length; i++) block[place + i] = bytes[at + i] ?? 0;
        free -= length;
        size += length;
        at += length;
      }
      return true;
    },
    takeAll() {
      const all = new Uint8Array(size);
      let at = 0;
      for (const block of blocks) {
        const piece = block.subarray(0, size - at);
        all.set(piece, at);
        at += piece.length;
        release(block);
      }
      blocks = [];
      return all;
    },
    clear() {
      room.release(taken);
      for (const block of blocks) release(block);
      blocks = [];
      [size, taken, free] = [0, 0, 0];
    },
  };
}
