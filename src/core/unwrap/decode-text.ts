const ALPHABET = /^[A-Za-z0-9+/_-]+={0,2}$/;

/** Decodes base64 of either alphabet, with or without padding, as UTF-8; null if it is neither. Never throws. */
export function decodeBase64(text: string): string | null {
  if (!ALPHABET.test(text)) return null;
  const digits = text.replace(/={1,2}$/, '');
  if (digits.length % 4 === 1) return null;
  const bytes = Uint8Array.fromBase64(digits.replaceAll('-', '+').replaceAll('_', '/'));
  return new TextDecoder().decode(bytes);
}

const TO_UTF8 = new TextEncoder();
const UTF8 = new TextDecoder();
const PERCENT = 0x25;

/** Decodes percent-escapes once, as UTF-8. Invalid escapes stay, invalid bytes become U+FFFD. Never throws. */
export function percentDecode(text: string): string {
  return text.includes('%') ? UTF8.decode(percentDecodeBytes(text)) : text;
}

/** Decodes percent-escapes once; all other characters become UTF-8. Invalid escapes stay. Never throws. */
export function percentDecodeBytes(text: string): Uint8Array<ArrayBuffer> {
  // All bytes at once: decoding each escape separately takes ten times as long.
  const bytes = TO_UTF8.encode(text);
  if (!text.includes('%')) return bytes;
  let end = 0;
  for (let at = 0; at < bytes.length; at++, end++) {
    const code = bytes[at] ?? 0;
    const byte = code === PERCENT ? escapedByte(bytes, at) : -1;
    bytes[end] = byte < 0 ? code : byte;
    if (byte >= 0) at += 2;
  }
  return bytes.subarray(0, end);
}

/** Returns the byte escaped at a percent sign; negative if none. */
function escapedByte(bytes: Uint8Array, at: number): number {
  return (hexDigit(bytes[at + 1] ?? 0) << 4) | hexDigit(bytes[at + 2] ?? 0);
}

/** Value of each hexadecimal digit by its code; negative for other codes. */
const HEX_DIGITS = Int8Array.from({ length: 256 }, (_, code) => {
  const digit = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(digit) ? -1 : digit;
});

function hexDigit(code: number): number {
  return HEX_DIGITS[code] ?? -1;
}
