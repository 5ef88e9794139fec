import { setTimeout as wait } from 'node:timers/promises';
import type { Endpoint } from '#src/egress/endpoint.ts';
import type { createServer } from '#src/server/app.ts';
import { type PeerOf, tcpPeer, unixPeer } from '#src/server/limiter/peer.ts';
import { formatListenAddress, hostInUrl, type ListenAddress } from './listen-address.ts';
import { bindSocketFile } from './socket-file.ts';

type HttpServer = ReturnType<typeof createServer>;

/** What it takes to serve. */
export interface ListenerParts {
  /** A server of its own for each address. */
  readonly createServer: (peerOf: PeerOf) => HttpServer;
  /** How long requests under way are waited for in the end. */
  readonly patienceMs: number;
}

/** The addresses on which the service answers. Disposing of it lets requests under way finish. */
export interface Listeners extends AsyncDisposable {
  readonly urls: readonly string[];
  /** Those that a check could reach. */
  readonly endpoints: readonly Endpoint[];
}

/** An address cannot be served on. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

interface Listener {
  readonly url: string;
  readonly endpoint: Endpoint | null;
  stop(): Promise<void>;
}

/**
 * Serves on every address, or on none.
 *
 * @throws ListenError for the first that cannot be served on.
 */
export async function openListeners(
  addresses: readonly ListenAddress[],
  { createServer, patienceMs }: ListenerParts,
): Promise<Listeners> {
  await using opened = new AsyncDisposableStack();
  const listeners: Listener[] = [];
  opened.defer(async () => void (await Promise.all(listeners.map(({ stop }) => stop()))));
  for (const address of addresses) {
    const server = createServer(address.kind === 'unix' ? unixPeer : tcpPeer);
    try {
      listeners.push(await listen(server, address, patienceMs));
    } catch (cause) {
      throw new ListenError(`cannot listen on ${formatListenAddress(address)}: ${explain(cause)}`, { cause });
    }
  }
  const closing = opened.move();
  return {
    urls: listeners.map(({ url }) => url),
    endpoints: listeners.flatMap(({ endpoint }) => endpoint ?? []),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

async function listen(server: HttpServer, address: ListenAddress, patienceMs: number): Promise<Listener> {
  const stop = async () => {
    const impatience = new AbortController();
    const patience = wait(patienceMs, undefined, { signal: impatience.signal }).then(
      () => server.stop(true),
      () => {},
    );
    await server.stop();
    impatience.abort();
    await patience;
  };
  if (address.kind === 'unix') {
    await bindSocketFile(address.path, () => server.listen({ unix: address.path }));
    return { url: formatListenAddress(address), endpoint: null, stop };
  }
  // Without a host name it is every address, of IPv6 too where the machine has it.
  server.listen({ port: address.port, ...(address.host === null ? {} : { hostname: address.host }) });
  const port = server.server?.port ?? address.port;
  return {
    url: `http://${hostInUrl(address.host ?? 'localhost')}:${port}`,
    endpoint: { address: address.host ?? '::', port },
    stop,
  };
}

function explain(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : null;
  if (code === 'EADDRINUSE') return 'another program already does; stop it, or choose another with --listen';
  if (code === 'EACCES') return 'this user may not; ports below 1024 are for the administrator';
  return cause instanceof Error ? cause.message : String(cause);
}
