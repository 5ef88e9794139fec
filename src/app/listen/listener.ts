import { setTimeout as wait } from 'node:timers/promises';
import {
  formatListenAddress,
  hostInUrl,
  type ListenAddress,
  type PortAddress,
} from '#src/core/base/settings/listen-address.ts';
import type { TlsPair } from '#src/network/certificate/tls-pair.ts';
import type { Endpoint } from '#src/network/egress/endpoint.ts';
import { bindSocketFile } from './socket-file.ts';

/** An Elysia app with any routes. */
export interface HttpServer {
  readonly server: { readonly port?: number | undefined } | null;
  listen(
    options: { readonly unix: string } | (SocketAt & { readonly tls?: TlsPair; readonly reusePort?: boolean }),
  ): unknown;
  stop(cutOff?: boolean): Promise<unknown>;
}

/** A server that answers on one address. */
export interface Listener {
  readonly url: string;
  /** The address with the port that was taken. */
  readonly address: ListenAddress;
  /** Address under which a check could reach it; null if none could. */
  readonly endpoint: Endpoint | null;
  /** Lets requests under way finish; those that take longer than that are cut off. */
  stop(patienceMs: number): Promise<void>;
}

/** An address cannot be served on. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

/** Options of a listener. */
export interface Serving {
  /** Makes listeners on ports use https. */
  readonly pair: TlsPair | null;
  /** True if other processes of the same user may serve on the same port. */
  readonly isPortShared: boolean;
}

/** Listens on a port, with TLS if there is a pair, or on a file. Throws ListenError. */
export async function listen(
  server: HttpServer,
  address: ListenAddress,
  { pair, isPortShared }: Serving,
): Promise<Listener> {
  try {
    if (address.kind === 'tcp') {
      // A server that shares its port would share it with any program; so at first it tries to have it alone.
      if (pair !== null && !isPortShared) probePort(address);
      return listenOnPort(server, address, { pair, isPortShared: isPortShared || pair !== null });
    }
    await bindSocketFile(address.path, () => start(server, { unix: address.path }));
    return {
      url: formatListenAddress(address),
      address,
      endpoint: null,
      stop: (patienceMs) => stop(server, patienceMs),
    };
  } catch (cause) {
    throw listenError(address, cause);
  }
}

/** Serves on the port of another server with another pair; until that one is stopped, both answer. Throws ListenError. */
export function listenBeside(server: HttpServer, address: PortAddress, pair: TlsPair): Listener {
  try {
    return listenOnPort(server, address, { pair, isPortShared: true });
  } catch (cause) {
    throw listenError(address, cause);
  }
}

function listenOnPort(server: HttpServer, { host, port }: PortAddress, { pair, isPortShared }: Serving): Listener {
  start(server, { ...socketAt(host, port), ...(pair && { tls: pair }), reusePort: isPortShared });
  const taken = server.server?.port ?? port;
  return {
    url: urlOfPort({ host, port: taken }, pair !== null),
    address: { kind: 'tcp', host, port: taken },
    endpoint: { address: host ?? '::', port: taken },
    stop: (patienceMs) => stop(server, patienceMs),
  };
}

/** Returns the URL of an address with a port. */
export function urlOfPort({ host, port }: Pick<PortAddress, 'host' | 'port'>, isSecure: boolean): string {
  return `${isSecure ? 'https' : 'http'}://${hostInUrl(host ?? 'localhost')}:${port}`;
}

function probePort({ host, port }: PortAddress): void {
  if (port !== 0) void Bun.serve({ ...socketAt(host, port), fetch: () => new Response() }).stop(true);
}

interface SocketAt {
  readonly port: number;
  readonly hostname?: string;
}

/** Returns the options of a socket. Without a host name it listens on all addresses, including IPv6 if available. */
function socketAt(host: string | null, port: number): SocketAt {
  return host === null ? { port } : { port, hostname: host };
}

function start(server: HttpServer, options: Parameters<HttpServer['listen']>[0]): void {
  const before = new Set(process.listeners('beforeExit'));
  server.listen(options);
  // Elysia would stop the server when the process has nothing left to do, and each renewal would leave such a listener.
  for (const added of process.listeners('beforeExit')) if (!before.has(added)) process.off('beforeExit', added);
}

async function stop(server: HttpServer, patienceMs: number): Promise<void> {
  const impatience = new AbortController();
  const patience = wait(patienceMs, undefined, { signal: impatience.signal }).then(
    () => server.stop(true),
    () => {},
  );
  await server.stop();
  impatience.abort();
  await patience;
}

/** Returns the error for an address that cannot be served on, with what to do. */
export function listenError(address: ListenAddress, cause: unknown): ListenError {
  return new ListenError(`cannot listen on ${formatListenAddress(address)}: ${explain(cause)}`, { cause });
}

const NO_SUCH_NAME = 'the name cannot be resolved; :PORT listens on all addresses';

/** Obstacles to listening and their remedies, by error code (errno(3)). */
const OBSTACLES: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program already listens there; stop it, or choose another address with --listen',
  EACCES: 'permission denied; a port below 1024 requires root, a socket a writable folder',
  EADDRNOTAVAIL: 'this host does not have that address; :PORT listens on all addresses',
  // The runtime reports a name without an address by either code; which one depends on nsswitch.conf(5).
  EINVAL: NO_SUCH_NAME,
  ENXIO: NO_SUCH_NAME,
  ENOENT: 'its folder does not exist',
  EPERM: 'its folder does not support sockets',
  EROFS: 'its folder is read-only',
};

function explain(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return OBSTACLES[code] ?? (cause instanceof Error ? cause.message : String(cause));
}
