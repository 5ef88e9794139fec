/** The HTML that a `data:` address carries (RFC 2397); null where it is another address, or carries something else. */
export function htmlOfDataAddress(address: string): string | null {
  const match = /^\s*data:text\/html((?:;[^;,]{0,40}){0,4}),/i.exec(address.slice(0, 256));
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
