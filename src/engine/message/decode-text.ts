import { decodeHtml } from '#src/network/html/charset.ts';
import { replaceNuls } from '#src/network/html/text-sink.ts';

/** Bytes that are examined for an encoding, and the shares of zero bytes by which UTF-16 is known. */
const SAMPLE = 4096;
const MIN_ZERO_SHARE = 0.15;
const MAX_ODD_SHARE = 0.01;

/** Decodes a text as mail programs and browsers do; UTF-16 is known without a mark, and NULs are dropped. */
export function decodeText(bytes: Uint8Array): string {
  const wide = wideEncodingOf(bytes);
  return replaceNuls(wide === null ? decodeHtml(bytes, null).text : new TextDecoder(wide).decode(bytes), '');
}

/**
 * Returns the byte order of UTF-16, by its mark, or by the zero bytes of its ASCII characters, all of which are at even
 * or all at odd places; null for any other encoding.
 */
export function wideEncodingOf(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const zeros: [number, number] = [0, 0];
  const sample = bytes.subarray(0, SAMPLE);
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2 === 0 ? 0 : 1]++;
  const [even, odd] = zeros.map((count) => (2 * count) / sample.length) as [number, number];
  if (odd >= MIN_ZERO_SHARE && even <= MAX_ODD_SHARE) return 'utf-16le';
  return even >= MIN_ZERO_SHARE && odd <= MAX_ODD_SHARE ? 'utf-16be' : null;
}
