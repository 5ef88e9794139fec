import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Issued } from '#test/support/certificate-authority.ts';
import { ANY_PORT, type ListenAt, type Listening, listen } from '#test/support/listen.ts';

/** A log server: what it has been sent. */
export interface LogServer extends AsyncDisposable {
  readonly port: number;
  readonly messages: string[];
}

/** Takes messages over TCP, each behind its length; over TLS where it has a certificate. */
export async function streamServer(certificate: Issued | null, at: ListenAt = ANY_PORT): Promise<LogServer> {
  const messages: string[] = [];
  const onSocket = (socket: Socket) => {
    let rest = Buffer.alloc(0);
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      rest = Buffer.concat([rest, Buffer.from(chunk)]);
      for (;;) {
        const [digits, length] = /^([1-9]\d*) /.exec(rest.subarray(0, 8).toString('latin1')) ?? [];
        const end = Number(length) + (digits?.length ?? 0);
        if (digits === undefined || rest.length < end) return;
        messages.push(rest.subarray(digits.length, end).toString());
        rest = rest.subarray(end);
      }
    });
  };
  const server = certificate
    ? createTlsServer({ cert: certificate.pem, key: certificate.keyPem }, onSocket)
    : createServer(onSocket);
  const listening: Listening = await listen(server, at);
  return { port: listening.port, messages, [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose]() };
}

/** Takes messages over UDP, one a datagram. */
export async function datagramServer(): Promise<LogServer> {
  const messages: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (message) => messages.push(message.toString()));
  socket.bind(0, ANY_PORT.address);
  await once(socket, 'listening');
  return { port: socket.address().port, messages, [Symbol.asyncDispose]: async () => void socket.close() };
}
