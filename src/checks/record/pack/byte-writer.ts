/** Bytes that are written one after the other. */
export interface ByteWriter {
  /** Forgets what was written. */
  restart(): void;
  byte(value: number): void;
  /** A whole number from 0, seven bits a byte. */
  count(value: number): void;
  /** A whole number of either sign, of which twice is a safe integer. */
  signed(value: number): void;
  float(value: number): void;
  /** Well-formed text, with its length in front. */
  text(value: string): void;
  /** A copy of what was written. */
  written(): Uint8Array;
}

/** A writer, whose room grows with what it is given and stays. */
export function createByteWriter(): ByteWriter {
  let bytes = new Uint8Array(16_384);
  let view = new DataView(bytes.buffer);
  // Writes text in place; an encoder of the web would ask for a view of its own each time.
  let chars = Buffer.from(bytes.buffer);
  let length = 0;

  function reserve(more: number): void {
    if (length + more <= bytes.length) return;
    const larger = new Uint8Array(2 * (length + more));
    larger.set(bytes);
    bytes = larger;
    view = new DataView(bytes.buffer);
    chars = Buffer.from(bytes.buffer);
  }

  function byte(value: number): void {
    reserve(1);
    bytes[length++] = value;
  }

  function count(value: number): void {
    let left = value;
    for (; left >= 128; left = Math.floor(left / 128)) byte((left % 128) + 128);
    byte(left);
  }

  return {
    byte,
    count,
    restart() {
      length = 0;
    },
    signed: (value) => count(value < 0 ? -2 * value - 1 : 2 * value),
    float(value) {
      reserve(8);
      view.setFloat64(length, value, true);
      length += 8;
    },
    text(value) {
      reserve(3 * value.length + 1);
      const from = length;
      // Most texts are so short that their length is one byte.
      const written = chars.write(value, from + 1);
      if (written < 128) {
        bytes[from] = written;
        length = from + 1 + written;
        return;
      }
      const text = bytes.slice(from + 1, from + 1 + written);
      count(written);
      reserve(written);
      bytes.set(text, length);
      length += written;
    },
    written: () => bytes.slice(0, length),
  };
}
