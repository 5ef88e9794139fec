import {
  clientAddress,
  isTrustedPeer,
  type PeerContext,
  type PeerOf,
  UNIX_PEER,
} from '#src/core/base/addresses/client-address.ts';
import { formatIp, isLoopbackHost } from '#src/core/base/addresses/ip.ts';
import type { ServerSettings } from '../settings.ts';

/** Time for an answer to reach a slow client, on top of the check's own deadline and its wait for a turn. */
const GRACE_SECONDS = 30;

/** The longest silence that `Bun.serve` accepts; beyond, 0 switches the timeout off. */
const MAX_SECONDS = 255;

/** Returns for how many seconds a connection may be silent while its check runs; 0 for as long as it takes. */
export function silenceSecondsOf({ deadline_seconds: deadline }: Pick<ServerSettings, 'deadline_seconds'>): number {
  const seconds = Math.ceil(deadline + GRACE_SECONDS);
  return seconds > MAX_SECONDS ? 0 : seconds;
}

/** `proto=` of an element of a `Forwarded` header (RFC 7239 §5.4). */
const FORWARDED_PROTO = /(?:^|[;,])[ \t]*proto="?(https?)"?[ \t]*(?=[;,]|$)/i;

/** Returns whether a client reached the service with TLS: on its own socket, or up to a trusted proxy that says so. */
export function createIsEncrypted(
  { trusted_proxy: trusted }: Pick<ServerSettings, 'trusted_proxy'>,
  isSecure: boolean,
  peerOf: PeerOf,
): (context: PeerContext) => boolean {
  return ({ request, server }) => {
    if (isSecure || !isTrustedPeer(peerOf({ request, server }), trusted)) return isSecure;
    const { headers } = request;
    const [first = ''] = (headers.get('x-forwarded-proto') ?? '').split(',', 1);
    const scheme = first.trim() || FORWARDED_PROTO.exec(headers.get('forwarded') ?? '')?.[1];
    return scheme?.toLowerCase() === 'https';
  };
}

/** Headers that proxies add, including untrusted ones. */
const BY_PROXIES = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'];

/** Creates the functions that return the address of a request's client, and whether the client is on this host. */
export function createAddresses({ trusted_proxy: trusted }: Pick<ServerSettings, 'trusted_proxy'>, peerOf: PeerOf) {
  const ipOf = ({ request, server }: PeerContext) =>
    clientAddress(peerOf({ request, server }), request.headers, trusted);
  return {
    ipOf,
    addressOf(context: PeerContext): string | null {
      const ip = ipOf(context);
      return ip && formatIp(ip);
    },
    /**
     * A client without an address is one of a Unix socket, or has disconnected. A proxy on this host is not taken for a client
     * on it: it passes on the name that the client asked for, or headers of its own.
     */
    isLocal(context: PeerContext): boolean {
      const { headers } = context.request;
      const ip = ipOf(context);
      const peer = peerOf(context);
      const isNear = ip ? isLoopbackHost(formatIp(ip)) : peer === UNIX_PEER;
      const isProxied = !isTrustedPeer(peer, trusted) && BY_PROXIES.some((name) => headers.has(name));
      // HTTP/1.0 needs no name.
      const host = headers.get('host') ?? 'localhost';
      const name = URL.parse(`http://${host}`)?.hostname.replace(/^\[(.*)\]$/, '$1') ?? '';
      return isNear && !isProxied && isLoopbackHost(name);
    },
  };
}
