import type { Server } from 'bun';

/** The peer of a unix socket. Not a valid IP address. */
export const UNIX_PEER = 'unix';

/** The part of Elysia's context that identifies the sender of a request. */
export interface PeerContext {
  readonly request: Request;
  /** Null if nothing listens, as in tests of the routes. */
  readonly server: Pick<Server<unknown>, 'requestIP'> | null;
}

/**
 * Returns the peer of a request: an IP address as the system formats it, or {@link UNIX_PEER}; null if it disconnected.
 */
export type PeerOf = (context: PeerContext) => string | null;

/** Peers of a TCP socket. */
export const tcpPeer: PeerOf = ({ request, server }) => server?.requestIP(request)?.address ?? null;

/** Peers of a unix socket. */
export const unixPeer: PeerOf = () => UNIX_PEER;
