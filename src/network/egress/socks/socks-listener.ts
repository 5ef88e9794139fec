import { createServer, type Socket } from 'node:net';
import { FailureError } from '#src/core/base/failure.ts';
import { onceAborted } from '#src/core/base/timers.ts';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';
import type { Connect, Destination } from '../connect/connection.ts';

/** Version of the protocol (RFC 1928). */
const VERSION = 5;
const CONNECT = 1;
const ADDRESS_TYPES = { ipv4: 1, name: 3, ipv6: 4 } as const;
const NO_AUTHENTICATION = 0;

/** Answer to a greeting: no authentication, which is all that browsers offer. */
const GREETING_ANSWER = Uint8Array.of(VERSION, NO_AUTHENTICATION);

/** Answer to a request whose connection is open. The bound address is of no use to a browser. */
const CONNECTED_ANSWER = Uint8Array.of(VERSION, 0, 0, 1, 0, 0, 0, 0, 0, 0);

/**
 * Answer to every other request: host unreachable. A page cannot distinguish a refused destination from one that does not
 * answer.
 */
const UNREACHABLE_ANSWER = Uint8Array.of(VERSION, 4, 0, 1, 0, 0, 0, 0, 0, 0);

/** The outcome of reading a message: null if more bytes are needed, `invalid` if no message begins like this. */
type SocksRead<T> = { readonly value: T; readonly length: number } | null | 'invalid';

/** Reads the greeting of a client. */
export function readGreeting(bytes: Uint8Array): SocksRead<true> {
  const [version, methods] = bytes;
  if (version !== undefined && version !== VERSION) return 'invalid';
  if (methods === undefined || bytes.length < 2 + methods) return null;
  return bytes.subarray(2, 2 + methods).includes(NO_AUTHENTICATION) ? { value: true, length: 2 + methods } : 'invalid';
}

/**
 * Reads the request of a client. The destination has the standard form of its host, as in a URL; null if no URL can have
 * such a host.
 */
export function readRequest(bytes: Uint8Array): SocksRead<Destination | null> {
  const [version = VERSION, command = CONNECT, , type, first] = bytes;
  if (version !== VERSION || command !== CONNECT) return 'invalid';
  if (type === undefined || first === undefined) return null;
  const size = hostSize(type, first);
  if (size === null) return 'invalid';
  const length = 4 + size + 2;
  if (bytes.length < length) return null;
  const [high = 0, low = 0] = bytes.subarray(length - 2, length);
  return { value: destinationOf(hostText(type, bytes.subarray(4, 4 + size)), high * 256 + low), length };
}

function hostSize(type: number, first: number): number | null {
  if (type === ADDRESS_TYPES.ipv4) return 4;
  if (type === ADDRESS_TYPES.ipv6) return 16;
  return type === ADDRESS_TYPES.name ? 1 + first : null;
}

function hostText(type: number, bytes: Uint8Array): string {
  if (type === ADDRESS_TYPES.ipv4) return bytes.join('.');
  if (type === ADDRESS_TYPES.name) return Buffer.from(bytes.subarray(1)).toString('latin1');
  const groups = Array.from({ length: 8 }, (_, at) =>
    Buffer.from(bytes)
      .readUInt16BE(2 * at)
      .toString(16),
  );
  return `[${groups.join(':')}]`;
}

/** A name with a character that ends the host of a URL would name another host. */
const HOST = /^(?:[\w.-]+|\[[\da-f:]+\])$/i;

function destinationOf(host: string, port: number): Destination | null {
  const target = HOST.test(host) ? parseTarget(`http://${host}:${port}/`) : null;
  return target === null || isTargetProblem(target) ? null : { host: target.host.text, port };
}

/** Dependencies of a listener. */
export interface SocksParts {
  /** Connects as the egress policy allows. */
  readonly connect: Connect;
  /** Takes bytes from the budget of the check, in either direction; false once it is spent. */
  readonly takeBytes: (count: number) => boolean;
}

/** Maximum number of connections of one visit. */
const MAX_CONNECTIONS = 256;

/** Maximum size of a greeting and of a request, in bytes (RFC 1928). */
const MAX_MESSAGE = 262;

/**
 * Opens a SOCKS5 listener on a port of loopback. Each connection is checked by itself: its name is resolved here, each
 * address classified, and the literal dialled. Closes with all connections when the signal aborts.
 */
