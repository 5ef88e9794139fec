import { decodeHtml } from '#src/network/html/charset.ts';
import { replaceNuls } from '#src/network/html/text-sink.ts';

/** Text that is examined, in UTF-16 code units, and the shortest one. */
const TEXT_SAMPLE = 16_384;
const SHORTEST = 8;

/** Share of characters that no text contains, from which on it was not decoded. */
const MAX_SHARE = 0.05;

/** First line of a file in the text of a mail (uuencode), with its name, and of an encrypted text (RFC 9580 §6.2). */
const UUENCODED = /^begin(?:-base64)? [0-7]{3,4} (\S[^\r\n]{0,200})$/m;
const ENCRYPTED = /^-----BEGIN PGP MESSAGE-----/m;

/**
 * Returns what a text contains that its readers did not see: itself if it was not decoded, an encrypted text, or a file
 * in the text.
 */
export function unreadableIn(text: string, name: string): string[] {
  const sample = text.slice(0, TEXT_SAMPLE);
  const wrong = countUndecoded(sample);
  const isGarbled = sample.length >= SHORTEST && wrong > MAX_SHARE * sample.length;
  const [, file] = UUENCODED.exec(text) ?? [];
  return [
    ...(isGarbled ? [name] : []),
    ...(ENCRYPTED.test(text) ? [`${name}: encrypted text`] : []),
    ...(file === undefined ? [] : [`${name}: ${file}`]),
  ];
}

/** Counts control characters other than white space and escape, and replacement characters. */
function countUndecoded(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const isControl = code < 0x20 ? code < 0x09 || (code > 0x0d && code !== 0x1b) : code >= 0x7f && code < 0xa0;
    if (isControl || code === 0xfffd) count++;
  }
  return count;
}

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
