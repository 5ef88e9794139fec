/** A buffer that collects chunks of bytes up to a limit. */
export interface ByteSink {
  /** Appends what fits; returns false if the chunk was cut. */
  push(chunk: Uint8Array): boolean;
  readonly length: number;
  /** Bytes collected so far; valid until the next push. */
  bytes(): Uint8Array;
}

/** Creates a sink of at most `maxBytes`. */
export function createByteSink(maxBytes: number): ByteSink {
  let buffer = new Uint8Array();
  let length = 0;
  return {
    push(chunk) {
      const taken = chunk.subarray(0, maxBytes - length);
      if (length + taken.length > buffer.length) {
        const larger = new Uint8Array(Math.min(maxBytes, Math.max(buffer.length * 2, length + taken.length)));
        larger.set(buffer.subarray(0, length));
        buffer = larger;
      }
      buffer.set(taken, length);
      length += taken.length;
      return taken.length === chunk.length;
    },
    get length() {
      return length;
    },
    bytes: () => buffer.subarray(0, length),
  };
}
