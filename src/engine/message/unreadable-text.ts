/** Text that is examined, in UTF-16 code units, and the shortest one. */
const SAMPLE = 16_384;
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
  const sample = text.slice(0, SAMPLE);
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
