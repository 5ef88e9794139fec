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
