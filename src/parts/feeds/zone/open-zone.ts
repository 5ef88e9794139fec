import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Registry } from 'prom-client';
import type { ConfigFor } from '#src/app/config.ts';
import { ListenError } from '#src/app/listen/listener.ts';
import { createPeerListeners, FAREWELL_MS, type PeerListeners } from '#src/app/listen/peer-listeners.ts';
import type { OpenedPart, Service } from '#src/app/parts/service.ts';
import { createPeerClock } from '#src/app/peer-clock.ts';
import { type Clock, MINUTE_MS, oncePerMinute, systemClock } from '#src/core/base/clock.ts';
import { stackFrames } from '#src/core/base/logger.ts';
import { memoizeLatest } from '#src/core/base/memoize-latest.ts';
import { hostInUrl, type PortAddress } from '#src/core/base/settings/listen-address.ts';
import type { Notice } from '#src/core/base/text/condition.ts';
import { repeated } from '#src/core/base/timers.ts';
import { createTurns } from '#src/core/base/turns.ts';
import type { Endpoint } from '#src/network/egress/endpoint.ts';
import { answerQuery, type ZoneOutcome } from '#src/parts/feeds/zone/protocol/answer-query.ts';
import { ZONE_NAME } from '#src/parts/feeds/zone/protocol/settings.ts';
import { createZoneConnection, type ZoneConnection } from '#src/parts/feeds/zone/protocol/zone-connection.ts';
import { readZone, type Zone } from '#src/parts/feeds/zone/protocol/zone-content.ts';
import { createPeerNotifier } from './notify-peers.ts';
import { bindUdp, type UdpSocket } from './udp-socket.ts';
import type { ZoneMetrics } from './zone-metrics.ts';

/**
 * Limits of name servers: connections in total and per server, queries per second and transfers per minute per server.
 */
const MAX_CONNECTIONS = 100;
const MAX_CONNECTIONS_EACH = 20;
const MAX_QUERIES = 1000;
const MAX_TRANSFERS = 60;

/** A connection without progress is closed after this time, and any connection after the second. */
const SILENCE_MS = 30_000;
const LIFETIME_MS = 10 * MINUTE_MS;

/** Interval of examining the zone for a new version, in milliseconds. */
const POLL_MS = 1000;

/** Outcomes that are a fault of the signature, or of its lack. */
const SIGNATURE_FAULTS: readonly ZoneOutcome[] = ['unsigned', 'bad_key', 'bad_signature', 'bad_time'];

interface ZoneFile {
  readonly text: Uint8Array;
}

/** Dependencies of the zone transfer. */
export interface ZoneService extends Pick<Service, 'logger'> {
  /** Has the latest version of the zone as a zone file; null if there is none. */
  readonly feeds: { pull(name: 'rpz'): Promise<ZoneFile | null> };
  readonly running: () => Pick<ConfigFor<'serve'>, 'zone_listen' | 'zone_peers' | 'zone_keys'>;
}

/** The zone transfer of a service. Disposing of it completes the queries that are being answered. */
export interface OpenedZone extends OpenedPart {
  /** As `dns://host:port/zone` (RFC 4501). */
  readonly addresses: { readonly zone_urls: readonly string[] };
  readonly endpoints: readonly Endpoint[];
  readonly connections: () => number;
  measure(registry: Registry): Promise<void>;
  /** Returns notices about name servers whose clock differs. */
  notices(): Notice[];
}