export async function openSocksListener(parts: SocksParts, signal: AbortSignal): Promise<SocksListener> {
  const { connect, takeBytes } = parts;
  const closing = new AbortController();
  const clients = new Set<Socket>();
  const addresses = new Map<string, string>();
  const counts = { connections: 0, refused: 0, isSpent: false };

  /** Counts bytes; ends every connection once the budget is spent. */
  const take = (count: number): boolean => {
    if (!counts.isSpent && takeBytes(count)) return true;
    counts.isSpent = true;
    for (const client of clients) client.destroy();
    return false;
  };

  async function tunnel(client: Socket, destination: Destination, first: Uint8Array): Promise<void> {
    counts.connections++;
    if (counts.connections > MAX_CONNECTIONS || counts.isSpent)
      throw new FailureError('egress_denied', 'budget: spent');
    using connection = await connect(destination, closing.signal);
    if (client.destroyed) return;
    addresses.set(hostKey(destination), connection.address);
    client.write(CONNECTED_ANSWER);
    await relay(client, connection.socket, first, take);
  }

  const server = createServer((client) => {
    if (clients.size >= MAX_CONNECTIONS) return void client.destroy();
    clients.add(client);
    client.on('error', () => client.destroy());
    client.once('close', () => clients.delete(client));
    void serve(client);
  });

  async function serve(client: Socket): Promise<void> {
    try {
      const reader = createReader(client);
      await reader.read(readGreeting);
      client.write(GREETING_ANSWER);
      const destination = await reader.read(readRequest);
      const rest = reader.release();
      if (destination === null) throw new FailureError('egress_denied', 'not-a-host');
      await tunnel(client, destination, rest);
      client.destroy();
    } catch (error) {
      // Anything else is a connection that ended by itself.
      if (error instanceof FailureError && error.code.startsWith('egress_denied')) counts.refused++;
      client.end(UNREACHABLE_ANSWER, () => client.destroy());
    }
  }

  const close = () => {
    closing.abort();
    server.close();
    for (const client of clients) client.destroy();
  };
  const { promise: listening, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(0, '127.0.0.1', resolve);
  await listening;
  onceAborted(signal, close);
  const place = server.address();
  return {
    port: place !== null && typeof place === 'object' ? place.port : 0,
    report: () => ({ ...counts }),
    addressOf: (host, port) => addresses.get(hostKey({ host, port })) ?? null,
    [Symbol.dispose]: close,
  };
}

const hostKey = ({ host, port }: Destination) => `${host}:${port}`;

/** Reads messages from a socket until it is released; then the bytes that follow are returned. */
function createReader(client: Socket) {
  let held: Uint8Array = new Uint8Array();
  let wake = () => {};
  const onData = (chunk: Uint8Array) => {
    held = Buffer.concat([held, chunk]);
    wake();
  };
  const onClose = () => wake();
  /** Stops reading. Returns what followed the messages. */
  const release = (): Uint8Array => {
    client.pause();
    client.off('data', onData);
    client.off('close', onClose);
    return held;
  };
  client.on('data', onData);
  client.on('close', onClose);
  return {
    async read<T>(message: (bytes: Uint8Array) => SocksRead<T>): Promise<T> {
      for (;;) {
        const read = message(held);
        const isTooLong = read === null && held.length >= MAX_MESSAGE;
        if (read === 'invalid' || isTooLong || client.destroyed) {
          release();
          throw new FailureError('response_malformed');
        }
        if (read !== null) {
          held = held.subarray(read.length);
          return read.value;
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    release,
  };
}

/** Copies bytes in both directions until either side ends. */
function relay(client: Socket, server: Socket, first: Uint8Array, take: (count: number) => boolean): Promise<void> {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const copy = (from: Socket, to: Socket) => {
    from.on('data', (chunk: Uint8Array) => {
      if (!take(chunk.length)) resolve();
      else if (!to.write(chunk)) from.pause();
    });
    to.on('drain', () => from.resume());
    from.once('end', () => to.end());
    from.once('close', () => resolve());
    from.once('error', () => resolve());
  };
  copy(client, server);
  copy(server, client);
  if (first.length > 0 && take(first.length)) server.write(first);
  client.resume();
  server.resume();
  return ended;
}

/** A SOCKS5 listener of one visit. Disposing of it closes it with its connections. */
export interface SocksListener extends Disposable {
  /** Its port on 127.0.0.1. */
  readonly port: number;
  report(): SocksReport;
  /** Returns the address to which a host was last connected; null if it was not. */
  addressOf(host: string, port: number): string | null;
}

/** Counts of a listener. */
interface SocksReport {
  /** Connections that were asked for. */
  readonly connections: number;
  /** Connections that the egress policy or the budget refused. */
  readonly refused: number;
  /** True if the bytes of the check were used up. */
  readonly isSpent: boolean;
}
