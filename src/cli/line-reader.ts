const NEWLINE = 0x0a;

/** A line of input; `text` is null where it was longer than allowed, and then nothing of it was kept. */
export interface Line {
  /** Counts from 1. */
  readonly number: number;
  readonly text: string | null;
}

/**
 * Splits a byte stream into lines, whatever its chunks, holding no more than one line. A carriage return before the
 * newline belongs to the line end; invalid UTF-8 becomes U+FFFD.
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array>, maxLineBytes: number): AsyncGenerator<Line[]> {
  const pending = new LineBuffer(maxLineBytes);
  let number = 0;
  const finish = (): Line => ({ number: ++number, text: pending.take() });
  for await (const chunk of chunks) {
    const lines: Line[] = [];
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      pending.add(chunk.subarray(from, end));
      lines.push(finish());
      from = end + 1;
    }
    pending.add(chunk.subarray(from));
    if (lines.length > 0) yield lines;
  }
  if (!pending.isEmpty) yield [finish()];
}

/** The bytes of a line so far. */
class LineBuffer {
  readonly #decoder = new TextDecoder();
  readonly #maxBytes: number;
  #parts: Uint8Array[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get isEmpty(): boolean {
    return this.#bytes === 0;
  }

  add(part: Uint8Array): void {
    this.#bytes += part.byteLength;
    if (this.#bytes > this.#maxBytes) this.#parts = [];
    else if (part.byteLength > 0) this.#parts.push(part.slice());
  }

  take(): string | null {
    const parts = this.#parts;
    const isTooLong = this.#bytes > this.#maxBytes;
    this.#parts = [];
    this.#bytes = 0;
    if (isTooLong) return null;
    const [only] = parts;
    const text = this.#decoder.decode(parts.length === 1 ? only : Buffer.concat(parts));
    return text.endsWith('\r') ? text.slice(0, -1) : text;
  }
}
