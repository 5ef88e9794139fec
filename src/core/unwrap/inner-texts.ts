import type { LinkWrapper } from '#src/core/knowledge/hosts/forwarding/wrapper-table.ts';
import { CARRIER_PARAMETERS } from '#src/core/knowledge/words/carrier-parameters.ts';
import { decodeBase64 } from './base64.ts';
import { carriedUrl } from './carried-url.ts';
import { DECODERS } from './decoders.ts';
import { type InnerTexts, inPath, inWrapper } from './in-wrapper.ts';
import { firstValue, type LinkParts, type Pair, pairsInPath, pairsOf } from './link-parts.ts';
import { percentDecode } from './percent-decode.ts';

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
export function innerTexts(link: LinkParts, wrapper: LinkWrapper | null): InnerTexts {
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
