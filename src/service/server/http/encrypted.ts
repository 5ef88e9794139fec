import { isTrustedPeer } from '#src/core/base/addresses/client-address.ts';
import type { PeerContext, PeerOf } from '#src/core/base/addresses/peer.ts';
import type { ServerSettings } from '../settings.ts';

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
