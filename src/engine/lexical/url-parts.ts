import type { BrandMatch } from '#src/core/knowledge/brands/brand-match.ts';
import type { HostKind } from '#src/core/knowledge/hosts/host-kinds.ts';
import type { PopularityBucket } from '#src/core/knowledge/hosts/popular-sites.ts';
import type { Knowledge } from '#src/core/knowledge/index.ts';
import { type Host, hostOf, MAX_NAME_LENGTH } from '#src/core/url/host.ts';
import type { Target } from '#src/core/url/target.ts';

/**
 * A URL as the model sees it: without scheme, `www.`, port, final slash and credentials, which are no evidence about a
 * site.
 */
export interface UrlParts {
  /** Host in lower case, without `www.`. */
  readonly host: string;
  /** Name that the publisher chose: the site without its suffix; a whole address. */
  readonly label: string;
  /** Public suffix or platform of the label; empty for an address. */
  readonly suffix: string;
  /** Labels before the site, without `www.`; often empty. */
  readonly subdomain: string;
  /** Path, undecoded, without slashes at its ends; empty for a bare host. */
  readonly path: string;
  readonly query: string;
  readonly isAddress: boolean;
  /** True if anybody can publish on the platform (`github.io`). */
  readonly isHosted: boolean;
  readonly hasOddPort: boolean;
  readonly hasCredentials: boolean;
  /** Kind of the platform; null if it is not listed. */
  readonly platform: HostKind | null;
  /** Popularity of the publisher's site; null if it is not popular. */
  readonly popularity: PopularityBucket | null;
  /** True if the site is a known advertising or analytics service. */
  readonly isTracker: boolean;
  /** True if the site is a brand's own. */
  readonly isBrandOwn: boolean;
  /** Brands named outside their own domains. */
  readonly brands: readonly BrandMatch[];
}

/** Splits a target into the input of the model. URLs with and without `www.` give the same parts. */
export function partsOf(given: Target, knowledge: Knowledge): UrlParts {
  const host = withoutWww(given.host);
  const target = host === given.host ? given : { ...given, host };
  const named = isNamedAlike(given.host, host, knowledge) ? given : target;
  const site = knowledge.publisherOf(host);
  const fact = knowledge.hostFact(host);
  const suffix = site === host.site ? host.suffix : site.slice(site.indexOf('.') + 1);
  const isUnder = suffix !== '' && site.length > suffix.length;
  return {
    host: host.text,
    label: isUnder ? site.slice(0, site.length - suffix.length - 1) : site,
    suffix,
    subdomain: host.text.length > site.length ? host.text.slice(0, host.text.length - site.length - 1) : '',
    path: trimSlashes(target.path),
    query: target.query,
    isAddress: host.kind !== 'name',
    isHosted: fact !== null || (host.registrable !== null && host.registrable !== site),
    hasOddPort: target.port !== 80 && target.port !== 443,
    hasCredentials: target.username !== '' || target.hasPassword,
    platform: fact?.kind ?? null,
    popularity: knowledge.popularityOf(target),
    isTracker: knowledge.isTracker(host),
    // Third-party content on a brand's host, a form or a document, is not the brand's.
    isBrandOwn: fact === null && knowledge.brands.ownersOf(host).length > 0,
    brands: knowledge.brandMatcher.find(named),
  };
}

function withoutWww(host: Host): Host {
  const { text, subdomain } = host;
  if (!text.startsWith('www.') || !text.includes('.', 4)) return host;
  if (subdomain === 'www') return { ...host, text: text.slice(4), subdomain: '' };
  if (subdomain.startsWith('www.')) return { ...host, text: text.slice(4), subdomain: subdomain.slice(4) };
  // `www` is part of the site itself, as in www.github.io: the rest is another name and must be parsed again.
  return hostOf(text.slice(4));
}

/**
 * Returns true if the same brands are found in a host with and without `www.`, which is no name: the search in the URL as
 * it was given, which others have asked for, is then the answer for both.
 */
function isNamedAlike(given: Host, host: Host, { hostFact, brands }: Knowledge): boolean {
  if (given === host) return true;
  if (given.site !== host.site || given.text.length > MAX_NAME_LENGTH) return false;
  const isOwned = brands.ownersOf(given).length > 0;
  return hostFact(given) === hostFact(host) && isOwned === brands.ownersOf(host).length > 0;
}

function trimSlashes(path: string): string {
  let start = 0;
  let end = path.length;
  while (start < end && path.charCodeAt(start) === 47) start++;
  while (end > start && path.charCodeAt(end - 1) === 47) end--;
  return path.slice(start, end);
}
