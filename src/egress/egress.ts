import tls from 'node:tls';
import type { Clock } from '#src/base/clock.ts';
import type { Logger } from '#src/base/logger.ts';
import { createConnector } from './connection.ts';
import type { DnsAnswer, DnsType } from './dns-answer.ts';
import { createDoor } from './door.ts';
import type { Endpoint } from './endpoint.ts';
import type { Hop, HopRequest } from './http-hop.ts';
import { createPolicy } from './policy.ts';
import { createResolver } from './resolver.ts';
import type { EgressSettings, NetworkMode } from './settings.ts';
import type { TlsPeer } from './tls-peer.ts';

/** Whether anybody may learn that a look-up happened. Caches are kept apart by it, so that hits cannot be timed. */
export type Visibility = 'public' | 'private';

/** A text protocol of one request and one answer, such as WHOIS (RFC 3912). */
export interface Exchange {
  readonly host: string;
  /** 43, or one of the ports that the policy allows. */
  readonly port: number;
  readonly request: Uint8Array;
  readonly maxBytes: number;
  /** For resolving, connecting and reading together. */
  readonly timeoutMs: number;
}

/**
 * One check's way to the network; it carries the check's byte budget. Every method judges before it connects, ends by
 * `signal`, leaves no socket open, and throws a `FailureError` where the world fails: `egress_denied` where the policy
 * refuses (its detail begins with the reason and a colon), the `dns_…` codes where the name does not resolve.
 */
export interface Door {
  /**
   * Asks the resolver one question. Every response code is an answer; silence and nonsense are failures. A name with an
   * A or AAAA record that the policy refuses is `egress_denied` as a whole, `egress_denied_mixed` where others are public. At most 64 records.
   */
  lookup<T extends DnsType>(name: string, type: T, signal: AbortSignal): Promise<DnsAnswer<T>>;
  /** Writes a request and reads to the end; `truncated` where there was more than `maxBytes`, or it ended by a time-out. */
  exchange(
    exchange: Exchange,
    signal: AbortSignal,
  ): Promise<{ readonly address: string; readonly bytes: Uint8Array; readonly truncated: boolean }>;
  /** One HTTP request and its answer; redirects are the caller's. */
  fetchHop(request: HopRequest, signal: AbortSignal): Promise<Hop>;
  /** A TLS handshake alone; the peer need not be trusted. `host` is also the server name (SNI). */
  handshake(
    peer: { readonly host: string; readonly port: number },
    signal: AbortSignal,
  ): Promise<{ readonly address: string; readonly tls: TlsPeer }>;
}

/** The only way from this program to the network. */
export interface Egress extends AsyncDisposable {
  readonly network: NetworkMode;
  /** A door for one check. */
  open(visibility: Visibility): Door;
  /** Whether look-ups or connections rest for lack of a network; it is tried again in the background. */
  isResting(): boolean;
  /** Refuses the service's own socket from now on; an unspecified address stands for every address of this machine. */
  denySelf(endpoint: Endpoint): void;
}

/** What {@link openEgress} needs from outside. */
export interface EgressTools {
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The authorities that everybody trusts, as PEM text: the ones built in, so that no environment can change a verdict. */
export const PUBLIC_AUTHORITIES: readonly string[] = tls.rootCertificates;

/** Opens the door. Reads the resolver file and opens a socket only when first asked to, and never where the mode is `none`. */
export function openEgress(settings: EgressSettings, tools: EgressTools): Egress {
  const policy = createPolicy(settings);
  const resolver = createResolver(settings, tools);
  const connector = createConnector(settings, policy, resolver, tools);
  const authorities = [...PUBLIC_AUTHORITIES, ...settings.egressCa];
  return {
    network: settings.network,
    open: (visibility) =>
      createDoor({ settings, policy, resolver, connect: connector.connect, authorities }, visibility),
    isResting: () => resolver.isResting() || connector.isResting(),
    denySelf: policy.denySelf,
    [Symbol.asyncDispose]() {
      connector[Symbol.dispose]();
      resolver[Symbol.dispose]();
      return Promise.resolve();
    },
  };
}
