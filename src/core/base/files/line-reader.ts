const NEWLINE = 0x0a;

/** A line of input; `text` is null if the line was too long. */
export interface Line {
  /** Counts from 1. */
  readonly number: number;
  readonly text: string | null;
}

/**
 * Splits a byte stream into lines, buffering at most one line. Accepts LF and CRLF; invalid UTF-8 becomes U+FFFD.
 *
 * @returns the lines that each chunk completed.
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array>, maxLineBytes: number): AsyncGenerator<Line[]> {
  const decoder = new TextDecoder();
  let parts: Uint8Array[] = [];
  let sizeBytes = 0;
  let number = 0;

  const add = (part: Uint8Array) => {
    sizeBytes += part.byteLength;
    if (sizeBytes > maxLineBytes) parts = [];
    else parts.push(part);
  };
  const finish = (): Line => {
    const bytes = parts.length === 1 ? parts[0] : Buffer.concat(parts);
    const text = sizeBytes > maxLineBytes ? null : decoder.decode(bytes).replace(/\r$/, '');
    parts = [];
    sizeBytes = 0;
    return { number: ++number, text };
  };

  for await (const chunk of chunks) {
    const lines: Line[] = [];
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      add(chunk.subarray(from, end));
      lines.push(finish());
      from = end + 1;
    }
    // Copied, because the stream may reuse its chunk; `slice` of a Buffer does not copy.
    if (from < chunk.length) add(new Uint8Array(chunk.subarray(from)));
    if (lines.length > 0) yield lines;
  }
  if (sizeBytes > 0) yield [finish()];
}
