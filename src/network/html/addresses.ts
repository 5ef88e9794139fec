import { percentDecodeBytes } from '#src/core/unwrap/decode-text.ts';
import { readUrl } from '#src/core/url/read-url.ts';
import { decodeHtml } from './charset.ts';
import { pageSyntax } from './sniff.ts';

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

/** The markup that a `data:` address shows as a page; null if it is another address, or shows something else. */
export function htmlOfDataAddress(address: string): string | null {
  const content = readDataAddress(address);
  const syntax = content && pageSyntax(content.bytes, content.contentType);
  return syntax && decodeHtml(content.bytes, content.contentType, syntax).text;
}

/** Media types that browsers never run as a script (Fetch standard, "blocked due to its MIME type"). */
const NO_SCRIPT = /^(?:audio|image|video)\/|^text\/csv\b/;

/** The script that a `data:` address carries; null if it is another address, or carries something else. */
export function scriptOfDataAddress(address: string): string | null {
  const content = readDataAddress(address);
  // As in XML, nothing within the text declares an encoding.
  return content && !NO_SCRIPT.test(content.contentType)
    ? decodeHtml(content.bytes, content.contentType, 'xml').text
    : null;
}

/** Content of a `data:` address. */
interface DataContent {
  /** Media type in lower case, with its parameters. */
  readonly contentType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const DATA_ADDRESS = /^[\0-\x20]*data:([^,]*),/i;

/** Reads a `data:` address as browsers do: the URL parser, then the Fetch standard, "`data:` URL processor". */
export function readDataAddress(address: string): DataContent | null {
  const url = withoutLineBreaks(address);
  const [head, parameters = ''] = DATA_ADDRESS.exec(url) ?? [];
  if (head === undefined) return null;
  const hash = url.indexOf('#');
  if (hash !== -1 && hash < head.length) return null;
  const bytes = percentDecodeBytes(url.slice(head.length, hash === -1 ? undefined : hash));
  const type = parameters.trim().toLowerCase();
  const plain = type.replace(/; *base64$/, '');
  const content = plain === type ? bytes : fromBase64(bytes);
  return content && { contentType: /^[^\s/;]+\/[^\s/;]+/.test(plain) ? plain : 'text/plain', bytes: content };
}

/** An address without the characters that the URL parser removes anywhere in it. */
export function withoutLineBreaks(address: string): string {
  return /[\t\n\r]/.test(address) ? address.replace(/[\t\n\r]+/g, '') : address;
}

function fromBase64(digits: Uint8Array): Uint8Array<ArrayBuffer> | null {
  const text = new TextDecoder('latin1').decode(digits);
  try {
    // Mail programs also show pictures in the alphabet of addresses.
    return Uint8Array.fromBase64(text, { alphabet: /[-_]/.test(text) ? 'base64url' : 'base64' });
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
