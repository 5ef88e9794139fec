import type { LinkWrapper } from '#src/core/knowledge/hosts/forwarding/wrapper-table.ts';
import { readUrl } from '#src/core/url/read-url.ts';
import { decodeBase64, percentDecode } from './decode-text.ts';

/** A URL as far as a link inside it may be read from it. */
export interface LinkParts {
  /** The URL without its fragment. */
  readonly url: string;
  readonly host: string;
  /** Begins with a slash; percent-encoded. */
  readonly path: string;
  /** Without its question mark; percent-encoded. */
  readonly query: string;
  /** Without its number sign; percent-encoded. */
  readonly fragment: string;
}

/** Maximum number of pairs that are read of one text. */
const MAX_PAIRS = 64;

/** A name in lower case, and its value, percent-decoded. */
export type Pair = readonly [name: string, value: string];

/**
 * Returns the pairs of a query. A semicolon separates as well, as in links copied from HTML source (`&amp;`), but the
 * first value of a pair keeps its own: many addresses contain some.
 */
export function pairsOf(query: string): Pair[] {
  return query.split('&', MAX_PAIRS).flatMap((chunk) => {
    const semicolon = chunk.indexOf(';');
    const later = semicolon === -1 ? [] : chunk.slice(semicolon + 1).split(';', MAX_PAIRS);
    return [chunk, ...later.filter((one) => one.includes('='))].slice(0, MAX_PAIRS).map(pairOf);
  });
}

function pairOf(text: string): Pair {
  const equals = text.indexOf('=');
  const name = (equals === -1 ? text : text.slice(0, equals)).replace(/^amp;/, '').toLowerCase();
  return [name, equals === -1 ? '' : percentDecode(text.slice(equals + 1))];
}

/** Returns the pairs in the segments of a path: `/RU=https%3a%2f%2fexample.com/RK=2`. */
export function pairsInPath(path: string): Pair[] {
  if (!path.includes('=')) return [];
  return path.split('/', MAX_PAIRS).flatMap((segment) => (segment.includes('=') ? [pairOf(segment)] : []));
}

/** Returns the first value of a name; null if it is absent. */
export function firstValue(pairs: readonly Pair[], name: string): string | null {
  return pairs.find(([key]) => key === name)?.[1] ?? null;
}

const MAX_DECODINGS = 3;

/** Blanks that browsers and servers remove; a plus sign is one in a query. */
const LEADING_BLANKS = /^[\s\0+]+/;

/** A semicolon in the authority ends the address: no host contains one. */
const AFTER_HOST = /^((?:https?:)?[\\/]{2,}[^\\/;?#]*);.*$/is;

/**
 * Returns a value as the URL to which a browser goes from `outer`, decoding it repeatedly if needed; null if it is a path
 * beside that of `outer`, or no URL.
 *
 * @param isRewritten true for services that repair an address (`https:/example.com`) before they forward to it
 */
export function carriedUrl(value: string, outer: LinkParts, isRewritten: boolean): string | null {
  let current = value;
  for (let i = 0; i <= MAX_DECODINGS; i++) {
    current = current.replace(LEADING_BLANKS, '');
    if (/^https?:[\\/]{2}/i.test(current)) return current.replace(AFTER_HOST, '$1');
    if (isRewritten && /^https?:[\\/]?[^\\/%]/i.test(current)) return current.replace(/^(https?:)[\\/]?/i, '$1//');
    if (/^(?:[\\/]{2}|https?:[^%])/i.test(current)) return resolved(current.replace(AFTER_HOST, '$1'), outer);
    if (/^(?:https?:?%|%(?:25|2f|5c|20|0))/i.test(current)) current = percentDecode(current);
    else if (/^aHR0c/.test(current)) current = decodeBase64(current) ?? '';
    else if (isRewritten && /^eyJ/.test(current)) current = urlIn(decodeBase64(current) ?? '');
    else if (isRewritten && current.startsWith('{')) current = urlIn(current);
    else return null;
  }
  return null;
}

/** Resolves a reference such as `//example.com` or `/\example.com`; null if it leads to no other host. */
function resolved(reference: string, outer: LinkParts): string | null {
  const url = readUrl(reference, outer.url);
  if (url === null || !/^https?:$/.test(url.protocol) || !/[.:]/.test(url.hostname)) return null;
  return url.hostname === outer.host ? null : url.href;
}

/** Returns the URL of a JSON object such as Mailinblack's and Dynamics 365's; empty if there is none. */
function urlIn(json: string): string {
  return /"(?:target)?url"\s?:\s?"([^"\\]{1,8000})"/i.exec(json)?.[1] ?? '';
}

/** Texts in a URL that may be the link that it wraps, the likeliest first. */
export interface InnerTexts {
  /** URLs. */
  readonly urls: readonly string[];
  /** URLs made of what begins with a host and no scheme: any word with a dot may. */
  readonly bare: readonly string[];
}

/**
 * Finds the link inside a URL of a service that forwards. Any parameter of the query, the path or the fragment may carry it,
 * also without a scheme.
 */
