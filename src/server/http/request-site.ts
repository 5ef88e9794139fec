import { type Problem, refuse } from './problem.ts';

/** `Sec-Fetch-Site` of a request that no other site started (Fetch Metadata, W3C). */
const OWN_SITE = new Set(['same-origin', 'none']);

/** A hook of Elysia's that looks at a request before its handler does; throws ProblemError. */
export type RequestGuard = (context: { readonly request: Request }) => void;

/** Refuses requests that browsers send on behalf of other sites; `names` are the service's own. */
export function ownSiteGuard(names: readonly string[]): RequestGuard {
  return ({ request }) => refuse(crossSiteRefusal(request.headers, names));
}

/** Refuses requests that are not for this service. */
export function ownHostGuard(names: readonly string[]): RequestGuard {
  return ({ request }) => refuse(misdirection(request.headers, names));
}

/**
 * Why a request is not for this service: its `Host` is none of the names that the operator gave. Against DNS
 * rebinding, where a foreign page reaches this address under its own name. Null where it is, or no names are given.
 */
export function misdirection(headers: Headers, names: readonly string[]): Problem | null {
  if (names.length === 0 || names.includes(hostName(headers.get('host') ?? ''))) return null;
  return { status: 421, detail: 'The service does not answer to this host name.' };
}

/**
 * Why a request may not change anything: a browser sent it on behalf of another site. Programs send neither header
 * and pass.
 */
function crossSiteRefusal(headers: Headers, names: readonly string[]): Problem | null {
  const site = headers.get('sec-fetch-site');
  const origin = headers.get('origin');
  const isOwn = (site === null || OWN_SITE.has(site)) && (origin === null || isOwnOrigin(origin, headers, names));
  return isOwn ? null : { status: 403, detail: 'Pages of other sites cannot start checks here.' };
}

/** The scheme is not compared: behind a proxy that ends TLS it is not the one that the browser saw. */
function isOwnOrigin(origin: string, headers: Headers, names: readonly string[]): boolean {
  const url = URL.parse(origin);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return false;
  return url.host === URL.parse(`${url.protocol}//${headers.get('host')}`)?.host || names.includes(url.hostname);
}

/** The name of a `Host` header without its port, lower case. */
function hostName(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, '');
}
