import { readUrl } from '#src/core/url/read-url.ts';

/** The longest address that is resolved; longer ones are data, not places. */
const MAX_ADDRESS_CHARACTERS = 8192;

/** An address as a browser would resolve it; null if it cannot be parsed or is too long. */
export function resolveUrl(address: string, baseUrl: string | null): string | null {
  if (address.length > MAX_ADDRESS_CHARACTERS) return null;
  return readUrl(address, baseUrl ?? undefined)?.href ?? null;
}

/** Returns true if a link has no target: empty, only a fragment, or script. */
export function isDeadLink(href: string): boolean {
  const address = href
    .slice(0, 64)
    .replace(/[\s\0]+/g, '')
    .toLowerCase();
  return address === '' || address.startsWith('#') || address.startsWith('javascript:') || address === 'about:blank';
}

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

/** A parsed `meta` refresh. */
interface RefreshOrder {
  readonly delaySeconds: number;
  /** As written; empty if the page reloads itself. */
  readonly target: string;
}

/**
 * Reads the `content` of a `meta` refresh as the HTML standard does ("shared declarative refresh steps"); null:
 * ignored.
 */
export function parseRefresh(content: string): RefreshOrder | null {
  const time = /^[\t\n\f\r ]*(\d{0,15})(?:\.[\d.]*)?/.exec(content);
  if (!time || time[0].trim() === '') return null;
  const delaySeconds = Number(time[1] || 0);
  const rest = content.slice(time[0].length);
  if (rest === '') return { delaySeconds, target: '' };
  const separator = /^(?:[\t\n\f\r ]*[;,][\t\n\f\r ]*|[\t\n\f\r ]+)/.exec(rest);
  if (!separator) return null;
  return { delaySeconds, target: unquote(rest.slice(separator[0].length)) };
}

function unquote(text: string): string {
  const value = /^url[\t\n\f\r ]*=[\t\n\f\r ]*/i.exec(text);
  const target = value ? text.slice(value[0].length) : text;
  const quote = target.charAt(0);
  if (quote !== '"' && quote !== "'") return target.trim();
  return (target.slice(1).split(quote, 1)[0] ?? '').trim();
}
