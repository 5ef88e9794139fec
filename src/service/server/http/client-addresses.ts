import { clientAddress } from '#src/core/base/addresses/client-address.ts';
import { formatIp } from '#src/core/base/addresses/ip.ts';
import { isLoopbackHost } from '#src/core/base/addresses/loopback-host.ts';
import { type PeerContext, type PeerOf, UNIX_PEER } from '#src/core/base/addresses/peer.ts';
import type { ServerSettings } from '../settings.ts';

/** Creates the functions that return the address of a request's client, and whether the client is on this host. */
export function createAddresses({ trusted_proxy: trusted }: Pick<ServerSettings, 'trusted_proxy'>, peerOf: PeerOf) {
  const addressOf = ({ request, server }: PeerContext) =>
    clientAddress(peerOf({ request, server }), request.headers, trusted);
  return {
    addressOf(context: PeerContext): string | null {
      const ip = addressOf(context);
      return ip && formatIp(ip);
    },
    /** A client without an address is one of a Unix socket, or has disconnected. */
    isLocal(context: PeerContext): boolean {
      const ip = addressOf(context);
      return ip ? isLoopbackHost(formatIp(ip)) : peerOf(context) === UNIX_PEER;
    },
  };
}
