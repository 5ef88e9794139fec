/** Collects bytes up to a limit, whatever the size of the pieces that they come in. */
export interface ByteSink {
  /** Takes what fits; false once something did not. */
  push(chunk: Uint8Array): boolean;
  readonly length: number;
  /** What came so far; valid until the next push. */
  bytes(): Uint8Array;
}

/** A sink that never holds more than `maxBytes`. */
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
