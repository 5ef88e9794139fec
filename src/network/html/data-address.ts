/** The HTML that a `data:` address carries (RFC 2397); null if it is another address, or carries something else. */
export function htmlOfDataAddress(address: string): string | null {
  return contentOf(address, /^\s*data:(?:text\/html|application\/xhtml\+xml|image\/svg\+xml)((?:;[^;,]{0,40}){0,4}),/i);
}

/** The script that a `data:` address carries; null if it is another address, or carries something else. */
export function scriptOfDataAddress(address: string): string | null {
  return contentOf(address, /^\s*data:(?:(?:text|application)\/(?:x-)?(?:java|ecma)script)?((?:;[^;,]{0,40}){0,4}),/i);
}

/** The bytes that a `data:` address carries, of any type; null if it is another address, or damaged. */
export function bytesOfDataAddress(address: string): Uint8Array | null {
  const match = /^\s*data:[^,;]{0,80}((?:;[^;,]{0,80}){0,4}),/i.exec(address.slice(0, 512));
  return match && decoded(match, address);
}

function contentOf(address: string, type: RegExp): string | null {
  const match = type.exec(address.slice(0, 256));
  const bytes = match && decoded(match, address);
  return bytes && new TextDecoder().decode(bytes);
}

function decoded([head, options = '']: RegExpExecArray, address: string): Uint8Array | null {
  try {
    const data = decodeURIComponent(address.slice(head.length));
    return /;base64$/i.test(options) ? Uint8Array.fromBase64(data.replace(/\s+/g, '')) : new TextEncoder().encode(data);
  } catch {
    return null;
  }
}
