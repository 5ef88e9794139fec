import type { CheckResult } from '#src/record/check-result.ts';

/** Beyond this length nothing takes a link, and the service does not verify it. */
const MAX_LENGTH = 32_000;

/** What is unpacked at most, in characters of the link; a longer one is refused before anything of it is unpacked. */
const MAX_PACKED = 64 * 1024;

/** What a link may hold at most, unpacked, in bytes: four times the longest record. What is beyond is not unpacked. */
const MAX_UNPACKED = 256 * 1024;

/** A result as a link holds it, with what a message said of its URL as the last member. */
export interface LinkedResult extends CheckResult {
  readonly mismatch?: { readonly says: string; readonly goes_to: string };
}

/** What a link to a result holds: the result, packed, and its signature. Null where that is too long for a link. */
export async function packResult(result: LinkedResult, signature: string): Promise<string | null> {
  const packed = await throughStream(
    new TextEncoder().encode(JSON.stringify(result)),
    new CompressionStream('deflate-raw'),
  );
  const text = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(''));
  const link = `${text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}.${signature}`;
  return link.length > MAX_LENGTH ? null : link;
}

/** The result that a link holds, whoever made it; null where it holds none, or is too long for one. */
export async function unpackResult(link: string): Promise<LinkedResult | null> {
  if (link.length > MAX_PACKED) return null;
  try {
    const [packed = ''] = link.split('.', 1);
    const bytes = Uint8Array.from(atob(packed.replaceAll('-', '+').replaceAll('_', '/')), (it) => it.charCodeAt(0));
    const text = new TextDecoder().decode(
      await throughStream(bytes, new DecompressionStream('deflate-raw'), MAX_UNPACKED),
    );
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'analysis_details' in value ? (value as LinkedResult) : null;
  } catch {
    return null; // It was cut on its way, or never was one.
  }
}

/** What goes into the stream at once: of this, deflate makes 256 KiB at most, all of which comes out at once. */
const PIECE = 256;

function inPieces(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(bytes.slice(at, at + PIECE));
      at += PIECE;
      if (at >= bytes.length) controller.close();
    },
  });
}

/** @throws RangeError where more than `maxBytes` come out */
async function throughStream(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const reader = inPieces(bytes).pipeThrough(stream).getReader();
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
