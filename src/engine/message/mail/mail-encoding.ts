/** Returns the bytes of a body in a transfer encoding of mails (RFC 2045 §6); other encodings change nothing. */
export function decodedBody(body: string, encoding: string): Uint8Array {
  if (/base64/i.test(encoding)) return fromBase64(body);
  return bytesOf(/quoted-printable/i.test(encoding) ? fromQuotedPrintable(body) : body);
}

function fromBase64(body: string): Uint8Array {
  const digits = body.replace(/[^a-z0-9+/]+/gi, '');
  return bytesOf(atob(digits.slice(0, digits.length - (digits.length % 4 === 1 ? 1 : 0))));
}

function fromQuotedPrintable(body: string): string {
  return body
    .replace(/=[ \t]{0,80}\r?\n/g, '')
    .replace(/=([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
}

const bytesOf = (binary: string): Uint8Array => Uint8Array.from(binary, (character) => character.charCodeAt(0));

/** Encodings of characters that the parser of mails does not know, or mistakes for another. */
const WIDE = /^(?:(?:csunicode|iso-10646-ucs-2|ucs-?2|unicode|utf-?16)(?:-?(be|le))?|utf-?32.{0,5})$/i;
const UTF_7 = /^(?:(?:x-)?unicode-1-1-utf-7|(?:x-)?utf-?7|csutf7|csunicode11utf7)$/i;

/** Returns true for an encoding that {@link decodeRareCharset} decodes. */
export const isRareCharset = (charset: string): boolean => WIDE.test(charset) || UTF_7.test(charset);

/** Returns a text in UTF-7 (RFC 2152), UTF-16 or UTF-32; the byte order is that of the mark, else the likely one. */
export function decodeRareCharset(bytes: Uint8Array, charset: string, decode: (bytes: Uint8Array) => string): string {
  if (!UTF_7.test(charset)) return decode(bytes);
  let text = '';
  for (let at = 0; at < bytes.length; at += 4096) text += String.fromCharCode(...bytes.subarray(at, at + 4096));
  return text.replace(/\+([a-z0-9+/]{0,10000})-?/gi, (_, digits: string) => (digits === '' ? '+' : utf16Of(digits)));
}

function utf16Of(digits: string): string {
  const bytes = fromBase64(digits);
  return new TextDecoder('utf-16be').decode(bytes.subarray(0, bytes.length - (bytes.length % 2)));
}