/** Opens the zone transfer. Throws ListenError. */
export async function openZone({ running, feeds, logger }: ZoneService): Promise<OpenedZone> {
  await using opened = new AsyncDisposableStack();
  // Null until somebody reads metrics.
  let metrics: ZoneMetrics | null = null;
  const clock = createPeerClock('a name server', systemClock);
  const zoneOf = memoizeLatest((feed: ZoneFile) => readZone(ZONE_NAME, feed.text));
  const current = async (): Promise<Zone | null> => {
    const feed = await feeds.pull('rpz');
    return feed && zoneOf(feed);
  };
  const reportFailure = oncePerMinute<unknown>(systemClock, (error, failed) =>
    logger.error('zone.failed', { failed, at: stackFrames(error).slice(0, 3) }),
  );
  const reportSignature = oncePerMinute<object>(systemClock, (fields, refused) =>
    logger.warn('zone.signature_refused', { ...fields, refused }),
  );
  const mayAsk = createQueryRate(MAX_QUERIES, 1000, systemClock);
  const mayTransfer = createQueryRate(MAX_TRANSFERS, MINUTE_MS, systemClock);

  async function answer(query: Buffer, peer: string, transport: 'udp' | 'tcp'): Promise<Iterable<Buffer>> {
    const zone = await current();
    const nowSeconds = () => Math.floor(systemClock.now() / 1000);
    const keys = running().zone_keys;
    const answered = answerQuery(query, {
      ...{ zoneName: ZONE_NAME, zone, keys, nowSeconds, transport },
      mayTransfer: () => mayTransfer(peer),
    });
    if (answered === null) return [];
    const { outcome, signedSeconds, messages } = answered;
    if (signedSeconds !== undefined) clock.observe(1000 * signedSeconds);
    // Queries without a valid signature, whose sender may be forged over UDP, use up no query of a name server that signs.
    if (!mayAsk(SIGNATURE_FAULTS.includes(outcome) ? `unsigned ${peer}` : peer)) return [];
    if (SIGNATURE_FAULTS.includes(outcome)) reportSignature({ peer, fault: outcome });
    metrics?.zoneAnswered(outcome);
    return messages;
  }

  const sockets: UdpSocket[] = [];
  const notifier = opened.use(
    createPeerNotifier({
      ...{ peers: () => running().zone_peers, keys: () => running().zone_keys, clock: systemClock, logger },
      send: (bytes, to) => {
        for (const socket of sockets) socket.send(bytes, to);
      },
      onNotified: (outcome) => metrics?.zoneNotified(outcome),
    }),
  );
  const turns = createTurns();
  // One message of all transfers per turn of the event loop, so that no request waits for many.
  const turn = () => turns.run(nextTurn);
  const listeners = opened.use(
    createPeerListeners({
      ...{ protocol: 'zone', maxConnections: MAX_CONNECTIONS, maxPerPeer: MAX_CONNECTIONS_EACH, logger },
      peers: () => running().zone_peers.map(({ network }) => network),
      serve: (socket) => {
        const peer = socket.remoteAddress ?? '';
        return serveSocket(socket, {
          async answer(query) {
            const messages = await answer(query, peer, 'tcp');
            await turn();
            return messages;
          },
          ...{ turn, onFailed: reportFailure },
        });
      },
    }),
  );
  const bind = (address: PortAddress) =>
    bindUdp(address, (bytes, from, reply) => {
      if (!listeners.admits(from.address)) return;
      notifier.receive(bytes, from);
      answer(bytes, from.address, 'udp')
        .then((messages) => [...messages].forEach(reply))
        .catch(reportFailure);
    });
  const endpoints: Endpoint[] = [];
  for (const address of running().zone_listen) {
    const { endpoint, socket } = await listenBoth(address, listeners, bind);
    sockets.push(opened.use(socket));
    endpoints.push(endpoint);
  }

  let notified: number | null = null;
  const following = repeated(POLL_MS, async () => {
    try {
      const zone = await current();
      if (zone === null || zone.serial === notified) return;
      notified = zone.serial;
      notifier.notify(zone);
    } catch (error) {
      reportFailure(error);
    }
  });
  opened.defer(following.stop);
  void following.now();
  const closing = opened.move();
  return {
    addresses: { zone_urls: endpoints.map(({ address, port }) => `dns://${hostInUrl(address)}:${port}/${ZONE_NAME}`) },
    endpoints,
    connections: listeners.connections,
    async measure(registry) {
      metrics = (await import('./zone-metrics.ts')).zoneMetrics(registry, listeners);
    },
    notices: clock.notices,
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

/** Maximum attempts to find a port that is free for both protocols. */
const MAX_TRIES = 10;

/** Listens over TCP and UDP on one port. Throws ListenError. */
async function listenBoth(
  address: PortAddress,
  listeners: PeerListeners,
  bind: (address: PortAddress) => Promise<UdpSocket>,
): Promise<{ readonly endpoint: Endpoint; readonly socket: UdpSocket }> {
  for (let tries = 1; ; tries++) {
    const endpoint = await listeners.listen(address, null);
    if (endpoint === null) throw new ListenError('a zone is not transferred through a file');
    try {
      return { endpoint, socket: await bind({ ...address, port: endpoint.port }) };
    } catch (error) {
      if (address.port !== 0 || tries === MAX_TRIES) throw error;
    }
  }
}

/** Dependencies of a connection. */
interface SocketServing {
  answer(query: Buffer): Promise<Iterable<Buffer>>;
  /** Resolves when the next message may be made. */
  turn(): Promise<unknown>;
  onFailed(error: unknown): void;
}

function serveSocket(socket: Socket, { answer, turn, onFailed }: SocketServing): ZoneConnection {
  let drained = Promise.withResolvers<void>();
  const connection = createZoneConnection({
    answer,
    async write(bytes) {
      if (!socket.write(bytes)) {
        // The timeout of a socket does not notice a peer that stops reading.
        const stalled = setTimeout(() => socket.destroy(), SILENCE_MS);
        await drained.promise;
        clearTimeout(stalled);
      }
      await turn();
    },
    setReceiving: (isReceiving) => void (isReceiving ? socket.resume() : socket.pause()),
    onFailed,
    end() {
      socket.setTimeout(FAREWELL_MS);
      socket.end();
    },
  });
  const lifetime = setTimeout(() => socket.destroy(), LIFETIME_MS);
  lifetime.unref();
  socket.setTimeout(SILENCE_MS, () => socket.destroy());
  socket.setNoDelay(true);
  socket.on('data', (bytes: Buffer) => connection.receive(bytes));
  socket.on('drain', () => {
    drained.resolve();
    drained = Promise.withResolvers();
  });
  socket.on('error', () => socket.destroy());
  socket.once('close', () => {
    clearTimeout(lifetime);
    connection.close();
    drained.resolve();
  });
  return connection;
}

/**
 * Bounds how often something may happen for each key within a period. The periods follow each other, so that up to twice as
 * much may happen in a time of that length. Memory is that of the keys of one period.
 *
 * @returns a function that returns false for a key that is over its bound
 */
export function createQueryRate(
  most: number,
  periodMs: number,
  clock: Pick<Clock, 'monotonicMs'>,
): (key: string) => boolean {
  const counts = new Map<string, number>();
  let startMs = Number.NEGATIVE_INFINITY;
  return (key) => {
    if (clock.monotonicMs() - startMs >= periodMs) {
      counts.clear();
      startMs = clock.monotonicMs();
    }
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count <= most;
  };
}
