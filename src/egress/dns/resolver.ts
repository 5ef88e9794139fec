import { FailureError } from '#src/base/failure.ts';
import type { Visibility } from '#src/base/visibility.ts';
import { type Cache, createCache } from '../budget/cache.ts';
import { createCircuit } from '../budget/circuit.ts';
import { abortFailure, untilAborted, withDeadline } from '../budget/deadline.ts';
import { createGate } from '../budget/gate.ts';
import type { EgressTools } from '../egress-tools.ts';
import { type Endpoint, formatEndpoint } from '../endpoint.ts';
import type { EgressSettings } from '../settings.ts';
import type { DnsType } from './answer.ts';
import { type FullAnswer, followAnswer } from './follow.ts';
import { type DnsQuestion, type DnsResponse, readResponse } from './message.ts';
import { createNameservers } from './nameservers.ts';
import { askByTcp, askByUdp } from './transport.ts';

/** A stub resolver: it asks a recursive one, over UDP, and over TCP where the answer is too long. */
export interface Resolver extends Disposable {
  /**
   * The answer to one question, from the cache where its TTL allows. Equal questions of one visibility that are under
   * way share one answer. Fails with `timeout`, `unreachable` (also while the circuit is open), `dns_malformed`,
   * `dns_chain_too_long` or `overloaded`.
   */
  resolve<T extends DnsType>(
    name: string,
    type: T,
    visibility: Visibility,
    signal: AbortSignal,
  ): Promise<FullAnswer<T>>;
  isResting(): boolean;
  /** Whether any resolver answers at all, found out by a neutral question. */
  isAlive(): Promise<boolean>;
}

type ResolverSettings = Pick<EgressSettings, 'dns_server' | 'dns_timeout_seconds' | 'dns_tries' | 'dns_concurrency'>;

type Shelf<T extends DnsType> = {
  readonly cache: Cache<FullAnswer<T>>;
  readonly pending: Map<string, Promise<FullAnswer<T>>>;
};
type Shelves = { readonly [T in DnsType]: Shelf<T> };

const CACHED_ANSWERS_PER_TYPE = 4096;
const QUEUE = 1024;
/** What a resolver says when it cannot or will not answer, but another one may. */
const TRY_ANOTHER = new Set(['SERVFAIL', 'REFUSED', 'NOTIMP']);

/** A resolver with its caches, its circuit and its share of the process-wide budget. It opens sockets only when asked. */
export function createResolver(settings: ResolverSettings, { clock, logger }: EgressTools): Resolver {
  const nameservers = createNameservers(settings.dns_server, clock);
  const timeoutMs = settings.dns_timeout_seconds * 1000;
  const gate = createGate(settings.dns_concurrency, QUEUE);
  const closing = new AbortController();
  const shelves = { public: createShelves(clock), private: createShelves(clock) };
  const circuit = createCircuit(clock, isAlive, (isOpen) => logger.warn(isOpen ? 'dns.resting' : 'dns.answering'));

  /** The neutral question: the root's name servers, which every recursive resolver knows. */
  async function isAlive(): Promise<boolean> {
    const asked = (await nameservers()).map((server) =>
      withDeadline(closing.signal, timeoutMs, (signal) => askByUdp(server, newQuestion('', 'NS'), signal)),
    );
    return Promise.any(asked).then(
      () => true,
      () => false,
    );
  }

  async function ask<T extends DnsType>(name: string, type: T): Promise<FullAnswer<T>> {
    using _place = await gate.enter(closing.signal);
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
      try {
        const response = await withDeadline(closing.signal, tryMs, (signal) =>
          askServer(server, newQuestion(name, type), signal),
        );
        circuit.succeed();
        const isLast = attempt + 1 >= servers.length;
        if (isLast || !TRY_ANOTHER.has(response.rcode)) return followAnswer(response, name, type);
        unwilling = response;
      } catch (error) {
        if (!(error instanceof FailureError)) throw error;
        if (error.code !== 'timeout' && error.code !== 'unreachable' && error.code !== 'connection_refused')
          throw error;
        failure = new FailureError(
          error.code === 'timeout' ? 'timeout' : 'unreachable',
          `resolver ${formatEndpoint(server)}: ${error.message}`,
        );
        inquiry ??= circuit.suspect();
      }
    }
    if (unwilling) return followAnswer(unwilling, name, type);
    await inquiry;
    throw failure;
  }

  function askOnce<T extends DnsType>(name: string, type: T, shelf: Shelf<T>): Promise<FullAnswer<T>> {
    const pending = shelf.pending.get(name);
    if (pending !== undefined) return pending;
    const asked = ask(name, type)
      .then((answer) => {
        shelf.cache.set(name, answer, answer.keepSeconds * 1000);
        return answer;
      })
      .finally(() => shelf.pending.delete(name));
    // Whoever asked may have left by the time it fails.
    asked.catch(() => {});
    shelf.pending.set(name, asked);
    return asked;
  }

  return {
    async resolve(name, type, visibility, signal) {
      if (signal.aborted) throw abortFailure(signal);
      const shelf = shelves[visibility][type];
      const known = shelf.cache.get(name);
      if (known) return known;
      if (circuit.isOpen()) {
        if (circuit.mayTry()) void askOnce(name, type, shelf).catch(() => {});
        throw new FailureError('unreachable', 'the resolver has been silent and rests');
      }
      const asked = askOnce(name, type, shelf);
      return await untilAborted(signal, (resolve, reject) => {
        asked.then(resolve, reject);
        return () => {};
      });
    },
    isResting: () => circuit.isOpen(),
    isAlive,
    [Symbol.dispose]() {
      closing.abort();
      circuit[Symbol.dispose]();
    },
  };
}

/** One server's answer, over TCP where it does not fit a datagram. */
async function askServer(server: Endpoint, question: DnsQuestion, signal: AbortSignal): Promise<DnsResponse> {
  const byUdp = readResponse(await askByUdp(server, question, signal));
  const response = byUdp?.truncated ? readResponse(await askByTcp(server, question, signal)) : byUdp;
  if (!response) throw new FailureError('dns_malformed', `${question.name} ${question.type}: a malformed response`);
  // Some home routers refuse what they do not know.
  const knowsNoEdns = response.rcode === 'FORMERR' && question.edns !== false;
  return knowsNoEdns ? await askServer(server, { ...question, edns: false }, signal) : response;
}

function newQuestion(name: string, type: DnsType): DnsQuestion {
  const [id = 0] = crypto.getRandomValues(new Uint16Array(1));
  return { id, name, type };
}

function createShelves(clock: EgressTools['clock']): Shelves {
  const shelf = <T extends DnsType>(): Shelf<T> => ({
    cache: createCache(CACHED_ANSWERS_PER_TYPE, clock),
    pending: new Map(),
  });
  return {
    A: shelf(),
    AAAA: shelf(),
    CNAME: shelf(),
    NS: shelf(),
    MX: shelf(),
    SOA: shelf(),
    TXT: shelf(),
    CAA: shelf(),
  };
}
