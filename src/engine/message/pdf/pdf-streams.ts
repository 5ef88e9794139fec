import { inPieces } from '#src/core/base/text/in-pieces.ts';

/** A stream of a PDF document (ISO 32000-1 §7.3.8) that is needed: unpacked text with objects, or a photograph. */
export type PdfStream =
  | { readonly kind: 'objects'; readonly text: string }
  | { readonly kind: 'photograph'; readonly bytes: Uint8Array<ArrayBuffer> };

/** Maximum number of streams, and of bytes that are unpacked of one and of all. */
const MAX_STREAMS = 2000;
const MAX_STREAM_BYTES = 4 * 1024 * 1024;
const MAX_TOTAL_BYTES = 32 * 1024 * 1024;

/** How often a byte of the document is read as part of a stream, on average. */
const MAX_READINGS = 8;

/** Length of a dictionary before its stream, in UTF-16 code units. */
const MAX_DICTIONARY = 2000;

const START = /\bstream\r?\n/g;

/**
 * Yields the streams of a document in which objects may be, and its photographs, until a limit is reached. What cannot be
 * unpacked is left out.
 *
 * @param text the document, one character per byte
 */
export async function* pdfStreams(
  bytes: Uint8Array<ArrayBuffer>,
  text: string,
  isSpent: () => boolean,
): AsyncGenerator<PdfStream> {
  let unpacked = 0;
  let count = 0;
  // Streams within streams are read, because the outer one may be none, but not without end.
  let left = MAX_READINGS * text.length;
  for (const { 0: mark, index } of text.matchAll(START)) {
    if (++count > MAX_STREAMS || unpacked > MAX_TOTAL_BYTES || left <= 0 || isSpent()) return;
    const dictionary = dictionaryBefore(text, index);
    const isPhotograph = /\/DCTDecode/.test(dictionary) && !/\/FlateDecode/.test(dictionary);
    if (!isPhotograph && (!/\/Fl(?:ate)?/.test(dictionary) || /\/Image|\/Length1/.test(dictionary))) continue;
    const start = index + mark.length;
    const end = endOf(text, start);
    left -= end - start;
    const content = bytes.slice(start, end);
    if (isPhotograph) yield { kind: 'photograph', bytes: content };
    else {
      const inner = await inflated(content, Math.min(MAX_STREAM_BYTES, MAX_TOTAL_BYTES - unpacked + 1));
      unpacked += inner.length;
      yield { kind: 'objects', text: new TextDecoder('latin1').decode(inner) };
    }
  }
}

/** Returns the end of a stream, without the line end that belongs to its keyword. */
function endOf(text: string, start: number): number {
  const end = text.indexOf('endstream', start);
  if (end === -1) return text.length;
  const isLine = text.charAt(end - 1) === '\n';
  return end - (isLine ? (text.charAt(end - 2) === '\r' ? 2 : 1) : 0);
}

/** Returns the dictionary of a stream, whose names may be written with escapes (ISO 32000-1 §7.3.5). */
function dictionaryBefore(text: string, end: number): string {
  const before = text.slice(Math.max(0, end - MAX_DICTIONARY), end);
  return before
    .slice(before.lastIndexOf(' obj') + 1)
    .replace(/#([0-9a-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

/** Bytes that go into a decompressor at once: what comes out of a piece with an error is lost. */
const PIECE = 1024;

/** Returns at most so many bytes of a zlib stream; what was unpacked before an error counts, as readers show it. */
async function inflated(packed: Uint8Array<ArrayBuffer>, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const reader = inPieces(packed, PIECE).pipeThrough(new DecompressionStream('deflate')).getReader();
  try {
    for (let chunk = await reader.read(); !chunk.done && length < maxBytes; chunk = await reader.read()) {
      chunks.push(chunk.value.slice(0, maxBytes - length));
      length += chunk.value.length;
    }
    await reader.cancel();
  } catch {
    // The stream is damaged, or bytes follow it.
  }
  return await new Blob(chunks).bytes();
}
