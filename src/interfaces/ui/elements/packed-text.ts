import { inPieces } from '#src/core/base/text/in-pieces.ts';

/** Maximum length of packed text, in characters; longer text is refused before it is unpacked. */
export const MAX_PACKED = 64 * 1024;

/** Maximum unpacked size in bytes, four times the longest record; the rest is discarded. */
const MAX_UNPACKED = 256 * 1024;

/** A text as the fragment of a link holds it: DEFLATE, base64url without padding. */
export async function packText(text: string): Promise<string> {
  const packed = await throughStream(new TextEncoder().encode(text), new CompressionStream('deflate-raw'));
  const base64 = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(''));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Unpacks the text of an untrusted link; null if there is none or it is too long. */
export async function unpackText(packed: string): Promise<string | null> {
  if (packed.length > MAX_PACKED) return null;
  try {
    const bytes = Uint8Array.from(atob(packed.replaceAll('-', '+').replaceAll('_', '/')), (it) => it.charCodeAt(0));
    return new TextDecoder().decode(await throughStream(bytes, new DecompressionStream('deflate-raw'), MAX_UNPACKED));
  } catch {
    return null; // It was cut on its way, or never was one.
  }
}

/** Bytes written to the stream at once; deflate expands them to at most 256 KiB, which arrive at once. */
const PIECE = 256;

/** @throws RangeError where more than `maxBytes` come out */
async function throughStream(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const reader = inPieces(bytes, PIECE).pipeThrough(stream).getReader();
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    length += chunk.value.length;
    if (length > maxBytes) {
      await reader.cancel();
      throw new RangeError(`more than ${maxBytes} bytes`);
    }
    chunks.push(chunk.value);
  }
  return await new Blob(chunks).bytes();
}
