import { once } from 'node:events';
import { readFileSync, readlinkSync } from 'node:fs';
import type { Server, Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { type PeerOf, unixPeer } from '#src/core/base/addresses/client-address.ts';
import { net } from '#src/core/base/lazily.ts';
import type { ListenAddress } from '#src/core/base/settings/listen-address.ts';
import { ListenError } from './listener.ts';

/**
 * A socket whose listening process passes it to this one. After disposal, new connections wait for the next process.
 */
export interface InheritedSocket extends AsyncDisposable {
  readonly address: ListenAddress;
  /** Returns the peer of a request. */
  readonly peerOf: PeerOf;
  /** Forwards every connection to the service's inner listener. */
  handTo(inner: ListenAddress): void;
}

/**
 * Takes over a listening socket. The runtime's server cannot serve on one, so each connection is forwarded to it on
 * this host, byte by byte, with the address of the client.
 *
 * @throws ListenError if it is not a stream socket at a port or in a file
 */
export async function takeSocket(descriptor: number): Promise<InheritedSocket> {
  const target = Promise.withResolvers<ListenAddress>();
  /** Peers by the port of their inner connection. */
  const peers = new Map<number, string>();
  const waiting = createWaiting();
  const server = net().createServer({ allowHalfOpen: true, pauseOnConnect: true }, (outer) => {
    waiting.add(outer);
    outer.on('error', () => outer.destroy());
    outer.once('close', () => waiting.delete(outer));
    void target.promise.then((inner) => relay(outer, inner, { peers, waiting }));
  });
  const address = await bind(server, descriptor);
  return {
    address,
    peerOf:
      address.kind === 'unix'
        ? unixPeer
        : ({ request, server: inner }) => peers.get(inner?.requestIP(request)?.port ?? 0) ?? null,
    handTo: target.resolve,
    async [Symbol.asyncDispose]() {
      server.close();
      // What has been taken is no longer the next one's: the server behind must have seen it before it stops.
      await Promise.race([waiting.none(), wait(PARTING_MS, undefined, { ref: false })]);
    },
  };
}

/** So long a connection may take in the end until it has asked, and was begun to be answered. */
const PARTING_MS = 1000;

/** Connections with more received than answered bytes, as far as the order of bytes shows. */
interface Waiting {
  add(socket: Socket): void;
  delete(socket: Socket): void;
  /** Resolves if none is left. */
  none(): Promise<void>;
}

function createWaiting(): Waiting {
  const sockets = new Set<Socket>();
  const isNone = Promise.withResolvers<void>();
  let isAsked = false;
  const look = () => {
    if (isAsked && sockets.size === 0) isNone.resolve();
  };
  return {
    add: (socket) => void sockets.add(socket),
    delete(socket) {
      sockets.delete(socket);
      look();
    },
    none() {
      isAsked = true;
      look();
      return isNone.promise;
    },
  };
}

interface Relayed {
  readonly peers: Map<number, string>;
  readonly waiting: Waiting;
}

function relay(outer: Socket, to: ListenAddress, { peers, waiting }: Relayed): void {
  const inner =
    to.kind === 'unix'
      ? net().connect({ path: to.path, allowHalfOpen: true })
      : net().connect({ host: to.host ?? '127.0.0.1', port: to.port, allowHalfOpen: true });
  const end = () => {
    outer.destroy();
    inner.destroy();
  };
  inner.once('connect', () => {
    const { localPort } = inner;
    if (localPort !== undefined && outer.remoteAddress !== undefined) peers.set(localPort, outer.remoteAddress);
    inner.once('close', () => peers.delete(localPort ?? 0));
    for (const socket of [outer, inner]) socket.setNoDelay(true);
    outer.on('data', () => waiting.add(outer));
    inner.on('data', () => waiting.delete(outer));
    outer.pipe(inner);
    inner.pipe(outer);
  });
  inner.once('error', end);
  inner.once('close', end);
  outer.once('close', end);
}

async function bind(server: Server, descriptor: number): Promise<ListenAddress> {
  try {
    server.listen({ fd: descriptor });
    await once(server, 'listening');
    return addressOf(server, descriptor);
  } catch (cause) {
    const what = 'is no stream socket at a port or in a file';
    throw new ListenError(`descriptor ${descriptor}, which the service manager hands over, ${what}`, { cause });
  }
}

function addressOf(server: Server, descriptor: number): ListenAddress {
  const bound = server.address();
  if (bound !== null && typeof bound === 'object' && bound.port !== undefined) {
    const { address, port } = bound;
    return { kind: 'tcp', host: address === '::' || address === '0.0.0.0' ? null : address, port };
  }
  return { kind: 'unix', path: pathOf(descriptor) };
}

/** Returns the file of a unix socket (proc_net(5)); the runtime does not report it. */
function pathOf(descriptor: number): string {
  const [, inode] = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${descriptor}`)) ?? [];
  const [, path] =
    new RegExp(`^(?:\\S+ ){5}\\S+ +${inode} (/.*)$`, 'm').exec(readFileSync('/proc/self/net/unix', 'utf8')) ?? [];
  if (path === undefined) throw new Error('it has no path');
  return path;
}
