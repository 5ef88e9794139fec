import dgram from 'node:dgram';
import { parseIp } from '#src/core/base/addresses/ip.ts';
import { FailureError } from '#src/core/base/failure.ts';
import { createByteSink } from '../budget/byte-sink.ts';
import { untilAborted } from '../budget/semaphore.ts';
import { dial, socketFailure } from '../connect/dial.ts';
import { type Endpoint, formatEndpoint } from '../endpoint.ts';
import { answersQuestion, type DnsQuestion, encodeQuery, number16 } from './message.ts';

/** Sends a question in one datagram, and waits for the first response to it; all others are ignored. */
export type QueryOverUdp = (server: Endpoint, question: DnsQuestion, signal: AbortSignal) => Promise<Uint8Array>;

/**
 * Returns the function that asks over UDP. Questions to one server in the same turn of the event loop, such as the eight of a
 * check, share a socket, which is closed with the last of them; those of another turn have another port.
 */
export function createUdpQueries(): QueryOverUdp {
  const ofThisTurn = new Map<string, QuestionSocket>();
  return (server, question, signal) =>
    untilAborted<Uint8Array>(signal, (resolve, reject) => {
      const key = formatEndpoint(server);
      let socket = ofThisTurn.get(key);
      if (socket === undefined || !socket.isOpen()) {
        socket = openQuestionSocket(server);
        ofThisTurn.set(key, socket);
        setImmediate(() => ofThisTurn.delete(key));
      }
      return socket.ask({ question, resolve, reject });
    });
}

interface QuestionSocket {
  isOpen(): boolean;
  /** Returns the function that withdraws a question. */
  ask(asked: AskedQuestion): () => void;
}

interface AskedQuestion {
  readonly question: DnsQuestion;
  resolve(response: Uint8Array): void;
  reject(error: Error): void;
}

/** Opens a socket on a new port. It is connected, so that the system drops datagrams from other addresses. */
function openQuestionSocket(server: Endpoint): QuestionSocket {
  const socket = dgram.createSocket(parseIp(server.address)?.family === 6 ? 'udp6' : 'udp4');
  const waiting = new Set<AskedQuestion>();
  let state: 'connecting' | 'connected' | 'closed' = 'connecting';
  const failAll = (error: Error) => {
    for (const { reject } of [...waiting]) reject(error);
  };
  const send = ({ question, reject }: AskedQuestion) =>
    socket.send(encodeQuery(question), (error) => error && reject(socketFailure(error, 'unreachable')));
  socket.on('error', (error) => failAll(socketFailure(error, 'unreachable')));
  socket.on('message', (message) => {
    for (const { question, resolve } of waiting) {
      if (answersQuestion(message, question)) return resolve(message);
    }
  });
  socket.connect(server.port, server.address, () => {
    if (state === 'closed') return;
    try {
      // Bun 1.4.4 calls back without an error if there is no route; asking for the peer then throws.
      socket.remoteAddress();
    } catch {
      return failAll(new FailureError('unreachable', `no route to the resolver at ${formatEndpoint(server)}`));
    }
    state = 'connected';
    waiting.forEach(send);
  });
  return {
    isOpen: () => state !== 'closed',
    ask(asked) {
      waiting.add(asked);
      if (state === 'connected') send(asked);
      return () => {
        waiting.delete(asked);
        if (waiting.size > 0 || state === 'closed') return;
        state = 'closed';
        socket.close();
      };
    },
  };
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
