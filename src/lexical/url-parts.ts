import { isTargetProblem, parseTarget, type Target } from '#src/url/target.ts';

/** A URL as the model sees it: without scheme, `www.`, port, final slash and credentials, which say nothing of a site. */
export interface UrlParts {
  /** The whole host in lower case, `www.` removed. */
  readonly host: string;
  /** The name that its owner chose: the site without its suffix; an address whole. */
  readonly label: string;
  /** The public suffix, private ones included; empty for an address. */
  readonly suffix: string;
  /** What stands left of the site, `www.` removed; often empty. */
  readonly subdomain: string;
  /** The site that popularity and priors are looked up by. */
  readonly site: string;
  /** Path as it is written, without slashes at its ends; empty for a bare host. */
  readonly path: string;
  readonly query: string;
  readonly isAddress: boolean;
  /** Whether the suffix is one under which a platform lets anybody publish (`github.io`). */
  readonly isHosted: boolean;
  readonly hasOddPort: boolean;
  readonly hasCredentials: boolean;
}

/** Takes a target apart for the model. Spellings of the same site with and without `www.` give the same parts. */
export function partsOf(target: Target): UrlParts {
  const named = withoutWww(target);
  const { host, site, suffix } = named;
  const label = suffix !== '' && site.length > suffix.length ? site.slice(0, site.length - suffix.length - 1) : site;
  return {
    host,
    label,
    suffix,
    subdomain: named.subdomain,
    site,
    path: trimSlashes(target.path),
    query: target.query,
    isAddress: target.hostKind !== 'name',
    isHosted: named.registrableDomain !== null && named.registrableDomain !== site,
    hasOddPort: target.port !== 80 && target.port !== 443,
    hasCredentials: target.username !== '' || target.hasPassword,
  };
}

type Name = Pick<Target, 'host' | 'site' | 'suffix' | 'subdomain' | 'registrableDomain'>;

function withoutWww(target: Target): Name {
  const { host, subdomain } = target;
  if (!host.startsWith('www.') || !host.includes('.', 4)) return target;
  if (subdomain === 'www') return { ...pick(target), host: host.slice(4), subdomain: '' };
  if (subdomain.startsWith('www.')) return { ...pick(target), host: host.slice(4), subdomain: subdomain.slice(4) };
  // `www` is part of the site itself, as in www.github.io: what is left is another name and has to be read anew.
  const rest = parseTarget(`http://${host.slice(4)}/`);
  return isTargetProblem(rest) ? target : rest;
}

function pick(target: Target): Name {
  const { host, site, suffix, subdomain, registrableDomain } = target;
  return { host, site, suffix, subdomain, registrableDomain };
}

function trimSlashes(path: string): string {
  let start = 0;
  let end = path.length;
  while (start < end && path.charCodeAt(start) === 47) start++;
  while (end > start && path.charCodeAt(end - 1) === 47) end--;
  return path.slice(start, end);
}
