import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { answeredWithin } from '#src/base/answered-within.ts';
import type { SyslogAddress } from './address.ts';

/** A way to a server. */
export interface SyslogConnection extends Disposable {
  /** Resolves when the system has taken all of them. Rejects where the server is gone. */
  write(messages: readonly Uint8Array[]): Promise<void>;
}

/** So long a server may take to answer, and to take what it is sent. */
const PATIENCE_MS = 10_000;

/** Opens a way to a server. Rejects where it cannot be reached, or is not the one that its certificate should name. */
export async function connectSyslog(address: SyslogAddress, authorities: readonly string[]): Promise<SyslogConnection> {
  return address.way === 'udp' ? await openDatagrams(address) : await openStream(address, authorities);
}

async function openDatagrams({ host, port }: SyslogAddress): Promise<SyslogConnection> {
  const socket = createSocket(isIP(host) === 6 ? 'udp6' : 'udp4');
  /** What the server's system says of an earlier datagram. */
  let refusal: Error | null = null;
  socket.on('error', (error) => {
    refusal = error;
  });
  socket.connect(port, host);
  await answeredWithin(once(socket, 'connect'), PATIENCE_MS);
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
  const socket =
    way === 'tcp'
      ? connectTcp({ host, port, keepAlive: true })
      : connectTls({ host, port, servername: isIP(host) ? '' : host, ca: [...authorities], minVersion: 'TLSv1.2' });
  const gone = goneFrom(socket);
  try {
    await answeredWithin(Promise.race([once(socket, way === 'tcp' ? 'connect' : 'secureConnect'), gone]), PATIENCE_MS);
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
      socket.write(framed(messages), () => resolve());
      await answeredWithin(Promise.race([promise, gone]), PATIENCE_MS);
    },
    [Symbol.dispose]: () => socket.destroy(),
  };
}

/** Rejects once a connection has ended, for whatever reason. */
function goneFrom(socket: Socket): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  socket.once('error', reject);
  for (const end of ['end', 'close']) socket.once(end, () => reject(new Error('it has ended the connection')));
  // Nobody may be waiting just then.
  promise.catch(() => {});
  return promise;
}

/** Each message behind its length in bytes (RFC 6587, 3.4.1; RFC 5425, 4.3). */
export function framed(messages: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(messages.flatMap((message) => [Buffer.from(`${message.length} `), message]));
}
