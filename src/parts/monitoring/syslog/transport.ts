import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { openUnixDatagrams, type UnixDatagrams } from '#src/core/base/c-library.ts';
import { withTimeout } from '#src/core/base/timers.ts';
import type { SyslogAddress } from './settings.ts';

/** A connection to a log server. */
export interface SyslogConnection extends Disposable {
  /** Resolves when the system has accepted all messages. Rejects if the server is unreachable. */
  write(messages: readonly Uint8Array[]): Promise<void>;
}

/** Timeout of connecting and writing, in milliseconds. */
const PATIENCE_MS = 10_000;

/** Connects to a server. Rejects if it is unreachable or its certificate is invalid. */
export async function connectSyslog(address: SyslogAddress, authorities: readonly string[]): Promise<SyslogConnection> {
  switch (address.way) {
    case 'udp':
      return await openDatagrams(address);
    case 'unix':
      return await openUnix(address.host);
    case 'tcp':
    case 'tls':
      return await openStream(address, authorities);
  }
}

/** The socket of a log daemon, which takes datagrams, as most do, or a stream. */
async function openUnix(path: string): Promise<SyslogConnection> {
  const datagrams = await openUnixDatagrams(path);
  if (typeof datagrams === 'string') throw new Error(datagrams);
  if (!datagrams.isThere()) {
    datagrams[Symbol.dispose]();
    return await overStream(connectTcp({ path }), 'connect', terminated);
  }
  return {
    async write(messages) {
      for (const message of messages) await sendPatiently(datagrams, message);
    },
    [Symbol.dispose]: () => datagrams[Symbol.dispose](),
  };
}

/** Waits while the daemon is there and has not yet read what it was sent before. */
async function sendPatiently(datagrams: UnixDatagrams, message: Uint8Array): Promise<void> {
  const until = performance.now() + PATIENCE_MS;
  while (!datagrams.send(message)) {
    if (!datagrams.isThere()) throw new Error('the socket was closed');
    if (performance.now() > until) throw new Error('it does not accept messages');
    await Bun.sleep(ROOM_PAUSE_MS);
  }
}

/** So long it is waited for room in a queue of the system, which has some ten messages. */
const ROOM_PAUSE_MS = 5;

async function openDatagrams({ host, port }: SyslogAddress): Promise<SyslogConnection> {
  const socket = createSocket(isIP(host) === 6 ? 'udp6' : 'udp4');
  /** Error of an earlier datagram, reported by the server's system. */
  let refusal: Error | null = null;
  socket.on('error', (error) => {
    refusal = error;
  });
  socket.connect(port, host);
  await withTimeout(once(socket, 'connect'), PATIENCE_MS);
  socket.unref();
  return {
    async write(messages) {
      for (const message of messages) {
        if (refusal !== null) throw refusal;
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        socket.send(message, (error) => (error ? reject(error) : resolve()));
        await promise;
      }
    },
    [Symbol.dispose]: () => socket.close(),
  };
}

async function openStream(address: SyslogAddress, authorities: readonly string[]): Promise<SyslogConnection> {
  const { way, host, port } = address;
  if (way === 'tcp') return await overStream(connectTcp({ host, port, keepAlive: true }), 'connect', framed);
  const servername = isIP(host) ? '' : host;
  const secure = connectTls({ host, port, servername, ca: [...authorities], minVersion: 'TLSv1.2' });
  return await overStream(secure, 'secureConnect', framed);
}

/** Waits for a socket to open and returns a connection over it. */
async function overStream(
  socket: Socket,
  opened: 'connect' | 'secureConnect',
  join: (messages: readonly Uint8Array[]) => Uint8Array,
): Promise<SyslogConnection> {
  const gone = goneFrom(socket);
  try {
    await withTimeout(Promise.race([once(socket, opened), gone]), PATIENCE_MS);
  } catch (error) {
    socket.destroy();
    throw error;
  }
  socket.unref();
  // What a server says has no meaning; unread, it would never be seen to go.
  socket.resume();
  return {
    async write(messages) {
      const { promise, resolve } = Promise.withResolvers<void>();
      socket.write(join(messages), () => resolve());
      await withTimeout(Promise.race([promise, gone]), PATIENCE_MS);
    },
    [Symbol.dispose]: () => socket.destroy(),
  };
}

/** Returns a promise that rejects when the connection ends. */
function goneFrom(socket: Socket): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  socket.once('error', reject);
  for (const end of ['end', 'close']) socket.once(end, () => reject(new Error('it closed the connection')));
  // Prevents an unhandled rejection while nothing waits.
  promise.catch(() => {});
  return promise;
}

/** Each message behind its length in bytes (RFC 6587, 3.4.1; RFC 5425, 4.3). */
export function framed(messages: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(messages.flatMap((message) => [Buffer.from(`${message.length} `), message]));
}

/** Each message before a zero, as syslog(3) of the C library writes them. */
function terminated(messages: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(messages.flatMap((message) => [message, Buffer.of(0)]));
}
