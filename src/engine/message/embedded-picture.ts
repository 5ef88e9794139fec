/** A picture in a message, which may contain a QR code. */
export interface MessagePicture {
  readonly name: string;
  readonly contentType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** True for a bitmap of greys that was made here. */
  readonly isBitmap?: true;
}

/** A `data:` URL (RFC 2397): its type, whether it is base64, and its data. */
const DATA_URL = /^\s*data:([^;,]*)((?:;[^;,]*)*),/i;

/** Returns the content of a `data:` URL; null if the address is not one, or its data cannot be decoded. */
export function readDataUrl(address: string): Omit<MessagePicture, 'name'> | null {
  const [head, contentType = '', parameters = ''] = DATA_URL.exec(address) ?? [];
  if (head === undefined) return null;
  const bytes = percentDecoded(address.slice(head.length));
  try {
    const content = /;\s*base64\s*$/i.test(parameters) ? fromBase64(bytes) : bytes;
    return { contentType: contentType.trim().toLowerCase() || 'text/plain', bytes: content };
  } catch {
    return null; // Not base64, or cut.
  }
}

function fromBase64(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const text = new TextDecoder().decode(bytes).replaceAll('-', '+').replaceAll('_', '/');
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

function percentDecoded(text: string): Uint8Array<ArrayBuffer> {
  const source = new TextEncoder().encode(text);
  const bytes = new Uint8Array(source.length);
  let length = 0;
  for (let at = 0; at < source.length; at++) {
    const code = source[at] === PERCENT ? hexByte(source, at + 1) : null;
    bytes[length++] = code ?? source[at] ?? 0;
    if (code !== null) at += 2;
  }
  return bytes.slice(0, length);
}

const PERCENT = 0x25;

function hexByte(source: Uint8Array, at: number): number | null {
  const digits = String.fromCharCode(source[at] ?? 0, source[at + 1] ?? 0);
  return /^[0-9a-f]{2}$/i.test(digits) ? Number.parseInt(digits, 16) : null;
}
