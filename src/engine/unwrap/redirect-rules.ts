import type { Target } from '#src/core/url/target.ts';
import { decodeBase64 } from './base64.ts';
import { percentDecode } from './percent-decode.ts';

/** Returns the percent-decoded value of a query parameter; null if absent. */
export type QueryReader = (name: string) => string | null;

/** Services whose wrapping is more than a URL in a parameter; each rule returns the text of the inner URL, or null. */
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

const HOST = /^urldefense(?:\.proofpoint)?\.(?:com|us)$/;
const V3_START = '/v3/__';
/** Lengths of a run `**X`: A stands for 2 and so on, in the order of base64url. */
const RUN_LENGTHS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * Returns the URL inside a link of Proofpoint's URL Defense, versions 1 to 3 (after its published decoder), or null.
 */
function unwrapProofpoint(target: Target, query: (name: string) => string | null): string | null {
  if (!HOST.test(target.host.text)) return null;
  if (target.path.startsWith('/v1/')) return query('u');
  if (target.path.startsWith('/v2/')) {
    const encoded = query('u');
    return encoded === null ? null : percentDecode(encoded.replaceAll('-', '%').replaceAll('_', '/'));
  }
  return target.path.startsWith(V3_START) ? unwrapV3(target) : null;
}

/**
 * Decodes `/v3/__URL__;BYTES!…`: each `*` in the URL stands for the next character of BYTES, `**X` for a run of them.
 */
function unwrapV3(target: Target): string | null {
  const text = `${target.path}${target.query === '' ? '' : `?${target.query}`}`.slice(V3_START.length);
  const end = text.indexOf('__;');
  if (end === -1) return null;
  const url = percentDecode(text.slice(0, end)).replace(/^(https?:\/)(?=[^/])/i, '$1/');
  const replaced = [...(decodeBase64(text.slice(end + 3).split('!', 1)[0] ?? '') ?? '')];
  let used = 0;
  return url.replace(/\*(?:\*([\w-]))?/g, (_, length: string | undefined) => {
    const count = length === undefined ? 1 : RUN_LENGTHS.indexOf(length) + 2;
    const run = replaced.slice(used, used + count).join('');
    used += count;
    return run;
  });
}
