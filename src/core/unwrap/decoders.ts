import { decodeBase64 } from './base64.ts';
import type { LinkParts } from './link-parts.ts';
import { percentDecode } from './percent-decode.ts';

/** Returns the percent-decoded value of a query parameter; null if absent. */
type QueryReader = (name: string) => string | null;

/** Services whose wrapping is more than a URL in a parameter; each returns the text of the inner URL, or null. */
export const DECODERS: readonly ((link: LinkParts, query: QueryReader) => string | null)[] = [
  unwrapGoogleAmp,
  unwrapAmpCache,
  unwrapBing,
  unwrapGoogleTranslate,
  unwrapMcas,
];

const AMP_PATH = /^\/amp\/(s\/)?(.+)/;
const AMP_CACHE_PATH = /^\/[a-z]{1,3}\/(s\/)?(.+)/;

/** `google.de/amp/s/example.com/x` */
function unwrapGoogleAmp(link: LinkParts): string | null {
  if (!/(?:^|\.)google\.[a-z]{2,3}(?:\.[a-z]{2})?$/.test(link.host)) return null;
  return fromAmpPath(AMP_PATH.exec(link.path), link.query);
}

/** `www-example-com.cdn.ampproject.org/c/s/www.example.com/x` (AMP cache URL format) */
function unwrapAmpCache(link: LinkParts): string | null {
  if (!link.host.endsWith('cdn.ampproject.org')) return null;
  return fromAmpPath(AMP_CACHE_PATH.exec(link.path), link.query);
}

function fromAmpPath(match: RegExpExecArray | null, query: string): string | null {
  const [, secure, rest] = match ?? [];
  if (rest === undefined) return null;
  const address = percentDecode(rest);
  if (/^https?:\/\//i.test(address)) return address;
  return `http${secure === undefined ? '' : 's'}://${address}${query === '' ? '' : `?${query}`}`;
}

/** `bing.com/ck/a?…&u=a1aHR0cHM6…`: two characters, then base64url. */
function unwrapBing(link: LinkParts, query: QueryReader): string | null {
  if (!/(?:^|\.)bing\.com$/.test(link.host) || !link.path.startsWith('/ck/')) return null;
  return decodeBase64(query('u')?.slice(2) ?? '');
}

/** `www-example--shop-com.translate.goog`: hyphens for dots, two for one. */
function unwrapGoogleTranslate(link: LinkParts): string | null {
  const label = /^([a-z0-9-]+)\.translate\.goog$/.exec(link.host)?.[1];
  if (label === undefined) return null;
  const host = label.replace(/--?/g, (hyphens) => (hyphens === '-' ? '.' : '-'));
  return `https://${host}${link.path}${link.query === '' ? '' : `?${link.query}`}`;
}

const MCAS_SUFFIX = '.mcas.ms';

/** `www.example.com.mcas.ms`: Microsoft Defender for Cloud Apps. */
function unwrapMcas(link: LinkParts): string | null {
  const text = link.host;
  const host = text.endsWith(MCAS_SUFFIX) ? text.slice(0, -MCAS_SUFFIX.length) : '';
  return !/.\../.test(host) ? null : `https://${host}${link.path}${link.query === '' ? '' : `?${link.query}`}`;
}
