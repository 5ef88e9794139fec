import dgram from 'node:dgram';
import { readFile } from 'node:fs/promises';
import { parseIp } from '#src/core/base/addresses/ip.ts';
import type { Clock } from '#src/core/base/clock.ts';
import { type FailureCode, FailureError } from '#src/core/base/failure.ts';
import { createByteSink } from '../budget/byte-sink.ts';
import { type Circuit, createCircuit } from '../budget/circuit.ts';
import { untilAborted, withDeadline } from '../budget/semaphore.ts';
import { dial, socketFailure } from '../connect/dial.ts';
import { type Endpoint, formatEndpoint, parseEndpoint } from '../endpoint.ts';
import type { EgressSettings, EgressTools } from '../settings.ts';
import { type FullAnswer, followAnswer } from './answer.ts';
import {
  answersQuestion,
  type DnsQuestion,
  type DnsResponse,
  type DnsType,
  encodeQuery,
  number16,
  readDnsResponse,
} from './message.ts';

const RESOLVER_FILE = '/etc/resolv.conf';
/** Time after which the file is read again, because a host may change networks. */
const REREAD_MS = 10_000;
/** Default server of the C library if the file names none (resolv.conf(5)). */
const FALLBACK: Endpoint = { address: '127.0.0.1', port: 53 };
/** Limit of the C library (MAXNS). */
const MAX_SERVERS = 3;

/** Returns the configured resolvers, or those of the system's resolver file, which is read on first use. */
export function createNameservers(
  configured: readonly Endpoint[],
  clock: Clock,
  path = RESOLVER_FILE,
): () => Promise<readonly Endpoint[]> {
  if (configured.length > 0) return () => Promise.resolve(configured);
  let known: Promise<readonly Endpoint[]> | null = null;
  let readAtMs = 0;
  return () => {
    if (known === null || clock.monotonicMs() - readAtMs >= REREAD_MS) {
      readAtMs = clock.monotonicMs();
      // Without the file, the C library queries the local host. Those who ask meanwhile wait for it, too.
      known = readFile(path, 'utf8').then(parseResolverFile, () => [FALLBACK]);
    }
    return known;
  };
}

/** Parses the name servers of a resolv.conf(5), at most three; the local host if it names none. */
export function parseResolverFile(text: string): readonly Endpoint[] {
  const servers = text
    .split('\n')
    .map((line) => /^\s*nameserver\s+(\S+)/.exec(line)?.[1] ?? '')
    .map((address) => parseEndpoint(address, 53))
    .filter((server) => typeof server !== 'string');
  return servers.length > 0 ? servers.slice(0, MAX_SERVERS) : [FALLBACK];
}

/** The recursive resolvers that questions go to; they are the network's, and remember nothing of a question. */
export interface DnsUpstream extends Disposable {
  /**
   * Asks them in turn, over UDP, and over TCP if the answer is too long. Fails with `timeout`, `unreachable`,
   * `dns_malformed` or `dns_chain_too_long`.
   */
  ask<T extends DnsType>(name: string, type: T): Promise<FullAnswer<T>>;
  /** Returns true if any of them answers a neutral query. */
  isAlive(): Promise<boolean>;
  /** Open while none of them answers. */
  readonly circuit: Circuit;
  /** Aborted once it is disposed of. */
  readonly closed: AbortSignal;
}

/** Response codes of a resolver that cannot or will not answer, although another one may. */
const TRY_ANOTHER = new Set(['SERVFAIL', 'REFUSED', 'NOTIMP']);

/** Failures that are one server's alone. */
const OF_SERVER: ReadonlySet<FailureCode> = new Set(['timeout', 'unreachable', 'connection_refused']);

/**
 * Queries that reveal nothing about checks; any response shows that a resolver is alive: the name servers of the root,
 * the zone of `com`, and `localhost`, which resolvers answer themselves (RFC 6761 §6.3). Filters drop some of them.
 */
const NEUTRAL: readonly (readonly [name: string, type: DnsType])[] = [
  ['', 'NS'],
  ['com', 'SOA'],
  ['localhost', 'A'],
];

