/** The HTML that a `data:` address carries (RFC 2397); null if it is another address, or carries something else. */
export function htmlOfDataAddress(address: string): string | null {
  return contentOf(address, /^\s*data:(?:text\/html|application\/xhtml\+xml|image\/svg\+xml)((?:;[^;,]{0,40}){0,4}),/i);
}

/** The script that a `data:` address carries; null if it is another address, or carries something else. */
export function scriptOfDataAddress(address: string): string | null {
  return contentOf(address, /^\s*data:(?:(?:text|application)\/(?:x-)?(?:java|ecma)script)?((?:;[^;,]{0,40}){0,4}),/i);
}

function contentOf(address: string, type: RegExp): string | null {
  const match = type.exec(address.slice(0, 256));
  if (!match) return null;
  const data = address.slice(match[0].length);
  try {
    return /;base64$/i.test(match[1] ?? '')
      ? new TextDecoder().decode(Uint8Array.fromBase64(decodeURIComponent(data).replace(/\s+/g, '')))
      : decodeURIComponent(data);
  } catch {
    return null;
  }
}
