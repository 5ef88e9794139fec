/** The record cannot be read by this program; the message is the reason, as the end of a sentence. */
export class UnreadableRecordError extends Error {
  override readonly name = 'UnreadableRecordError';
}

/** Reads bytes in sequence. Each read throws UnreadableRecordError at the end of the bytes. */
export interface ByteReader {
  byte(): number;
  /** See `ByteWriter.count`. */
  count(): number;
  signed(): number;
  float(): number;
  single(): number;
  text(): string;
  isAtEnd(): boolean;
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Creates a reader of some bytes. */
export function createByteReader(bytes: Uint8Array): ByteReader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;

  function take(length: number): number {
    const from = at;
    if (length > bytes.length - at) throw new UnreadableRecordError('it is cut short');
    at += length;
    return from;
  }

  function count(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = view.getUint8(take(1));
      value += (byte % 128) * scale;
      if (byte < 128) return value;
      if (scale > 2 ** 50) throw new UnreadableRecordError('it has an endless number');
    }
  }

  return {
    count,
    byte: () => view.getUint8(take(1)),
    signed() {
      const value = count();
      return value % 2 === 1 ? -((value + 1) / 2) : value / 2;
    },
    float: () => view.getFloat64(take(8), true),
    single: () => view.getFloat32(take(4), true),
    text() {
      const length = count();
      const from = take(length);
      try {
        return decoder.decode(bytes.subarray(from, from + length));
      } catch {
        throw new UnreadableRecordError('it has a text that is not UTF-8');
      }
    },
    isAtEnd: () => at === bytes.length,
  };
}

/** Writes bytes in sequence. */
export interface ByteWriter {
  /** Discards what was written. */
  restart(): void;
  byte(value: number): void;
  /** Writes an integer from 0, seven bits per byte. */
  count(value: number): void;
  /** Writes a signed integer whose double is a safe integer. */
  signed(value: number): void;
  float(value: number): void;
  /** Writes a number that a single float represents exactly. */
  single(value: number): void;
  /** Writes well-formed text after its length. */
  text(value: string): void;
  /** Returns a copy of the written bytes. */
  written(): Uint8Array;
}

/** Creates a writer with a growing, reused buffer. */
export function createByteWriter(): ByteWriter {
  let bytes = new Uint8Array(16_384);
  let view = new DataView(bytes.buffer);
  // Writes text in place; `TextEncoder` would need a new view each time.
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
    single(value) {
      reserve(4);
      view.setFloat32(length, value, true);
      length += 4;
    },
    text(value) {
      reserve(3 * value.length + 1);
      const from = length;
      // The length of most texts fits into one byte.
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
