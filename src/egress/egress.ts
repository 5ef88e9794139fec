import tls from 'node:tls';
import type { Visibility } from '#src/base/visibility.ts';
import { createConnector } from './connect/connection.ts';
import { createResolver } from './dns/resolver.ts';
import { createDoor, type Door } from './door.ts';
import type { EgressTools } from './egress-tools.ts';
import type { Endpoint } from './endpoint.ts';
import { createPolicy } from './policy/policy.ts';
import type { EgressSettings, NetworkMode } from './settings.ts';

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
  const resolver = createResolver(settings, tools);
  const connector = createConnector(settings, policy, resolver, tools);
  const trusted = [...PUBLIC_AUTHORITIES, ...authorities];
  return {
    network: settings.network,
    open: (visibility) =>
      createDoor({ settings, policy, resolver, connect: connector.connect, authorities: trusted }, visibility),
    isResting: () => resolver.isResting() || connector.isResting(),
    denySelf: policy.denySelf,
    [Symbol.asyncDispose]() {
      connector[Symbol.dispose]();
      resolver[Symbol.dispose]();
      return Promise.resolve();
    },
  };
}
