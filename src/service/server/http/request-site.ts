import { isTrustedPeer, type PeerContext, type PeerOf } from '#src/core/base/addresses/client-address.ts';
import { parseIp } from '#src/core/base/addresses/ip.ts';
import type { ServerSettings } from '../settings.ts';
import { MISDIRECTED } from './misdirected.ts';
import { type Problem, refuse } from './problem.ts';
import type { WithService } from './routes-with.ts';

/** `Sec-Fetch-Site` of a request that no other site started (Fetch Metadata, W3C). */
const OWN_SITE = new Set(['same-origin', 'none']);

/** Returns true if the service answers to a request's `Host`. */
export type IsOwnHost = (context: PeerContext) => boolean;

/** Dependencies of the guards below. */
export interface SiteParts {
  readonly isOwnHost: IsOwnHost;
  /** The names of the service that the operator gave. */
  readonly ownNames: readonly string[];
}

// Hooks destructure their context in the parameter list: if one passes it on, Elysia assumes that it needs cookies,
// query and everything else.
/** Refuses requests that browsers send on behalf of other sites; a hook, which throws ProblemError. */
export function ownSite({ request, service }: PeerContext & WithService<Pick<SiteParts, 'ownNames'>>): void {
  refuse(crossSiteRefusal(request.headers, service.ownNames));
}

/** Refuses requests that are not for this service; a hook, which throws ProblemError. */
export function ownHost({ request, server, service }: PeerContext & WithService<Pick<SiteParts, 'isOwnHost'>>): void {
  refuse(service.isOwnHost({ request, server }) ? null : MISDIRECTED);
}

/**
 * Creates the function that decides by `Host` whether a request is for this service, against DNS rebinding: a foreign
 * page whose name suddenly resolves to this service is of the same origin to its browser, but its requests have that
 * name. If the operator named hosts, only those count. Otherwise a literal address, `localhost` and the host's own
 * names are ours, which no foreign page can have; a trusted proxy decides about its requests itself.
 *
 * @param machineNames lower case.
 */
export function createOwnHosts(
  { host: names, trusted_proxy: trusted }: Pick<ServerSettings, 'host' | 'trusted_proxy'>,
  machineNames: readonly string[],
  peerOf: PeerOf,
): IsOwnHost {
  return ({ request, server }) => {
    const name = hostName(request.headers.get('host') ?? '');
    if (names.length > 0) return names.includes(name);
    if (name === '' || isIpLiteral(name) || isLocalhost(name) || machineNames.includes(name)) return true;
    return trusted.length > 0 && isTrustedPeer(peerOf({ request, server }), trusted);
  };
}

function isIpLiteral(name: string): boolean {
  return parseIp(name.replace(/^\[(.*)\]$/, '$1')) !== null;
}

/** RFC 6761 §6.3: `localhost` and all names below it are this machine. */
function isLocalhost(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost');
}

/**
 * Why a request may not change anything: a browser sent it on behalf of another site. Programs send neither header
 * and pass.
 */
function crossSiteRefusal(headers: Headers, names: readonly string[]): Problem | null {
  const site = headers.get('sec-fetch-site');
  const origin = headers.get('origin');
  const isOwn = (site === null || OWN_SITE.has(site)) && (origin === null || isOwnOrigin(origin, headers, names));
  return isOwn ? null : { code: 'cross_site', detail: 'Pages of other sites cannot start checks here.' };
}

/**
 * Returns true if a browser sent a request for a page of this service, provided that {@link ownSite} admitted it. Browsers
 * send `Sec-Fetch-Site` to secure sites only, and `Origin` with each POST.
 */
export function isFromPage(headers: Headers): boolean {
  return headers.has('sec-fetch-site') || headers.has('origin');
}

/**
 * Why a request may not use what a browser adds to each, the session of a cookie or the user of a proxy: another site, or
 * another host, port or scheme of the same site, started it. A change must name its origin, which every browser does.
 *
 * @param isEncrypted whether the browser reached the service with TLS; false also if that is not known
 */
export function sessionSiteRefusal(
  { method, headers }: Request,
  names: readonly string[],
  isEncrypted: boolean,
): Problem | null {
  const site = headers.get('sec-fetch-site');
  const origin = headers.get('origin');
  const isRead = method === 'GET' || method === 'HEAD';
  const isOwnFetch = site === null || site === 'same-origin' || (isRead && site === 'none');
  const url = URL.parse(origin ?? '');
  // Of a name that the proxy has exchanged for another, the port is not known; then the browser has to vouch for it.
  const isOwnPort = site === 'same-origin' || url?.port === '' || url?.host === headers.get('host');
  const isOwnPlace = isOwnPort && !(isEncrypted && url?.protocol === 'http:');
  const isOwn = isOwnFetch && (origin === null ? isRead : isOwnPlace && isOwnOrigin(origin, headers, names));
  return isOwn ? null : { code: 'cross_site', detail: 'Pages of other sites cannot use the session of this one.' };
}

/**
 * Compares an origin with the own names, without the scheme: behind a TLS-terminating proxy it differs from the
 * browser's.
 */
function isOwnOrigin(origin: string, headers: Headers, names: readonly string[]): boolean {
  const url = URL.parse(origin);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return false;
  return url.host === URL.parse(`${url.protocol}//${headers.get('host')}`)?.host || names.includes(url.hostname);
}

/**
 * Returns true if a request came to the standard port of its scheme. Only there may the service send HSTS, which covers
 * all ports of the host (RFC 6797 §8.3).
 */
export function isAtStandardPort(request: Request): boolean {
  return !/:\d+$/.test(request.headers.get('host') ?? '');
}

/** The name of a `Host` header without its port and final dot, lower case. */
function hostName(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
}
