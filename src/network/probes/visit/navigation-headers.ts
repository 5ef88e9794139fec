import { canonicalHost, hostOf } from '#src/core/url/host.ts';
import type { Target } from '#src/core/url/target.ts';
import type { RedirectHop } from '../page-visit.ts';

/**
 * The browser that a visit imitates: the headers of Chrome on Windows, in order and letter case. Recorded on 2026-11-27
 * from the requests of Debian's Chromium 156.0.8078.108, whose brand and platform are replaced;
 * `test/system/request-heads.test.ts` compares them with the installed Chromium. To update: change milestone and values.
 */
const MILESTONE = 156;

/**
 * The brands in the order and with the invented brand of this milestone, which are calculated from its number
 * (`components/embedder_support/user_agent_utils.cc`).
 */
const BRANDS = `"Not:A-Brand";v="8", "Chromium";v="${MILESTONE}", "Google Chrome";v="${MILESTONE}"`;

/** Client hints in the order of a navigation. Sent over https only. */
const CLIENT_HINTS: Readonly<Record<string, string>> = {
  'sec-ch-ua': BRANDS,
  'sec-ch-ua-mobile': '?0',
  'sec-ch-ua-platform': '"Windows"',
};

/** The version has this reduced form since Chrome 110. */
const USER_AGENT = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${MILESTONE}.0.0.0 Safari/537.36`;

/** The same on Android, where device and version have one reduced form. */
const PHONE_USER_AGENT = `Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${MILESTONE}.0.0.0 Mobile Safari/537.36`;

/** Media types of a navigation; phishing kits test for those of images. */
const ACCEPT_DOCUMENT =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/jxl,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7';

/** Content codings by scheme. Both are decoded whatever was offered. */
const ACCEPTED_CODINGS = { http: 'gzip, deflate', https: 'gzip, deflate, br, zstd' } as const;

const ACCEPTED_LANGUAGES = 'en-US,en;q=0.9';

/** Maximum length of a `Referer` with a path, in characters; a longer one is sent as an origin (Referrer Policy §8.3). */
const MAX_REFERER_LENGTH = 4096;

const WINDOWS = { platform: 'Windows', platformVersion: '15.0.0', architecture: 'x86', bitness: '64', model: '' };
const ANDROID = { platform: 'Android', platformVersion: '14.0.0', architecture: '', bitness: '', model: 'Pixel 8' };

const BRAND = /"([^"]+)";v="(\d+)"/g;

/**
 * Returns what a page learns of the browser: the same as a visit without scripts sends, or Chrome on Android, or the
 * operator's words.
 */
export function identityOf(
  userAgent: string | null,
  isPhone: boolean,
): { userAgent: string } & Record<string, unknown> {
  if (userAgent !== null) return { userAgent };
  const hints = CLIENT_HINTS['sec-ch-ua'] ?? '';
  const brands = [...hints.matchAll(BRAND)].map(([, brand, version]) => ({ brand, version }));
  return {
    userAgent: isPhone ? PHONE_USER_AGENT : USER_AGENT,
    acceptLanguage: ACCEPTED_LANGUAGES.split(';', 1)[0] ?? '',
    platform: isPhone ? 'Linux armv81' : 'Win32',
    userAgentMetadata: {
      brands,
      fullVersionList: brands.map(({ brand, version }) => ({ brand, version: `${version}.0.0.0` })),
      ...(isPhone ? ANDROID : WINDOWS),
      mobile: isPhone,
    },
  };
}

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
