import { canonicalHost, hostOf } from '#src/core/url/host.ts';
import type { Target } from '#src/core/url/target.ts';
import type { RedirectHop } from '../page-visit.ts';
import {
  ACCEPT_DOCUMENT,
  ACCEPTED_CODINGS,
  ACCEPTED_LANGUAGES,
  CLIENT_HINTS,
  MAX_REFERER_LENGTH,
  USER_AGENT,
} from './browser.ts';

/** A request for a document, as part of a visit. */
export interface Navigation {
  readonly url: Target;
  /**
   * The steps of the visit so far; those that led to the URL are found in it. `how` is `http` for a redirect by status
   * and `frame` for a document in a page. Any other is a navigation by the page.
   */
  readonly steps: readonly (Pick<RedirectHop, 'url' | 'location'> & { readonly how: string })[];
  /** Replaces the identification as a browser. */
  readonly userAgent?: string | null | undefined;
}

type Headers = Readonly<Record<string, string>>;

/** Returns the headers of a request for a document, in the order and letter case in which Chromium sends them. */
export function navigationHeaders({ url, steps, userAgent = null }: Navigation): Headers {
  const isSecure = url.scheme === 'https';
  const way = wayTo(url.url, steps);
  const start = way.findLastIndex(({ how }) => how !== 'http');
  const opener = way[start] ?? null;
  const chain = [...way.slice(start + 1).map((step) => step.url), url.url];
  const isRedirected = chain.length > 1;
  const page = way.find(({ how }) => how === 'frame') ?? null;
  const hints = isSecure && userAgent === null ? CLIENT_HINTS : {};
  return {
    Connection: 'keep-alive',
    ...(opener?.how === 'refresh' && opener.url === url.url ? { 'Cache-Control': 'max-age=0' } : {}),
    ...(isRedirected ? {} : hints),
    'Upgrade-Insecure-Requests': '1',
    'User-Agent': userAgent ?? USER_AGENT,
    Accept: ACCEPT_DOCUMENT,
    ...(isSecure ? fetchMetadata(opener?.url ?? null, chain, page?.url ?? null) : {}),
    ...(isRedirected ? hints : {}),
    ...(opener ? referer(opener.url, chain) : {}),
    'Accept-Encoding': ACCEPTED_CODINGS[url.scheme],
    'Accept-Language': ACCEPTED_LANGUAGES,
  };
}

/** Returns the steps that led to a URL. A visit also follows other ways of the same pages. */
function wayTo(url: string, steps: Navigation['steps']): Navigation['steps'] {
  const at = steps.findLastIndex(({ location }) => location === url);
  const step = steps[at];
  return step ? [...wayTo(step.url, steps.slice(0, at)), step] : [];
}

/** @param page the document that contains the frame; null outside frames. */
function fetchMetadata(opener: string | null, chain: readonly string[], page: string | null): Headers {
  const isForeign = page !== null && relationOf(page, chain.slice(-1)) === 'cross-site';
  return {
    'Sec-Fetch-Site': opener === null ? 'none' : relationOf(opener, chain),
    'Sec-Fetch-Mode': 'navigate',
    ...(opener === null ? { 'Sec-Fetch-User': '?1' } : {}),
    'Sec-Fetch-Dest': page === null ? 'document' : 'iframe',
    ...(isForeign ? { 'Sec-Fetch-Storage-Access': 'none' } : {}),
  };
}

/** Accepted media types of what a page loads. */
const ACCEPTED = { script: '*/*', image: 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8' } as const;

/** Returns the headers of a request for a script or picture of a page, without a redirect. */
export function assetHeaders(
  kind: keyof typeof ACCEPTED,
  url: Target,
  page: Target,
  userAgent: string | null = null,
): Headers {
  const isSecure = url.scheme === 'https';
  const { 'sec-ch-ua-platform': platform = '', ...brands } = CLIENT_HINTS;
  const hasHints = isSecure && userAgent === null;
  return {
    Connection: 'keep-alive',
    ...(hasHints ? { 'sec-ch-ua-platform': platform } : {}),
    'User-Agent': userAgent ?? USER_AGENT,
    ...(hasHints ? brands : {}),
    Accept: ACCEPTED[kind],
    ...(isSecure
      ? {
          'Sec-Fetch-Site': relationOf(page.url, [url.url]),
          'Sec-Fetch-Mode': 'no-cors',
          'Sec-Fetch-Dest': kind,
        }
      : {}),
    ...referer(page.url, [url.url]),
    'Accept-Encoding': ACCEPTED_CODINGS[url.scheme],
    'Accept-Language': ACCEPTED_LANGUAGES,
  };
}

type Relation = 'same-origin' | 'same-site' | 'cross-site';

/** Returns the most distant relation of any URL in the chain (Fetch Metadata §2.3). */
function relationOf(opener: string, chain: readonly string[]): Relation {
  const [from, ...others] = [opener, ...chain].map((one) => new URL(one));
  if (others.every(({ origin }) => origin === from?.origin)) return 'same-origin';
  return others.every((one) => siteOf(one) === siteOf(from ?? one)) ? 'same-site' : 'cross-site';
}

function siteOf(url: URL): string {
  return `${url.protocol}//${hostOf(canonicalHost(url)).site}`;
}

/** Returns the referrer by `strict-origin-when-cross-origin`, the default policy. Policies of pages are not read. */
function referer(opener: string, chain: readonly string[]): Headers {
  const { origin, pathname, search } = new URL(opener);
  const isDowngraded = opener.startsWith('https:') && chain.some((one) => !one.startsWith('https:'));
  if (isDowngraded) return {};
  const full = `${origin}${pathname}${search}`;
  const isOwn = relationOf(opener, chain) === 'same-origin' && full.length <= MAX_REFERER_LENGTH;
  return { Referer: isOwn ? full : `${origin}/` };
}