export function inWrapper(link: LinkParts, { kind }: Pick<LinkWrapper, 'kind'>): InnerTexts {
  const decoded = unwrapProofpoint(link);
  if (decoded !== null) return { urls: [decoded], bare: [] };
  const { path, query, fragment } = link;
  const pairs = [...pairsOf(query), ...pairsInPath(path), ...pairsOf(fragment.slice(fragment.indexOf('?') + 1))];
  // The whole query or fragment may be the link: `href.li/?https://example.com`.
  const texts = [...pairs.map(([, value]) => value), ...[query, fragment].map(percentDecode)];
  const urls = [...texts.map((text) => carriedUrl(text, link, true)), inPath(link)].filter((text) => text !== null);
  // The parameters of trackers hold random text.
  const bare = [...(kind === 'tracker' ? [] : texts.map(bareAddress)), ...bareInPath(path)];
  return { urls, bare: bare.filter((text) => text !== null) };
}

/** Maximum number of segments at which a host is looked for. */
const MAX_SEGMENTS = 16;

/** Returns the ends of a path that begin with a host, without its first segment. */
function bareInPath(path: string): (string | null)[] {
  const rest = path.split('/').slice(2);
  return rest.slice(0, MAX_SEGMENTS).map((segment, at) =>
    // An address with its slashes escaped ends with its segment, as at Postmark.
    bareAddress(percentDecode(/%2F/i.test(segment) ? segment : rest.slice(at).join('/'))),
  );
}

/** Returns a URL in the path, as in links of archives, Cisco, Avanan and mail trackers; null if none. */
export function inPath(link: LinkParts): string | null {
  const rest = `${link.path}${link.query === '' ? '' : `?${link.query}`}`;
  const at = rest.search(/(?<=[/_])(?:https?:\/|https?(?::|%3A)%2F|aHR0c)/i);
  if (at === -1) return null;
  const embedded = rest.slice(at);
  if (/^https?:\//i.test(embedded)) {
    // Servers fold the double slash; Avanan closes the URL with three underscores.
    return embedded.replace(/___.*$/s, '').replace(/^(https?:)\/+/i, '$1//');
  }
  const [segment = ''] = embedded.split(/[/?&]/, 1);
  return carriedUrl(segment, link, true);
}

/** A host name or an IPv4 address, with or without a port, and what follows it. */
const BARE =
  /^[\s+]{0,8}((?:[\p{L}\p{N}_](?:[\p{L}\p{N}\p{M}_-]{0,62})\.){1,20}(?:\p{L}{2,24}|xn--[a-z0-9-]{1,59}|\d{1,3}))\.?(?::\d{1,5})?(?:[/?#].*)?$/isu;

const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;

/** Returns a text as a URL if it begins with a host instead of a scheme: `example.com/login`; null otherwise. */
function bareAddress(text: string): string | null {
  const host = text.length > 8192 ? undefined : BARE.exec(text)?.[1];
  if (host === undefined || (/\d$/.test(host) && !IPV4.test(host))) return null;
  return `http://${text.replace(/^[\s+]+/, '')}`;
}

const HOST = /^urldefense(?:\.proofpoint)?\.(?:com|us)$/;
const V3_START = '/v3/__';
/** Lengths of a run `**X`: A stands for 2 and so on, in the order of base64url. */
const RUN_LENGTHS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * Returns the URL inside a link of Proofpoint's URL Defense, versions 1 to 3 (after its published decoder), or null.
 */
function unwrapProofpoint(link: LinkParts): string | null {
  if (!HOST.test(link.host)) return null;
  const encoded = link.path.startsWith(V3_START) ? null : firstValue(pairsOf(link.query), 'u');
  if (link.path.startsWith('/v1/')) return encoded;
  if (link.path.startsWith('/v2/')) {
    return encoded === null ? null : percentDecode(encoded.replaceAll('-', '%').replaceAll('_', '/'));
  }
  return link.path.startsWith(V3_START) ? unwrapV3(link) : null;
}

/**
 * Decodes `/v3/__URL__;BYTES!…`: each `*` in the URL stands for the next character of BYTES, `**X` for a run of them.
 */
function unwrapV3(link: LinkParts): string | null {
  const text = `${link.path}${link.query === '' ? '' : `?${link.query}`}`.slice(V3_START.length);
  const [separator] = /__(?:;|%3B)/i.exec(text) ?? [];
  if (separator === undefined) return null;
  const end = text.indexOf(separator);
  const url = percentDecode(text.slice(0, end)).replace(/^(https?:\/)(?=[^/])/i, '$1/');
  const replaced = [...(decodeBase64(text.slice(end + separator.length).split(/!|%21/, 1)[0] ?? '') ?? '')];
  let used = 0;
  return url.replace(/\*(?:\*([\w-]))?/g, (_, length: string | undefined) => {
    const count = length === undefined ? 1 : RUN_LENGTHS.indexOf(length) + 2;
    const run = replaced.slice(used, used + count).join('');
    used += count;
    return run;
  });
}
