import dgram from 'node:dgram';
import { parseIp } from '#src/core/base/addresses/ip.ts';
import { FailureError } from '#src/core/base/failure.ts';
import { createByteSink } from '../budget/byte-sink.ts';
import { untilAborted } from '../budget/semaphore.ts';
import { dial, socketFailure } from '../connect/dial.ts';
import { type Endpoint, formatEndpoint } from '../endpoint.ts';
import { answersQuestion, type DnsQuestion, encodeQuery, number16 } from './message.ts';

/**
 * Sends a query in one datagram, from a new port, and waits for the first matching response; all others are ignored.
 * The socket is connected, so that the system drops datagrams from other addresses.
 */
export function queryOverUdp(server: Endpoint, question: DnsQuestion, signal: AbortSignal): Promise<Uint8Array> {
  return untilAborted<Uint8Array>(signal, (resolve, reject) => {
    const socket = dgram.createSocket(parseIp(server.address)?.family === 6 ? 'udp6' : 'udp4');
    const fail = (error: unknown) => reject(socketFailure(error, 'unreachable'));
    let isOpen = true;
    socket.on('error', fail);
    socket.on('message', (message) => {
      if (answersQuestion(message, question)) resolve(message);
    });
    socket.connect(server.port, server.address, () => {
      if (!isOpen) return;
      try {
        // Bun 1.4.4 calls back without an error if there is no route; asking for the peer then throws.
        socket.remoteAddress();
      } catch {
        return reject(new FailureError('unreachable', `no route to the resolver at ${formatEndpoint(server)}`));
      }
      socket.send(encodeQuery(question), (error) => error && fail(error));
    });
    return () => {
      isOpen = false;
      socket.close();
    };
  });
}

/** Asks over TCP (RFC 7766), where an answer may have up to 64 KiB. */
export async function queryOverTcp(server: Endpoint, question: DnsQuestion, signal: AbortSignal): Promise<Uint8Array> {
  const socket = await dial(server, signal);
  try {
    return await untilAborted<Uint8Array>(signal, (resolve, reject) => {
      const received = createByteSink(2 + 0xffff);
      socket.on('error', (error) => reject(socketFailure(error, 'connection_reset')));
      socket.on('close', () => reject(new FailureError('dns_malformed', 'the answer over TCP ended early')));
      socket.on('data', (chunk: Uint8Array) => {
        received.push(chunk);
        const message = received.bytes();
        const end = 2 + number16(message, 0);
        if (message.length < end) return;
        if (answersQuestion(message.subarray(2, end), question)) resolve(message.subarray(2, end));
        else reject(new FailureError('dns_malformed', 'the answer over TCP is for another question'));
      });
      const query = encodeQuery(question);
      socket.write(Uint8Array.of(query.length >> 8, query.length & 0xff, ...query));
      return () => {};
    });
  } finally {
    socket.destroy();
  }
}
