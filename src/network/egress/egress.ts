import tls from 'node:tls';
import { type Traced, UNTRACED } from '#src/core/base/traced.ts';
import type { EgressCompartment } from './compartment.ts';
import { createConnect } from './connect/connection.ts';
import { openUplink } from './connect/uplink.ts';
import { createResolver, traceQuestions } from './dns/resolver.ts';
import { openDnsUpstream } from './dns/upstream.ts';
import { createDoor, type Door } from './egress-client.ts';
import type { EgressTools } from './egress-tools.ts';
import type { Endpoint } from './endpoint.ts';
import { createPolicy } from './policy/policy.ts';
import type { EgressSettings, NetworkMode } from './settings.ts';

/** The only way from this program to the network. */
export interface Egress extends AsyncDisposable {
  readonly network: NetworkMode;
  /**
   * A door for one check, which shares what it learns with the checks of its compartment alone. `traced` does each
   * question, connection, handshake and exchange.
   */
  open(compartment: EgressCompartment, traced?: Traced): Door;
  /** Whether look-ups or connections rest for lack of a network; it is tried again in the background. */
  isResting(): boolean;
  /** Refuses the service's own socket from now on; an unspecified address stands for every address of this machine. */
  denySelf(endpoint: Endpoint): void;
}

/** The authorities that everybody trusts, as PEM text: the ones built in, so that no environment can change a verdict. */
export const PUBLIC_AUTHORITIES: readonly string[] = tls.rootCertificates;

/**
 * Opens the door. Reads the resolver file and opens a socket only when first asked to, and never where the mode is
 * `none`.
 *
 * @param authorities certificates to trust beside the public ones, as PEM text.
 */
export function openEgress(settings: EgressSettings, authorities: readonly string[], tools: EgressTools): Egress {
  const policy = createPolicy(settings);
  const dns = openDnsUpstream(settings, tools);
  const uplink = openUplink(settings, dns.isAlive, tools);
  const trusted = [...PUBLIC_AUTHORITIES, ...authorities];
  return {
    network: settings.network,
    open(compartment, traced = UNTRACED) {
      const resolver = traceQuestions(createResolver(dns, compartment), traced);
      const { addresses } = compartment;
      const connect = createConnect({ settings, policy, resolver, uplink, addresses, clock: tools.clock, traced });
      return createDoor({ settings, policy, resolver, connect, authorities: trusted, traced });
    },
    isResting: () => dns.circuit.isOpen() || uplink.isResting(),
    denySelf: policy.denySelf,
    [Symbol.asyncDispose]() {
      uplink[Symbol.dispose]();
      dns[Symbol.dispose]();
      return Promise.resolve();
    },
  };
}
