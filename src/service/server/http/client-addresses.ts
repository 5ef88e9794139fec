import { clientAddress, isTrustedPeer } from '#src/core/base/addresses/client-address.ts';
import { formatIp } from '#src/core/base/addresses/ip.ts';
import { isLoopbackHost } from '#src/core/base/addresses/loopback-host.ts';
import { type PeerContext, type PeerOf, UNIX_PEER } from '#src/core/base/addresses/peer.ts';
import type { ServerSettings } from '../settings.ts';

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
