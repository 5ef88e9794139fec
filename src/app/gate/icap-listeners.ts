import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls';
import { type Cidr, cidrContains, parseIp, unmapIp } from '#src/core/base/addresses/ip.ts';
import { isLoopbackHost } from '#src/core/base/addresses/loopback-host.ts';
import { systemClock } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { oncePerMinute } from '#src/core/base/once-per-minute.ts';
import { formatListenAddress, hostInUrl, type ListenAddress } from '#src/core/base/settings/listen-address.ts';
import type { TlsPair } from '#src/network/certificate/tls-pair.ts';
import type { Endpoint } from '#src/network/egress/endpoint.ts';
import {
  createIcapConnection,
  type IcapConnection,
  type IcapConnectionParts,
} from '#src/service/icap/icap-connection.ts';
import { listenError } from '../listen/listener.ts';
import { bindSocketFile } from '../listen/socket-file.ts';

/** A silent connection is closed after this time; one that was answered for the last time after a shorter one. */
const SILENCE_MS = 120_000;
const FAREWELL_MS = 2000;

/** What ICAP is served with. */
export interface IcapServing extends Pick<IcapConnectionParts, 'decide' | 'istag'> {
  readonly plain: readonly ListenAddress[];
  readonly tls: readonly ListenAddress[];
  /** Certificate of the TLS addresses. */
  readonly pair: TlsPair | null;
  /** Proxies that may connect, beside loopback addresses and unix sockets. */
  readonly peers: () => readonly Cidr[];
  readonly maxConnections: number;
  readonly logger: Pick<Logger, 'warn'>;
}

/** The addresses of ICAP. Disposing of it completes what is being received. */
export interface IcapListeners extends AsyncDisposable {
  /** `icap://` and `icaps://` addresses in the order of the settings. */
  readonly urls: readonly string[];
  readonly endpoints: readonly Endpoint[];
  readonly connections: () => number;
  /** Uses another certificate for new connections. */
  renew(pair: TlsPair): void;
}

/** Opens every address, or none. Throws ListenError. */
export async function openIcapListeners(serving: IcapServing): Promise<IcapListeners> {
  const { plain, tls, pair, peers, maxConnections, logger } = serving;
  await using opened = new AsyncDisposableStack();
  const open = new Map<Socket, IcapConnection>();
  const reportPeer = oncePerMinute<string>(systemClock, (peer, refused) =>
    logger.warn('icap.peer_refused', { peer, refused }),
  );
  const reportFull = oncePerMinute<void>(systemClock, (_, refused) =>
    logger.warn('icap.connections_refused', { refused }),
  );

  const accept = (socket: Socket) => {
    const peer = socket.remoteAddress ?? null;
    if (peer !== null && !isPeer(peer, peers())) reportPeer(peer);
    else if (open.size >= maxConnections) reportFull();
    else {
      open.set(socket, serveSocket(socket, serving));
      socket.once('close', () => open.delete(socket));
      return;
    }
    socket.on('error', () => {});
    socket.destroy();
  };
  const tlsServers: TlsServer[] = [];
  const serve = async (address: ListenAddress, isSecure: boolean) => {
    const server = isSecure && pair ? createTlsServer(pair, accept) : createServer(accept);
    if (isSecure && pair) tlsServers.push(server as TlsServer);
    // A handshake that fails is its client's matter.
    server.on('tlsClientError', () => {});
    const endpoint = await listenOn(server, address).catch((cause: unknown) => {
      throw listenError(address, cause);
    });
    opened.defer(() => void server.close());
    const place = endpoint ? `${hostInUrl(endpoint.address)}:${endpoint.port}/reqmod` : formatListenAddress(address);
    return { url: endpoint ? `${isSecure ? 'icaps' : 'icap'}://${place}` : place, endpoint };
  };
  const served = [];
  for (const address of plain) served.push(await serve(address, false));
  for (const address of tls) served.push(await serve(address, true));
  const closing = opened.move();
  return {
    urls: served.map(({ url }) => url),
    endpoints: served.flatMap(({ endpoint }) => endpoint ?? []),
    connections: () => open.size,
    renew(next) {
      for (const server of tlsServers) server.setSecureContext(next);
    },
    async [Symbol.asyncDispose]() {
      await closing.disposeAsync();
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

function serveSocket(socket: Socket, { decide, istag, maxConnections }: IcapServing): IcapConnection {
  const connection = createIcapConnection({
    ...{ decide, istag, maxConnections, now: systemClock.now },
    write: (bytes) => socket.write(bytes),
    end() {
      socket.setTimeout(FAREWELL_MS);
      socket.end();
    },
  });
  const readOn = (mayRead: boolean) => {
    if (mayRead) socket.resume();
    else socket.pause();
  };
  socket.setTimeout(SILENCE_MS, () => socket.destroy());
  socket.setNoDelay(true);
  socket.on('data', (bytes: Buffer) => readOn(connection.receive(bytes)));
  socket.on('drain', () => readOn(connection.proceed()));
  socket.on('error', () => socket.destroy());
  return connection;
}
