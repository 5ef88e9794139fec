import type { BrandMatch } from '#src/knowledge/brand-match.ts';
import type { HostKind } from '#src/knowledge/host-kinds.ts';
import type { Knowledge } from '#src/knowledge/index.ts';
import type { PopularityBucket } from '#src/knowledge/popular-sites.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/url/target.ts';

/** A URL as the model sees it: without scheme, `www.`, port, final slash and credentials, which say nothing of a site. */
export interface UrlParts {
  /** The whole host in lower case, `www.` removed. */
  readonly host: string;
  /** The name that its publisher chose: the site without its suffix; an address whole. */
  readonly label: string;
  /** The public suffix or the platform that the label stands under; empty for an address. */
  readonly suffix: string;
  /** What stands left of the site, `www.` removed; often empty. */
  readonly subdomain: string;
  /** Path as it is written, without slashes at its ends; empty for a bare host. */
  readonly path: string;
  readonly query: string;
  readonly isAddress: boolean;
  /** Whether a platform lets anybody publish here (`github.io`). */
  readonly isHosted: boolean;
  readonly hasOddPort: boolean;
  readonly hasCredentials: boolean;
  /** What the platform offers, where it is a listed one. */
  readonly platform: HostKind | null;
  /** How popular the publisher's site is, or null. */
  readonly popularity: PopularityBucket | null;
  /** Whether the site is a brand's own. */
  readonly isBrandOwn: boolean;
  /** Brands named away from their own domains. */
  readonly brands: readonly BrandMatch[];
}

/** Takes a target apart for the model. Spellings of the same site with and without `www.` give the same parts. */
export function partsOf(given: Target, knowledge: Knowledge): UrlParts {
  const target = withoutWww(given);
  const { host } = target;
  const site = knowledge.publisherOf(target);
  const fact = knowledge.hostFact(target);
  const suffix = site === target.site ? target.suffix : site.slice(site.indexOf('.') + 1);
  const isUnder = suffix !== '' && site.length > suffix.length;
  return {
    host,
    label: isUnder ? site.slice(0, site.length - suffix.length - 1) : site,
    suffix,
    subdomain: host.length > site.length ? host.slice(0, host.length - site.length - 1) : '',
    path: trimSlashes(target.path),
    query: target.query,
    isAddress: target.hostKind !== 'name',
    isHosted: fact !== null || (target.registrableDomain !== null && target.registrableDomain !== site),
    hasOddPort: target.port !== 80 && target.port !== 443,
    hasCredentials: target.username !== '' || target.hasPassword,
    platform: fact?.kind ?? null,
    popularity: knowledge.popularityOf(target),
    // What strangers publish on a brand's host, a form or a document, is not the brand's.
    isBrandOwn: fact === null && knowledge.brands.ownersOf(target).length > 0,
    brands: knowledge.brandMatcher.find(target),
  };
}

function withoutWww(target: Target): Target {
  const { host, subdomain } = target;
  if (!host.startsWith('www.') || !host.includes('.', 4)) return target;
  if (subdomain === 'www') return { ...target, host: host.slice(4), subdomain: '' };
  if (subdomain.startsWith('www.')) return { ...target, host: host.slice(4), subdomain: subdomain.slice(4) };
  // `www` is part of the site itself, as in www.github.io: what is left is another name and has to be read anew.
  const rest = parseTarget(`http://${host.slice(4)}/`);
  if (isTargetProblem(rest)) return target;
  const { site, suffix, registrableDomain } = rest;
  return { ...target, host: host.slice(4), site, suffix, registrableDomain, subdomain: rest.subdomain };
}

function trimSlashes(path: string): string {
  let start = 0;
  let end = path.length;
  while (start < end && path.charCodeAt(start) === 47) start++;
  while (end > start && path.charCodeAt(end - 1) === 47) end--;
  return path.slice(start, end);
}
