import type { Target } from '#src/core/url/target.ts';
import { decodeBase64 } from './base64.ts';
import { percentDecode } from './percent-decode.ts';
import { unwrapProofpoint } from './proofpoint.ts';

/** A query, taken apart: the values of one name, percent-decoded. */
export type QueryReader = (name: string) => string | null;

/** The services whose wrapping is more than a URL in a parameter: each gives the text of the inner URL, or null. */
export const REDIRECT_RULES: readonly ((target: Target, query: QueryReader) => string | null)[] = [
  unwrapProofpoint,
  unwrapGoogleAmp,
  unwrapAmpCache,
  unwrapBing,
  unwrapSophos,
  unwrapGoogleTranslate,
  unwrapMcas,
];

const AMP_PATH = /^\/amp\/(s\/)?(.+)/;
const AMP_CACHE_PATH = /^\/[a-z]{1,3}\/(s\/)?(.+)/;

/** `google.de/amp/s/example.com/x` */
function unwrapGoogleAmp(target: Target): string | null {
  if (!target.host.site.startsWith('google.')) return null;
  return fromAmpPath(AMP_PATH.exec(target.path), target.query);
}

/** `www-example-com.cdn.ampproject.org/c/s/www.example.com/x` (AMP cache URL format) */
function unwrapAmpCache(target: Target): string | null {
  if (!target.host.text.endsWith('cdn.ampproject.org')) return null;
  return fromAmpPath(AMP_CACHE_PATH.exec(target.path), target.query);
}

function fromAmpPath(match: RegExpExecArray | null, query: string): string | null {
  const [, secure, rest] = match ?? [];
  if (rest === undefined) return null;
  const address = percentDecode(rest);
  if (/^https?:\/\//i.test(address)) return address;
  return `http${secure === undefined ? '' : 's'}://${address}${query === '' ? '' : `?${query}`}`;
}

/** `bing.com/ck/a?…&u=a1aHR0cHM6…`: two characters, then base64url. */
function unwrapBing(target: Target, query: QueryReader): string | null {
  if (target.host.site !== 'bing.com' || !target.path.startsWith('/ck/')) return null;
  return decodeBase64(query('u')?.slice(2) ?? '');
}

/** `eu-west-1.protection.sophos.com/?d=example.com&u=aHR0…` */
function unwrapSophos(target: Target, query: QueryReader): string | null {
  if (!target.host.text.endsWith('.protection.sophos.com')) return null;
  return decodeBase64(query('u') ?? '');
}

/** `www-example--shop-com.translate.goog`: hyphens for dots, two for one. */
function unwrapGoogleTranslate(target: Target): string | null {
  const label = /^([a-z0-9-]+)\.translate\.goog$/.exec(target.host.text)?.[1];
  if (label === undefined) return null;
  const host = label.replace(/--?/g, (hyphens) => (hyphens === '-' ? '.' : '-'));
  return `https://${host}${target.path}${target.query === '' ? '' : `?${target.query}`}`;
}

const MCAS_SUFFIX = '.mcas.ms';

/** `www.example.com.mcas.ms`: Microsoft Defender for Cloud Apps. */
function unwrapMcas(target: Target): string | null {
  const { text } = target.host;
  const host = text.endsWith(MCAS_SUFFIX) ? text.slice(0, -MCAS_SUFFIX.length) : '';
  return !/.\../.test(host) ? null : `https://${host}${target.path}${target.query === '' ? '' : `?${target.query}`}`;
}
