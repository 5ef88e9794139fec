import tls, { type SecureContext } from 'node:tls';
import { type Traced, UNTRACED } from '#src/core/base/traced.ts';
import { readAuthorities } from './authorities.ts';
import { createKeyedSemaphore, type KeyedSemaphore } from './budget/semaphore.ts';
import type { EgressCompartment } from './compartment.ts';
import { createConnect } from './connect/connection.ts';
import { createTrust } from './connect/tls-handshake.ts';
import { openUplink } from './connect/uplink.ts';
import { createResolver, traceQueries } from './dns/resolver.ts';
import { openDnsUpstream } from './dns/upstream.ts';
import { createEgressClient, type EgressClient } from './egress-client.ts';
import type { Endpoint } from './endpoint.ts';
import { createPolicy } from './policy/policy.ts';
import type { EgressSettings, EgressTools, NetworkMode } from './settings.ts';

/** The only network access of the program. */
export interface Egress extends AsyncDisposable {
  readonly network: NetworkMode;
  /**
   * An egress client for one check, which shares what it learns with the checks of its compartment alone. `traced` does
   * each question, connection, handshake and exchange.
   */
  open(compartment: EgressCompartment, traced?: Traced): EgressClient;
  /** Returns whether the DNS or the connection circuit is open. Both are retried in the background. */
  isCircuitOpen(): boolean;
  /** Denies the service's own socket from now on. An unspecified address stands for every address of this host. */
  denySelf(endpoint: Endpoint): void;
}

/** Built-in certificate authorities, as PEM text, so that no environment can change a verdict. */
export const PUBLIC_AUTHORITIES: readonly string[] = tls.rootCertificates;

/**
 * Connections of one visit of a browser to a site at an address, open and waiting. A browser opens six per host and keeps
 * them open, so that the fewer of other probes would leave the hosts of one site waiting for each other.
 */
const BROWSER_CONNECTIONS = 24;

/**
 * Opens the egress client. Reads the resolver file and opens a socket only when first asked to, and never if the
 * mode is `none`.
 *
 * @param authorities certificates to trust in addition to the public ones, as PEM text.
 */
export function openEgress(settings: EgressSettings, authorities: readonly string[], tools: EgressTools): Egress {
  const policy = createPolicy(settings);
  const dns = openDnsUpstream(settings, tools);
  const uplink = openUplink(settings, dns.isAlive, tools);
  let parsed: SecureContext | null = null;
  const trust = () => (parsed ??= createTrust([...PUBLIC_AUTHORITIES, ...authorities]));
  return {
    network: settings.network,
    open(compartment, traced = UNTRACED) {
      const resolver = traceQueries(createResolver(dns, compartment), traced);
      const connectWithin = (addressSemaphores: KeyedSemaphore) =>
        createConnect({
          ...{ settings, policy, resolver, uplink, addressSemaphores, clock: tools.clock, traced },
          idleConnections: compartment.idleConnections,
        });
      const connect = connectWithin(compartment.addressSemaphores);
      const connectForBrowser = () => connectWithin(createKeyedSemaphore(BROWSER_CONNECTIONS, BROWSER_CONNECTIONS));
      return createEgressClient({
        ...{ settings, policy, resolver, connect, connectForBrowser, trust, traced },
      });
    },
    isCircuitOpen: () => dns.circuit.isOpen() || uplink.isCircuitOpen(),
    denySelf: policy.denySelf,
    [Symbol.asyncDispose]() {
      uplink[Symbol.dispose]();
      dns[Symbol.dispose]();
      return Promise.resolve();
    },
  };
}

/**
 * Reads the trusted authorities of another service of this kind: the operator's and the public ones. Throws
 * SettingsError.
 */
export async function readServiceAuthorities(config: Pick<EgressSettings, 'egress_ca'>): Promise<readonly string[]> {
  return [...PUBLIC_AUTHORITIES, ...(await readAuthorities(config))];
}
