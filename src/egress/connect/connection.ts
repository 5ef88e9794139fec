import type { Socket } from 'node:net';
import { FailureError } from '#src/base/failure.ts';
import { parseIp } from '#src/base/ip.ts';
import type { Visibility } from '#src/base/visibility.ts';
import { createCircuit } from '../budget/circuit.ts';
import { withDeadline } from '../budget/deadline.ts';
import { createKeyedGate } from '../budget/gate.ts';
import { noAddress } from '../dns/answer.ts';
import type { Resolver } from '../dns/resolver.ts';
import type { EgressTools } from '../egress-tools.ts';
import type { Endpoint } from '../endpoint.ts';
import { enforce, type Policy } from '../policy/policy.ts';
import type { EgressSettings } from '../settings.ts';
import { dial } from './dial.ts';
import { tunnel } from './proxy.ts';

/** A connection to a judged address. Disposing of it destroys the socket and gives its place back. */
export interface Connection extends Disposable {
  readonly socket: Socket;
  readonly address: string;
  /** What dialling has left of the budget that it shares with the TLS handshake. */
  readonly connectLeftMs: number;
}

/** Where to connect to, and who may know. */
export interface Destination {
  readonly host: string;
  readonly port: number;
  readonly visibility: Visibility;
  /** A port that is allowed for this protocol alone, such as 43 for WHOIS. */
  readonly ownPort?: number;
}

/** Resolves, judges and dials; see {@link createConnector}. */
export interface Connector extends Disposable {
  readonly connect: Connect;
  /** Whether connections rest, because neither a target nor the resolver has answered. */
  isResting(): boolean;
}

export type Connect = (destination: Destination, signal: AbortSignal) => Promise<Connection>;

const ADDRESSES_TRIED = 3;
const QUEUE_PER_ADDRESS = 100;

/**
 * Makes the one function that connects to a target: it judges the host, asks for all of its addresses, judges every
 * one, refuses the name for a single bad one, and dials the literal that it judged. Up to three addresses are tried.
 */
export function createConnector(
  settings: Pick<EgressSettings, 'egress_proxy' | 'connect_timeout_seconds' | 'connections_per_address'>,
  policy: Policy,
  resolver: Resolver,
  { clock, logger }: EgressTools,
): Connector {
  const timeoutMs = settings.connect_timeout_seconds * 1000;
  // Public and private checks do not wait for each other, which could be timed.
  const enterAddress = createKeyedGate(settings.connections_per_address, QUEUE_PER_ADDRESS);
  const closing = new AbortController();
  const circuit = createCircuit(clock, resolver.isAlive, (isOpen) =>
    logger.warn(isOpen ? 'connections.resting' : 'connections.answering'),
  );

  async function addressesOf({ host, port, visibility }: Destination, signal: AbortSignal): Promise<readonly string[]> {
    if (parseIp(host)) return [host];
    const [a, aaaa] = await Promise.allSettled([
      resolver.resolve(host, 'A', visibility, signal),
      resolver.resolve(host, 'AAAA', visibility, signal),
    ]);
    const [four = [], six = []] = [a, aaaa].map((answer) =>
      answer.status === 'fulfilled' ? answer.value.records.map(({ data }) => data) : [],
    );
    enforce(policy.judgeAddresses(host, [...four, ...six], port));
    if (four.length + six.length > 0) return alternate(four, six);
    if (a.status === 'rejected') throw a.reason;
    throw noAddress(host, a.value);
  }

  async function connectTo(address: string, port: number, signal: AbortSignal): Promise<Socket> {
    const to = { address, port };
    const next = settings.egress_proxy ?? to;
    if (circuit.isOpen()) {
      if (circuit.mayTry()) void tryAgain(next);
      throw new FailureError('unreachable', 'nothing has answered, and connections rest');
    }
    // Long before the time is up, so that it is known by then whether the network is to blame.
    const doubt = setTimeout(() => void circuit.suspect(), timeoutMs / 3);
    try {
      const socket = await dial(next, signal);
      circuit.succeed();
      if (settings.egress_proxy) await tunnel(socket, to, signal);
      return socket;
    } catch (error) {
      if (!settings.egress_proxy || signal.aborted || !(error instanceof FailureError)) throw error;
      throw new FailureError('proxy_failed', error.message);
    } finally {
      clearTimeout(doubt);
    }
  }

  async function tryAgain(to: Endpoint): Promise<void> {
    try {
      const socket = await withDeadline(closing.signal, timeoutMs, (signal) => dial(to, signal));
      socket.destroy();
      circuit.succeed();
    } catch (error) {
      if (!(error instanceof FailureError)) logger.error('connections.fault', { error });
      // A refusal is an answer too.
      else if (error.code === 'connection_refused') circuit.succeed();
    }
  }

  const connect: Connect = async (destination, signal) => {
    const { host, port, ownPort, visibility } = destination;
    enforce(policy.judgeHost(host, port, ownPort));
    const candidates = (await addressesOf(destination, signal)).slice(0, ADDRESSES_TRIED);
    const attemptMs = timeoutMs / candidates.length;
    let leftMs = timeoutMs;
    let failure: unknown = new FailureError('dns_no_data', host);
    for (const address of candidates) {
      // Judged once more at the last moment, so that no way into this loop can go around the policy.
      enforce(policy.judgeAddress(address, port));
      const place = await enterAddress(`${visibility} ${address}`, signal);
      // Waiting for a place is not the server's fault, and does not count.
      const startedMs = clock.monotonicMs();
      try {
        const socket = await withDeadline(signal, attemptMs, (attempt) => connectTo(address, port, attempt));
        return {
          socket,
          address,
          connectLeftMs: leftMs - (clock.monotonicMs() - startedMs),
          [Symbol.dispose]() {
            socket.destroy();
            place[Symbol.dispose]();
          },
        };
      } catch (error) {
        place[Symbol.dispose]();
        failure = error;
        leftMs -= clock.monotonicMs() - startedMs;
        if (signal.aborted || !(error instanceof FailureError)) break;
      }
    }
    throw failure;
  };

  return {
    connect,
    isResting: () => circuit.isOpen(),
    [Symbol.dispose]() {
      closing.abort();
      circuit[Symbol.dispose]();
    },
  };
}

/** Both families in turn, so that the few that are tried do not all need the one that this machine lacks. */
function alternate(four: readonly string[], six: readonly string[]): string[] {
  const turns = Array.from({ length: Math.max(four.length, six.length) }, (_, i) => [four[i], six[i]]);
  return turns.flat().filter((address) => address !== undefined);
}
