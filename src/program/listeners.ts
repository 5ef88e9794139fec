import type { Endpoint } from '#src/egress/endpoint.ts';
import { type PeerOf, tcpPeer, unixPeer } from '#src/server/limiter/peer.ts';
import type { ListenAddress } from './listen-address.ts';
import { type HttpServer, type Listener, listen, listenBeside, type Serving } from './listener.ts';
import type { TlsPair } from './tls-pair.ts';

/** What it takes to serve. */
export interface ListenerParts extends Serving {
  /** A server of its own for each address; `isSecure` is whether it speaks TLS. */
  readonly createServer: (peerOf: PeerOf, isSecure: boolean) => HttpServer;
  /** How long requests under way are waited for in the end. */
  readonly patienceMs: number;
}

/** The addresses on which the service answers. Disposing of it lets requests under way finish. */
export interface Listeners extends AsyncDisposable {
  readonly urls: readonly string[];
  /** What a check could reach of them. */
  readonly endpoints: readonly Endpoint[];
  /**
   * Shows another certificate to whoever connects from now on. Requests under way are answered, on connections that then
   * close: `Bun.serve` keeps the pair that it was started with. Throws ListenError, and then all stays as it was.
   */
  renew(pair: TlsPair): void;
}

/**
 * Serves on every address, or on none.
 *
 * @throws ListenError for the first that cannot be served on.
 */
export async function openListeners(
  addresses: readonly ListenAddress[],
  { createServer, pair, isPortShared, patienceMs }: ListenerParts,
): Promise<Listeners> {
  await using opened = new AsyncDisposableStack();
  let listeners: Listener[] = [];
  const ending = new Set<Promise<void>>();
  const end = (listener: Listener) => {
    const ended = listener.stop(patienceMs).finally(() => ending.delete(ended));
    ending.add(ended);
  };
  opened.defer(async () => {
    listeners.forEach(end);
    await Promise.all(ending);
  });
  for (const address of addresses) {
    const server = address.kind === 'unix' ? createServer(unixPeer, false) : createServer(tcpPeer, pair !== null);
    listeners.push(await listen(server, address, { pair, isPortShared }));
  }
  const closing = opened.move();
  return {
    urls: listeners.map(({ url }) => url),
    endpoints: listeners.flatMap(({ endpoint }) => endpoint ?? []),
    renew(next) {
      const renewed = new Map<Listener, Listener>();
      try {
        for (const listener of listeners) {
          const { address } = listener;
          if (address.kind === 'tcp') renewed.set(listener, listenBeside(createServer(tcpPeer, true), address, next));
        }
      } catch (error) {
        for (const beside of renewed.values()) end(beside);
        throw error;
      }
      listeners = listeners.map((listener) => renewed.get(listener) ?? listener);
      for (const before of renewed.keys()) end(before);
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}
