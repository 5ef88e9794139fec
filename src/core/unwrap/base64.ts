const ALPHABET = /^[A-Za-z0-9+/_-]+={0,2}$/;

/** Decodes base64 of either alphabet, with or without padding, as UTF-8; null if it is neither. Never throws. */
export function decodeBase64(text: string): string | null {
  if (!ALPHABET.test(text)) return null;
  const digits = text.replace(/={1,2}$/, '');
  if (digits.length % 4 === 1) return null;
  const bytes = Uint8Array.fromBase64(digits.replaceAll('-', '+').replaceAll('_', '/'));
  return new TextDecoder().decode(bytes);
}
