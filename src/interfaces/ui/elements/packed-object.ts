import { inPieces } from '#src/core/base/text/in-pieces.ts';

/** Maximum length of a packed object, in characters; a longer one is refused before it is unpacked. */
export const MAX_PACKED = 64 * 1024;

/** Maximum unpacked size in bytes, four times the longest record; the rest is discarded. */
const MAX_UNPACKED = 256 * 1024;

/** Packs an object as JSON for the fragment of a link: DEFLATE, base64url without padding. */
export async function packObject(object: object): Promise<string> {
  const json = new TextEncoder().encode(JSON.stringify(object));
  const packed = await throughStream(json, new CompressionStream('deflate-raw'));
  const base64 = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(''));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Unpacks the object of an untrusted link; null if there is none or it is too long. */
export async function unpackObject(packed: string): Promise<Readonly<Record<string, unknown>> | null> {
  if (packed.length > MAX_PACKED) return null;
  try {
    const bytes = Uint8Array.from(atob(packed.replaceAll('-', '+').replaceAll('_', '/')), (it) => it.charCodeAt(0));
    const json = await throughStream(bytes, new DecompressionStream('deflate-raw'), MAX_UNPACKED);
    const value: unknown = JSON.parse(new TextDecoder().decode(json));
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : null;
  } catch {
    return null; // It was cut on its way, or never was one.
  }
}

/** Bytes written to the stream at once; deflate expands them to at most 256 KiB, which arrive at once. */
const PIECE = 256;

/** Throws RangeError if the output is longer than `maxBytes`. */
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
