import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls';
import { type Cidr, cidrContains, isLoopbackHost, parseIp, unmapIp } from '#src/core/base/addresses/ip.ts';
import { oncePerMinute, systemClock } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import type { ListenAddress } from '#src/core/base/settings/listen-address.ts';
import type { TlsPair } from '#src/network/certificate/tls-pair.ts';
import type { Endpoint } from '#src/network/egress/endpoint.ts';
import { listenError } from './listener.ts';
import { bindSocketFile } from './socket-file.ts';

/** Time for connections to end while the service stops, in milliseconds. */
export const FAREWELL_MS = 2000;

/** A protocol that named peers use. */
export interface PeerServing {
  /** Name of the protocol in events. */
  readonly protocol: 'icap' | 'milter' | 'zone';
  /** Peers that may connect, beside loopback addresses and unix sockets. */
  readonly peers: () => readonly Cidr[];
  readonly maxConnections: number;
  /** Bound of the connections of one address, so that none takes them all; absent for none. */
  readonly maxPerPeer?: number;
  readonly logger: Pick<Logger, 'warn'>;
  /** Serves a connection until it is closed. `stop` ends it after what is being received. */
  serve(socket: Socket): { stop(): void };
}

/** Listening addresses. Disposing of them completes what is being received. */
export interface PeerListeners extends AsyncDisposable {
  /** Listens on one more address, over TLS with a pair; null for a unix socket. Throws ListenError. */
  listen(address: ListenAddress, pair: TlsPair | null): Promise<Endpoint | null>;
  readonly connections: () => number;
  /** Returns the addresses of a host; each is blocked for checks before it is connected to. */
  admits(address: string): boolean;
  /** Uses another certificate for new connections. */
  renew(pair: TlsPair): void;
}

/** Creates listeners without an address. */
export function createPeerListeners({
  protocol,
  peers,
  maxConnections,
  maxPerPeer = Number.POSITIVE_INFINITY,
  logger,
  serve,
}: PeerServing): PeerListeners {
  const servers: Server[] = [];
  const tlsServers: TlsServer[] = [];
  const open = new Map<Socket, { stop(): void }>();
  const reportPeer = oncePerMinute<string>(systemClock, (peer, refused) =>
    logger.warn(`${protocol}.peer_refused`, { peer, refused }),
  );
  const reportFull = oncePerMinute<void>(systemClock, (_, refused) =>
    logger.warn(`${protocol}.connections_refused`, { refused }),
  );

  const admits = (address: string) => {
    const isAdmitted = isPeer(address, peers());
    if (!isAdmitted) reportPeer(address);
    return isAdmitted;
  };

  /** Open sockets of an address; a bound of at most {@link maxConnections} keeps this short. */
  const countOf = (peer: string | null) => [...open.keys()].filter((one) => one.remoteAddress === peer).length;
  const isFull = (peer: string | null) =>
    open.size >= maxConnections || (maxPerPeer < maxConnections && peer !== null && countOf(peer) >= maxPerPeer);

  const accept = (socket: Socket) => {
    const peer = socket.remoteAddress ?? null;
    // This host may reach every address of its own, as `doctor` does.
    const isAdmitted = peer === null || peer === socket.localAddress || admits(peer);
    if (isAdmitted && isFull(peer)) reportFull();
    else if (isAdmitted) {
      open.set(socket, serve(socket));
      socket.once('close', () => open.delete(socket));
      return;
    }
    socket.on('error', () => {});
    socket.destroy();
  };
  return {
    async listen(address, pair) {
      const server = pair ? createTlsServer(pair, accept) : createServer(accept);
      // A handshake that fails is its client's matter.
      server.on('tlsClientError', () => {});
      const endpoint = await listenOn(server, address).catch((cause: unknown) => {
        throw listenError(address, cause);
      });
      servers.push(server);
      if (pair) tlsServers.push(server as TlsServer);
      return endpoint;
    },
    connections: () => open.size,
    admits,
    renew(next) {
      for (const server of tlsServers) server.setSecureContext(next);
    },
    async [Symbol.asyncDispose]() {
      for (const server of servers) server.close();
      for (const connection of open.values()) connection.stop();
      const closed = [...open.keys()].map((socket) => new Promise((resolve) => socket.once('close', resolve)));
      await Promise.race([Promise.all(closed), wait(FAREWELL_MS)]);
      for (const socket of open.keys()) socket.destroy();
    },
  };
}

function isPeer(address: string, peers: readonly Cidr[]): boolean {
  const ip = parseIp(address.replace(/%.*/s, ''));
  if (ip === null) return false;
  const bare = unmapIp(ip);
  return (
    isLoopbackHost(address) ||
    (bare.family === 4 && bare.value >> 24n === 127n) ||
    peers.some((one) => cidrContains(one, bare))
  );
}

async function listenOn(server: Server, address: ListenAddress): Promise<Endpoint | null> {
  const { promise: listening, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.once('listening', resolve);
  if (address.kind === 'unix') await bindSocketFile(address.path, () => void server.listen(address.path));
  else if (address.host === null) server.listen(address.port);
  else server.listen(address.port, address.host);
  await listening;
  const taken = server.address();
  return typeof taken === 'object' && taken !== null
    ? { address: address.kind === 'tcp' ? (address.host ?? '::') : '', port: taken.port }
    : null;
}
