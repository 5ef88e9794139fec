import { memoizeLatest } from '#src/core/base/memoize-latest.ts';
import { CARRIER_PARAMETERS, forwarderOf } from '#src/core/knowledge/hosts/forwarding/forwarders.ts';
import type { LinkWrapper } from '#src/core/knowledge/hosts/forwarding/wrapper-table.ts';
import { SPECIAL_TOP_LABELS } from '#src/core/knowledge/hosts/suffixes.ts';
import { impossibleName } from '#src/core/url/host.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';
import { decodeBase64, percentDecode } from './decode-text.ts';
import {
  carriedUrl,
  firstValue,
  type InnerTexts,
  inPath,
  inWrapper,
  type LinkParts,
  type Pair,
  pairsInPath,
  pairsOf,
} from './in-wrapper.ts';

/** Returns the percent-decoded value of a query parameter; null if absent. */
type QueryReader = (name: string) => string | null;

/** Services whose wrapping is more than a URL in a parameter; each returns the text of the inner URL, or null. */
const DECODERS: readonly ((link: LinkParts, query: QueryReader) => string | null)[] = [
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

/** Composed parameter names (`brandUrl`, `clickthrough_uri`), except those of pictures and other parts. */
const CARRIER_NAME = /^(?!ima?g|logo|icon|avatar|thumb|pic|photo|css|script|src|feed|api|ref).{1,40}ur[il]$/;

/**
 * Beginnings of a URL, plain, base64, without a scheme or in markup, and the escapes of their characters; `%40` is an
 * at sign.
 */
const MAY_CARRY = /http|aHR0c|<|%(?!40)[3-7][0-8C]|(?:[\\/]|%(?:25)?(?:2F|5C)){2}/i;

/**
 * Finds the links inside a URL: by the decoders of single services, in parameters that carry a URL, of the query and the
 * fragment, in the path, and in script that is injected into a vulnerable page.
 *
 * @param wrapper the service that forwards the URL; null for any other host, at which only a URL counts
 */
function innerTexts(link: LinkParts, wrapper: LinkWrapper | null): InnerTexts {
  for (const decode of DECODERS) {
    const inner = decode(link, (name) => firstValue(pairsOf(link.query), name));
    if (inner !== null) return { urls: [inner], bare: [] };
  }
  if (wrapper !== null) return inWrapper(link, wrapper);
  const { path, query, fragment } = link;
  if (![path, query, fragment].some((text) => MAY_CARRY.test(text))) return { urls: [], bare: [] };
  const parameters = pairsOf(query);
  const pairs = [...parameters, ...pairsInPath(path), ...pairsOf(fragment.slice(fragment.indexOf('?') + 1))];
  const urls = [
    ...pairs.filter(isCarrier).map(([, value]) => carriedUrl(value, link, false)),
    ...[query, fragment].map((whole) => carriedUrl(percentDecode(whole), link, false)),
    inPath(link),
    ...parameters.map(([, value]) => injectedTarget(value)),
  ];
  return { urls: urls.filter((text) => text !== null), bare: [] };
}

const isCarrier = ([name]: Pair): boolean => CARRIER_PARAMETERS.has(name) || CARRIER_NAME.test(name);

const MARKUP = /<\s?[a-z]/i;
const ENCODED = /atob\(\s?['"`]([A-Za-z0-9+/_=-]{8,4096})['"`]/;
const PLAIN = /location(?:\.href|\.replace|\.assign)?\s?[=(]\s?['"`](https?:\/\/[^'"`]{1,4096})/i;
const HEXADECIMAL = /^(?:[0-9a-f]{2})+$/i;

/**
 * Returns the URL to which script in a parameter of a vulnerable site redirects: `"><img src=x
 * onerror="location=decodeURIComponent(atob('…'))">`, plain, base64, or base64 of hexadecimal. Null if `value` has no
 * markup or no such URL.
 */
function injectedTarget(value: string): string | null {
  if (!MARKUP.test(value)) return null;
  const [, encoded] = ENCODED.exec(value) ?? [];
  if (encoded === undefined) return PLAIN.exec(value)?.[1] ?? null;
  const text = decodeBase64(encoded) ?? '';
  return percentDecode(HEXADECIMAL.test(text) ? text.replace(/../g, '%$&') : text);
}

const MAX_DEPTH = 5;
const MAX_TARGETS = 8;

/**
 * Returns the URLs that a URL wraps, the outermost first: by link protection, click trackers, search engines, AMP,
 * archives and redirectors, with the target in a parameter, the path or the fragment (plain, percent-encoded, base64,
 * relative to the scheme, at known services also without one), and by script injected into a vulnerable page. At most
 * eight, five levels deep. Works offline: what only a server can resolve is not unwrapped. Never throws.
 */
export const unwrap: (target: Target) => readonly Target[] = memoizeLatest((target: Target) => {
  const found = [target];
  for (let depth = 0, start = 0; depth < MAX_DEPTH && start < found.length; depth++) {
    const level = found.slice(start);
    start = found.length;
    for (const inner of level.flatMap(innerTargets)) {
      if (found.length <= MAX_TARGETS && found.every(({ url }) => url !== inner.url)) found.push(inner);
    }
  }
  return found.slice(1);
});

function innerTargets(target: Target): Target[] {
  const { host, path, query, input, url } = target;
  const wrapper = forwarderOf(host.text, path);
  const hash = input.indexOf('#');
  const fragment = hash === -1 ? '' : input.slice(hash + 1);
  const { urls, bare } = innerTexts({ url, host: host.text, path, query, fragment }, wrapper);
  const targets = urls.flatMap(targetOf);
  return targets.length > 0 ? targets : bare.flatMap(targetOf).filter(isNamed);
}

function targetOf(text: string): Target[] {
  const target = parseTarget(text.trim());
  return isTargetProblem(target) ? [] : [target];
}

/** Returns true for a host that a name server may know; `index.php` and version numbers are none. */
function isNamed({ host }: Target): boolean {
  return impossibleName(host) === null || SPECIAL_TOP_LABELS.has(host.text.slice(host.text.lastIndexOf('.') + 1));
}
