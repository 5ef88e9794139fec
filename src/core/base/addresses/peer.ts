import type { Server } from 'bun';

/** Who is at the other end of a unix socket: whoever may open its file. No address looks like this. */
export const UNIX_PEER = 'unix';

/** What tells who sent a request, out of Elysia's context. */
export interface PeerContext {
  readonly request: Request;
  /** Null where nothing listens, as in a test of the routes alone. */
  readonly server: Pick<Server<unknown>, 'requestIP'> | null;
}

/** The other end of a request's connection: an IP address as the system writes it, or {@link UNIX_PEER}; null where it has gone. */
export type PeerOf = (context: PeerContext) => string | null;

/** Peers of a TCP socket. */
export const tcpPeer: PeerOf = ({ request, server }) => server?.requestIP(request)?.address ?? null;

/** Peers of a unix socket. */
export const unixPeer: PeerOf = () => UNIX_PEER;