/** The resolvers of the settings or of the system. It opens sockets only when asked. */
export function openDnsUpstream(
  settings: Pick<EgressSettings, 'dns_server' | 'dns_timeout_seconds' | 'dns_tries'>,
  { clock, logger }: EgressTools,
): DnsUpstream {
  const nameservers = createNameservers(settings.dns_server, clock);
  const queryOverUdp = createUdpQueries();
  const timeoutMs = settings.dns_timeout_seconds * 1000;
  const closing = new AbortController();
  const circuit = createCircuit(clock, isAlive, (isOpen) => logger.warn(isOpen ? 'dns.resting' : 'dns.answering'));

  /** The question that was answered last: a resolver that drops the neutral ones answers that one again. */
  let answered: readonly [name: string, type: DnsType] | null = null;

  async function isAlive(): Promise<boolean> {
    const questions = answered === null ? NEUTRAL : [...NEUTRAL, answered];
    const asked = (await nameservers()).flatMap((server) =>
      questions.map(([name, type]) =>
        withDeadline(closing.signal, timeoutMs, (signal) => queryOverUdp(server, newQuestion(name, type), signal)),
      ),
    );
    return Promise.any(asked).then(
      () => true,
      () => false,
    );
  }

  /** A failure if the server could not be asked, and another one may. */
  async function askOnce(server: Endpoint, question: DnsQuestion, tryMs: number): Promise<DnsResponse | FailureError> {
    try {
      return await withDeadline(closing.signal, tryMs, (signal) => askServer(queryOverUdp, server, question, signal));
    } catch (error) {
      if (!(error instanceof FailureError) || !OF_SERVER.has(error.code)) throw error;
      const code = error.code === 'timeout' ? 'timeout' : 'unreachable';
      return new FailureError(code, `resolver ${formatEndpoint(server)}: ${error.message}`);
    }
  }

  async function ask<T extends DnsType>(name: string, type: T): Promise<FullAnswer<T>> {
    const servers = await nameservers();
    const tries = Math.max(settings.dns_tries, servers.length);
    // Many servers share the time of the tries that the budget grants.
    const tryMs = (timeoutMs * settings.dns_tries) / tries;
    let failure = new FailureError('unreachable', 'no resolver is configured');
    let inquiry: Promise<void> | null = null;
    let unwilling: DnsResponse | null = null;
    for (let attempt = 0; attempt < tries; attempt++) {
      const server = servers[attempt % servers.length];
      if (!server || closing.signal.aborted) break;
      const response = await askOnce(server, newQuestion(name, type), tryMs);
      if (response instanceof FailureError) {
        failure = response;
        inquiry ??= circuit.suspect();
        continue;
      }
      circuit.succeed();
      answered = [name, type];
      const isLast = attempt + 1 >= servers.length;
      if (isLast || !TRY_ANOTHER.has(response.rcode)) return followAnswer(response, name, type);
      unwilling = response;
    }
    if (unwilling) return followAnswer(unwilling, name, type);
    await inquiry;
    throw failure;
  }

  return {
    ask,
    isAlive,
    circuit,
    closed: closing.signal,
    [Symbol.dispose]() {
      closing.abort();
      circuit[Symbol.dispose]();
    },
  };
}

/** Asks one server, over TCP if the answer does not fit a datagram. */
async function askServer(
  queryOverUdp: QueryOverUdp,
  server: Endpoint,
  question: DnsQuestion,
  signal: AbortSignal,
): Promise<DnsResponse> {
  const byUdp = readDnsResponse(await queryOverUdp(server, question, signal));
  const response = byUdp?.truncated ? readDnsResponse(await queryOverTcp(server, question, signal)) : byUdp;
  if (!response) throw new FailureError('dns_malformed', `${question.name} ${question.type}: a malformed response`);
  // The address that the policy refuses could be in the truncated part of an answer over TCP.
  if (response.truncated) throw new FailureError('dns_malformed', `${question.name} ${question.type}: cut over TCP`);
  // Some home routers refuse what they do not know.
  const knowsNoEdns = response.rcode === 'FORMERR' && question.edns !== false;
  return knowsNoEdns ? await askServer(queryOverUdp, server, { ...question, edns: false }, signal) : response;
}

function newQuestion(name: string, type: DnsType): DnsQuestion {
  const [id = 0] = crypto.getRandomValues(new Uint16Array(1));
  return { id, name, type };
}

/** Sends a question in one datagram, and waits for the first response to it; all others are ignored. */
type QueryOverUdp = (server: Endpoint, question: DnsQuestion, signal: AbortSignal) => Promise<Uint8Array>;

/**
 * Returns the function that asks over UDP. Questions to one server in the same turn of the event loop, such as the eight of a
 * check, share a socket, which is closed with the last of them; those of another turn have another port.
 */
function createUdpQueries(): QueryOverUdp {
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
