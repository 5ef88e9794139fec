import { CARRIER_PARAMETERS } from '#src/core/knowledge/words/carrier-parameters.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';
import { decodeBase64 } from './base64.ts';
import { percentDecode } from './percent-decode.ts';
import { REDIRECT_RULES } from './redirect-rules.ts';

const MAX_DEPTH = 5;
const MAX_TARGETS = 8;
const MAX_PARAMETERS = 64;
const MAX_DECODINGS = 3;

/** Composed parameter names (`brandUrl`, `clickthrough_uri`), except those of pictures and other parts. */
const CARRIER_NAME = /^(?!ima?g|logo|icon|avatar|thumb|pic|photo|css|script|src|feed|api|ref).{1,40}ur[il]$/;

/**
 * Returns the URLs that a URL wraps, the outermost first: by link protectors (Safe Links, Proofpoint, Barracuda, Cisco,
 * Sophos, Trend Micro and the like), search engines, AMP, archives, redirectors with the target in a parameter or the
 * path (plain, percent-encoded or base64), and script injected into a vulnerable page. At most eight, five levels deep.
 * Works offline: what only a server can resolve (Mimecast, shorteners) is not unwrapped. Never throws.
 */
export function unwrap(target: Target): Target[] {
  const found = [target];
  for (let depth = 0, start = 0; depth < MAX_DEPTH && start < found.length; depth++) {
    const level = found.slice(start);
    start = found.length;
    for (const text of level.flatMap(candidates)) {
      const parsed = found.length <= MAX_TARGETS ? parseTarget(text.trim()) : null;
      if (!parsed || isTargetProblem(parsed) || found.some(({ url }) => url === parsed.url)) continue;
      found.push(parsed);
    }
  }
  return found.slice(1);
}

/** Beginnings of a URL, plain, base64 or in markup, and the escapes of their characters; `%40` is an @. */
const MAY_CARRY = /http|aHR0c|<|%(?!40)[3-7][0-8C]/i;

/** Returns texts that may be the wrapped URL, the likeliest first. */
function candidates(target: Target): string[] {
  const query = (name: string) => readQuery(target.query).find(([key]) => key === name)?.[1] ?? null;
  for (const rule of REDIRECT_RULES) {
    const inner = rule(target, query);
    if (inner !== null) return [inner];
  }
  if (!MAY_CARRY.test(target.path) && !MAY_CARRY.test(target.query)) return [];
  const parameters = readQuery(target.query);
  const texts = parameters
    .filter(([name]) => CARRIER_PARAMETERS.has(name) || CARRIER_NAME.test(name))
    .map(([, value]) => value);
  // The whole query may be a URL: `href.li/?https://example.com`.
  texts.push(percentDecode(target.query));
  const injected = parameters.map(([, value]) => injectedTarget(value));
  return [...texts.map(asUrl), inPath(target), ...injected].filter((text) => text !== null);
}

function readQuery(query: string): [name: string, value: string][] {
  return query.split('&', MAX_PARAMETERS).map((pair) => {
    const equals = pair.indexOf('=');
    // `&amp;` remains in links copied from HTML source.
    const name = (equals === -1 ? pair : pair.slice(0, equals)).replace(/^amp;/, '').toLowerCase();
    return [name, equals === -1 ? '' : percentDecode(pair.slice(equals + 1))];
  });
}

/** Returns `text` as a URL, decoding it repeatedly if needed; null if it is not a URL. */
function asUrl(text: string): string | null {
  let current = text;
  for (let i = 0; i <= MAX_DECODINGS; i++) {
    if (/^https?:\/\//i.test(current)) return current;
    if (/^https?:?%/i.test(current)) current = percentDecode(current);
    else if (/^aHR0c/.test(current)) current = decodeBase64(current) ?? '';
    else return null;
  }
  return null;
}

/** Returns a URL in the path, as in links of archives, Cisco, Avanan and mail trackers; null if none. */
function inPath(target: Target): string | null {
  const rest = `${target.path}${target.query === '' ? '' : `?${target.query}`}`;
  const at = rest.search(/(?<=[/_])(?:https?:\/|https?(?::|%3A)%2F|aHR0c)/i);
  if (at === -1) return null;
  const embedded = rest.slice(at);
  if (/^https?:\//i.test(embedded)) {
    // Servers fold the double slash; Avanan closes the URL with three underscores.
    return embedded.replace(/___.*$/s, '').replace(/^(https?:)\/+/i, '$1//');
  }
  const [segment = ''] = embedded.split(/[/?&]/, 1);
  return asUrl(segment);
}

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
