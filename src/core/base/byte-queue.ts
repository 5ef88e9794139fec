/** Bytes that arrived and were not read yet. */
export interface ByteQueue {
  /** Number of unread bytes. */
  readonly length: number;
  /** Takes bytes, which must not change afterwards. */
  push(bytes: Uint8Array): void;
  /** Returns the next bytes without reading them: all, or the first `count`. Valid until the next push. */
  peek(count?: number): Buffer;
  /** Memory with the next bytes, and the place of the first: for readers that make no object of each piece. */
  readonly bytes: Buffer;
  readonly start: number;
  /** Returns one of the next bytes; undefined if it has not arrived. */
  byteAt(place: number): number | undefined;
  /** Marks bytes as read. */
  skip(count: number): void;
  /**
   * Reads the bytes before a separator, and the separator. Returns null if it has not arrived, `too_long` if it does not
   * follow after at most `most` bytes.
   */
  readUntil(separator: Buffer, most: number): Buffer | 'too_long' | null;
}

/** Size from which on an emptied buffer is released, in bytes: an idle connection holds no memory of a large request. */
const RELEASED_SIZE = 4096;

/** Size up to which a buffer stays as it is while few of its bytes are unread. */
const KEPT_SIZE = 64 * 1024;

const EMPTY = Buffer.alloc(0);

/** Creates an empty queue. A byte is copied if it arrives before all earlier ones were read, and as the buffer doubles. */
export function createByteQueue(): ByteQueue {
  let buffer: Buffer = EMPTY;
  let [start, end] = [0, 0];
  // False while the buffer is that of what was pushed.
  let isOwn = true;
  // How much was searched in vain, so that a head in single bytes does not cost a search of all of it per byte.
  let searched = 0;

  const peek = (count = end - start) => buffer.subarray(start, start + Math.min(count, end - start));
  const skip = (count: number) => {
    start += count;
    searched = 0;
    if (start < end) {
      // The rest of a large piece must not hold all of its memory: a room for pieces counts unread bytes alone.
      if (buffer.length > KEPT_SIZE && end - start < buffer.length / 8) {
        buffer = Buffer.from(buffer.subarray(start, end));
        [start, end, isOwn] = [0, buffer.length, true];
      }
      return;
    }
    [start, end] = [0, 0];
    if (!isOwn || buffer.length > RELEASED_SIZE) buffer = EMPTY;
    isOwn = true;
  };

  return {
    get length() {
      return end - start;
    },
    push(bytes) {
      const length = end - start;
      if (length === 0 && bytes.length > RELEASED_SIZE) {
        buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
        [start, end, isOwn] = [0, bytes.length, false];
        return;
      }
      if (!isOwn || end + bytes.length > buffer.length) {
        const needed = 2 * (length + bytes.length);
        const next = isOwn && needed <= buffer.length ? buffer : Buffer.allocUnsafe(needed);
        buffer.copy(next, 0, start, end);
        buffer = next;
        isOwn = true;
        [start, end] = [0, length];
      }
      buffer.set(bytes, end);
      end += bytes.length;
    },
    peek,
    get bytes() {
      return buffer;
    },
    get start() {
      return start;
    },
    byteAt: (place) => (start + place < end ? buffer[start + place] : undefined),
    skip,
    readUntil(separator, most) {
      const bytes = peek(most + separator.length);
      const at = bytes.indexOf(separator, Math.max(0, searched - separator.length));
      if (at === -1) {
        searched = bytes.length;
        return bytes.length === most + separator.length ? 'too_long' : null;
      }
      const found = Buffer.from(bytes.subarray(0, at));
      skip(at + separator.length);
      return found;
    },
  };
}
