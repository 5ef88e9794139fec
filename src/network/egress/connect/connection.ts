import type { Socket } from 'node:net';
import { parseIp } from '#src/core/base/addresses/ip.ts';
import type { Clock } from '#src/core/base/clock.ts';
import { FailureError } from '#src/core/base/failure.ts';
import type { Traced } from '#src/core/base/traced.ts';
import { hostOf } from '#src/core/url/host.ts';
import { type KeyedSemaphore, withDeadline } from '../budget/semaphore.ts';
import { noAddress } from '../dns/answer.ts';
import type { Resolver } from '../dns/resolver.ts';
import { formatEndpoint } from '../endpoint.ts';
import { enforce, type Policy } from '../policy/policy.ts';
import type { EgressSettings } from '../settings.ts';
import type { IdleConnections, SecuredConnection } from './idle-connections.ts';
import type { TlsPeer } from './tls-handshake.ts';
import type { Uplink } from './uplink.ts';

/** A connection to an address that the policy allows. Disposing of it destroys its sockets and releases its permit. */
export interface Connection extends Disposable {
  readonly socket: Socket;
  readonly address: string;
  /** Rest of the connect timeout, which the TLS handshake shares, in milliseconds. */
  readonly connectLeftMs: number;
  /** The TLS layer of a connection that an earlier request left open; null if this one is new. */
  readonly reused: Pick<SecuredConnection, 'socket' | 'peer'> | null;
  /** Closes nothing when disposed of, and leaves the connection, with its TLS layer, to the next request to this server. */
  keepOpen(socket: Socket, peer: TlsPeer): void;
  isKeptOpen(): boolean;
}

export interface Destination {
  readonly host: string;
  readonly port: number;
  /** An additional port that is allowed for this protocol, such as 43 for WHOIS. */
  readonly protocolPort?: number;
  /** True to use a TLS connection that an earlier request left open, if there is one at an address of the host. */
  readonly mayReuse?: boolean;
}

export type Connect = (destination: Destination, signal: AbortSignal) => Promise<Connection>;

export interface ConnectParts {
  readonly settings: Pick<EgressSettings, 'connect_timeout_seconds'>;
  readonly policy: Policy;
  readonly resolver: Resolver;
  readonly uplink: Uplink;
  /** Limits connections per site and address. */
  readonly addressSemaphores: KeyedSemaphore;
  readonly idleConnections: IdleConnections;
  readonly clock: Clock;
  readonly traced: Traced;
}

const ADDRESSES_TRIED = 3;

/**
 * Creates the one function that connects to a target. It checks the host against the policy, resolves all of its
 * addresses, checks each, refuses the name for a single denied one, and dials a checked address. It tries at most
 * three.
 */
export function createConnect({
  settings,
  policy,
  resolver,
  uplink,
  addressSemaphores,
  idleConnections,
  clock,
  traced,
}: ConnectParts): Connect {
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
    enforce(policy.checkAddresses(host, [...four, ...six], port));
    if (four.length + six.length > 0) return alternate(four, six);
    if (a.status === 'rejected') throw a.reason;
    throw noAddress(host, a.value);
  }

  return async (destination, signal) => {
    const { host, port, protocolPort, mayReuse = false } = destination;
    enforce(policy.checkHost(host, port, protocolPort));
    const { site } = hostOf(host);
    const candidates = (await addressesOf(destination, signal)).slice(0, ADDRESSES_TRIED);
    const attemptMs = timeoutMs / candidates.length;
    let leftMs = timeoutMs;
    let failure: unknown = new FailureError('dns_no_data', host);
    for (const address of candidates) {
      // Checked again immediately before dialling, so that no code path bypasses the policy.
      enforce(policy.checkAddress(address, port));
      // One limit per site, so that sites on a shared address do not wait for each other.
      const place = `${address} ${site}`;
      const permit = await addressSemaphores(place, signal);
      const server = `${address} ${host}:${port}`;
      const reused = mayReuse ? idleConnections.take(server) : null;
      if (reused === null) idleConnections.closeAt(place);
      // The time in the queue does not count against the server.
      const startedMs = clock.monotonicMs();
      try {
        const socket = await traced(
          'connection',
          formatEndpoint({ address, port }),
          async () =>
            reused?.carrier ??
            (await withDeadline(signal, attemptMs, (attempt) => uplink.connect({ address, port }, attempt))),
          () => (reused === null ? '' : 'left open by an earlier request'),
        );
        let kept: SecuredConnection | null = null;
        return {
          socket,
          address,
          connectLeftMs: leftMs - (clock.monotonicMs() - startedMs),
          reused,
          keepOpen(secured, peer) {
            kept = { carrier: socket, socket: secured, peer };
          },
          isKeptOpen: () => kept !== null,
          [Symbol.dispose]() {
            if (kept === null) socket.destroy();
            else idleConnections.put(server, place, kept);
            permit[Symbol.dispose]();
          },
        };
      } catch (error) {
        permit[Symbol.dispose]();
        failure = error;
        leftMs -= clock.monotonicMs() - startedMs;
        if (signal.aborted || !(error instanceof FailureError)) break;
      }
    }
    throw failure;
  };
}

/** Alternates both families, so that the addresses tried do not all need the one that this host lacks. */
function alternate(four: readonly string[], six: readonly string[]): string[] {
  const turns = Array.from({ length: Math.max(four.length, six.length) }, (_, i) => [four[i], six[i]]);
  return turns.flat().filter((address) => address !== undefined);
}
