import type { Socket } from 'node:net';
import type { Clock } from '#src/core/base/clock.ts';
import { FailureError } from '#src/core/base/failure.ts';
import { parseIp } from '#src/core/base/addresses/ip.ts';
import type { Traced } from '#src/core/base/traced.ts';
import { hostOf } from '#src/core/url/host.ts';
import { withDeadline } from '../budget/deadline.ts';
import type { KeyedGate } from '../budget/semaphore.ts';
import { noAddress } from '../dns/answer.ts';
import type { Resolver } from '../dns/resolver.ts';
import { formatEndpoint } from '../endpoint.ts';
import { enforce, type Policy } from '../policy/policy.ts';
import type { EgressSettings } from '../settings.ts';
import type { Uplink } from './uplink.ts';

/** A connection to a judged address. Disposing of it destroys the socket and gives its place back. */
export interface Connection extends Disposable {
  readonly socket: Socket;
  readonly address: string;
  /** What dialling has left of the budget that it shares with the TLS handshake. */
  readonly connectLeftMs: number;
}

/** Where to connect to. */
export interface Destination {
  readonly host: string;
  readonly port: number;
  /** A port that is allowed for this protocol alone, such as 43 for WHOIS. */
  readonly ownPort?: number;
}

export type Connect = (destination: Destination, signal: AbortSignal) => Promise<Connection>;

/** What connecting takes. */
export interface ConnectParts {
  readonly settings: Pick<EgressSettings, 'connect_timeout_seconds'>;
  readonly policy: Policy;
  readonly resolver: Resolver;
  readonly uplink: Uplink;
  /** Where to wait for a place at an address. */
  readonly addresses: KeyedGate;
  readonly clock: Clock;
  readonly traced: Traced;
}

const ADDRESSES_TRIED = 3;

/**
 * Makes the one function that connects to a target: it judges the host, asks for all of its addresses, judges every
 * one, refuses the name for a single bad one, and dials the literal that it judged. Up to three addresses are tried.
 */
export function createConnect({ settings, policy, resolver, uplink, addresses, clock, traced }: ConnectParts): Connect {
  const timeoutMs = settings.connect_timeout_seconds * 1000;

  async function addressesOf({ host, port }: Destination, signal: AbortSignal): Promise<readonly string[]> {
    if (parseIp(host)) return [host];
    const [a, aaaa] = await Promise.allSettled([
      resolver.resolve(host, 'A', signal),
      resolver.resolve(host, 'AAAA', signal),
    ]);
    const [four = [], six = []] = [a, aaaa].map((answer) =>
      answer.status === 'fulfilled' ? answer.value.records.map(({ data }) => data) : [],
    );
    enforce(policy.judgeAddresses(host, [...four, ...six], port));
    if (four.length + six.length > 0) return alternate(four, six);
    if (a.status === 'rejected') throw a.reason;
    throw noAddress(host, a.value);
  }

  return async (destination, signal) => {
    const { host, port, ownPort } = destination;
    enforce(policy.judgeHost(host, port, ownPort));
    const { site } = hostOf(host);
    const candidates = (await addressesOf(destination, signal)).slice(0, ADDRESSES_TRIED);
    const attemptMs = timeoutMs / candidates.length;
    let leftMs = timeoutMs;
    let failure: unknown = new FailureError('dns_no_data', host);
    for (const address of candidates) {
      // Judged once more at the last moment, so that no way into this loop can go around the policy.
      enforce(policy.judgeAddress(address, port));
      // Sites that share an address, as on a rented server, do not wait for each other's slow answers.
      const place = await addresses(`${address} ${site}`, signal);
      // Waiting for a place is not the server's fault, and does not count.
      const startedMs = clock.monotonicMs();
      try {
        const socket = await traced('connection', formatEndpoint({ address, port }), () =>
          withDeadline(signal, attemptMs, (attempt) => uplink.connect({ address, port }, attempt)),
        );
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
}

/** Both families in turn, so that the few that are tried do not all need the one that this machine lacks. */
function alternate(four: readonly string[], six: readonly string[]): string[] {
  const turns = Array.from({ length: Math.max(four.length, six.length) }, (_, i) => [four[i], six[i]]);
  return turns.flat().filter((address) => address !== undefined);
}
