import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PeerOf, tcpPeer, unixPeer } from '#src/core/base/addresses/client-address.ts';
import { formatListenAddress, type ListenAddress } from '#src/core/base/settings/listen-address.ts';
import type { TlsPair } from '#src/network/certificate/tls-pair.ts';
import type { Endpoint } from '#src/network/egress/endpoint.ts';
import type { InheritedSocket } from './inherited-sockets.ts';
import { type HttpServer, type Listener, listen, listenBeside, type Serving, urlOfPort } from './listener.ts';

/** The first of the descriptors that a service manager hands over (sd_listen_fds(3)). */
const FIRST = 3;

/**
 * Returns the descriptors of the listening sockets that the service manager passed on; none if they are for another
 * process.
 */
export function givenDescriptors(environment: Readonly<Record<string, string | undefined>>): number[] {
  const { LISTEN_FDS: count = '', LISTEN_PID: pid } = environment;
  if (pid !== String(process.pid) || !/^[1-9]\d{0,3}$/.test(count)) return [];
  return Array.from({ length: Number(count) }, (_, at) => FIRST + at);
}

/** Dependencies of the listeners. */
export interface ListenerParts extends Serving {
  /** A server of its own for each address; `isSecure` is whether it speaks TLS. */
  readonly createServer: (peerOf: PeerOf, isSecure: boolean) => HttpServer;
  /** Maximum wait for pending requests at the end, in milliseconds. */
  readonly patienceMs: number;
  /** Inherited descriptors of listening sockets. */
  readonly inheritedSockets: readonly number[];
}

/** The addresses on which the service answers. Disposing of it lets requests under way finish. */
export interface Listeners extends AsyncDisposable {
  readonly urls: readonly string[];
  /** Addresses under which checks could reach the listeners. */
  readonly endpoints: readonly Endpoint[];
  /**
   * Uses another certificate for new connections. In-flight requests are answered, on connections that then close:
   * `Bun.serve` uses the pair that it was started with. Throws ListenError, and then nothing is changed.
   */
  renew(pair: TlsPair): void;
}

/** A server and its address. */
interface Served {
  readonly listener: Listener;
  readonly peerOf: PeerOf;
  readonly url: string;
  readonly endpoints: readonly Endpoint[];
}

/**
 * Serves on every address and every socket that was handed over, or on none.
 *
 * @throws ListenError for the first that cannot be served on.
 */
export async function openListeners(
  addresses: readonly ListenAddress[],
  { createServer, pair, isPortShared, patienceMs, inheritedSockets }: ListenerParts,
): Promise<Listeners> {
  await using opened = new AsyncDisposableStack();
  let listeners: Served[] = [];
  const ending = new Set<Promise<void>>();
  const end = ({ listener }: Served) => {
    const ended = listener.stop(patienceMs).finally(() => ending.delete(ended));
    ending.add(ended);
  };
  opened.defer(async () => {
    listeners.forEach(end);
    await Promise.all(ending);
  });
  const serve = async (address: ListenAddress, peerOf: PeerOf): Promise<Served> => {
    const isSecure = pair !== null && address.kind === 'tcp';
    const listener = await listen(createServer(peerOf, isSecure), address, { pair, isPortShared });
    return { listener, peerOf, url: listener.url, endpoints: listener.endpoint ? [listener.endpoint] : [] };
  };
  const sockets: InheritedSocket[] = [];
  for (const descriptor of inheritedSockets) {
    const { takeSocket } = await import('./inherited-sockets.ts');
    const socket = opened.use(await takeSocket(descriptor));
    sockets.push(socket);
    listeners.push(await serveOnGiven(socket, serve, pair !== null, opened));
  }
  for (const address of addresses) {
    if (sockets.some((socket) => isTakenBy(socket.address, address))) continue;
    listeners.push(await serve(address, address.kind === 'unix' ? unixPeer : tcpPeer));
  }
  const closing = opened.move();
  return {
    urls: listeners.map(({ url }) => url),
    endpoints: listeners.flatMap(({ endpoints }) => endpoints),
    renew(next) {
      const renewed = new Map<Served, Served>();
      try {
        for (const served of listeners) {
          const { listener, peerOf } = served;
          if (listener.address.kind !== 'tcp') continue;
          const beside = listenBeside(createServer(peerOf, true), listener.address, next);
          renewed.set(served, { ...served, listener: beside });
        }
      } catch (error) {
        for (const beside of renewed.values()) end(beside);
        throw error;
      }
      listeners = listeners.map((served) => renewed.get(served) ?? served);
      for (const before of renewed.keys()) end(before);
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

/** Serves on an inner address behind an inherited socket. Access to that socket protects this address too. */
async function serveOnGiven(
  { address, peerOf, handTo }: InheritedSocket,
  serve: (inner: ListenAddress, peerOf: PeerOf) => Promise<Served>,
  isSecure: boolean,
  opened: AsyncDisposableStack,
): Promise<Served> {
  if (address.kind === 'unix') {
    const folder = mkdtempSync(join(tmpdir(), 'lurecheck-'));
    opened.defer(() => rmSync(folder, { recursive: true, force: true }));
    const served = await serve({ kind: 'unix', path: join(folder, 'http.sock') }, peerOf);
    handTo(served.listener.address);
    return { ...served, url: formatListenAddress(address) };
  }
  const served = await serve({ kind: 'tcp', host: '127.0.0.1', port: 0 }, peerOf);
  handTo(served.listener.address);
  const { host, port } = address;
  return {
    ...served,
    url: urlOfPort(address, isSecure),
    endpoints: [...served.endpoints, { address: host ?? '::', port }],
  };
}

/** Returns true if what a socket takes is all that an address would. */
function isTakenBy(given: ListenAddress, address: ListenAddress): boolean {
  if (given.kind === 'unix' || address.kind === 'unix') {
    return given.kind === 'unix' && address.kind === 'unix' && given.path === address.path;
  }
  return given.port === address.port && (given.host === null || given.host === address.host);
}
