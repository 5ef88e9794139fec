import { type Admission, type AdmissionBounds, createAdmission } from '#src/checks/check/admission.ts';
import type { ObservedCheck } from '#src/checks/check/check.ts';
import type { CheckSettings } from '#src/checks/check/settings.ts';
import type { Clock } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { loadRegistryServers } from '#src/core/knowledge/registries/registry-servers.ts';
import type { ServerTable } from '#src/core/knowledge/registries/server-table.ts';
import { createTrustAnchors } from '#src/network/certificate/path.ts';
import type { EgressBounds } from '#src/network/egress/compartment.ts';
import { openEgress, PUBLIC_AUTHORITIES } from '#src/network/egress/egress.ts';
import type { Endpoint } from '#src/network/egress/endpoint.ts';
import type { EgressSettings } from '#src/network/egress/settings.ts';
import type { LocalLists } from '#src/network/lists/local-lists.ts';
import {
  createPrivateProbeLog,
  createProbeCompartment,
  createPublicProbeLog,
  type ProbeCompartment,
  type ProbeLog,
} from '#src/network/probes/compartment.ts';
import type { Observations } from '#src/network/probes/observations.ts';
import type { PageContext } from '#src/network/probes/page.ts';
import { createProbeRunner, type ProbeHooks } from '#src/network/probes/run.ts';
import type { ProbeSettings } from '#src/network/probes/settings.ts';
import { createRegistryDirectory } from '#src/network/registry/directory.ts';
import type { RegistrySettings } from '#src/network/registry/settings.ts';

/** Settings of the network. */
export type NetworkSettings = EgressSettings & RegistrySettings & ProbeSettings & CheckSettings;

/** Observes targets over the network, each on behalf of one compartment. */
export interface Network extends AsyncDisposable {
  /** The parts that public checks share and those of private checks, which have nothing in common. */
  readonly compartments: Readonly<Record<Visibility, Compartment>>;
  readonly observe: ObserveFor;
  /** For the host alone, to which no request is sent. */
  readonly observeHost: ObserveFor;
  /** For a target whose page is provided. */
  readonly observeWithoutPage: ObserveFor;
  /** Keeps checks from reaching an address from now on. */
  denySelf(endpoint: Endpoint): void;
}

/**
 * Observes a target for a check of one compartment, when its turn comes; equal concurrent observations of a compartment
 * are shared.
 */
export type ObserveFor = (
  check: Pick<ObservedCheck, 'target' | 'client'>,
  compartment: Compartment,
  watch?: ProbeHooks,
) => Promise<Observations>;

/** Dependencies of the network besides the settings. */
export interface NetworkParts {
  readonly lists: LocalLists;
  /** The operator's certificate authorities, as PEM text. */
  readonly authorities: readonly string[];
  /** The service's own sockets, which no check may reach. */
  readonly self: readonly Endpoint[];
  readonly readPage: PageContext['readPage'];
  /** Returns the tables of registry servers of the packs that are active now. */
  readonly serverTables: () => readonly ServerTable[];
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Opens the egress client and makes the probes ready; not a packet is sent before a check asks for one. */
export function openNetwork(
  config: NetworkSettings,
  { lists, authorities, self, readPage, serverTables, clock, logger }: NetworkParts,
): Network {
  const egress = openEgress(config, authorities, { clock, logger });
  for (const endpoint of self) egress.denySelf(endpoint);
  const context = {
    clock,
    registries: createRegistryDirectory(loadRegistryServers(serverTables), config),
    anchors: createTrustAnchors(PUBLIC_AUTHORITIES, authorities),
    readPage,
    userAgent: config.user_agent,
  };
  const observer = (way: string, off: ProbeSettings['probe_off']): ObserveFor => {
    const run = createProbeRunner({ egress, context, lists, off, clock });
    return ({ target, client }, compartment, watch) =>
      compartment.admission.run({ key: `${way} ${target.requestUrl}`, client }, (leftMs) =>
        run(target, compartment, leftMs, watch),
      );
  };
  const hostByTls = observer('the host', [...config.probe_off, 'page']);
  const hostByName = observer('the host without TLS', [...config.probe_off, 'page', 'certificate']);
  const compartments = {
    public: createCompartment(config, clock, createPublicProbeLog(logger)),
    private: createCompartment(config, clock, createPrivateProbeLog(logger)),
  };
  return {
    compartments,
    observe: observer('all', config.probe_off),
    // A host without https receives no bytes: only its name is resolved.
    observeHost: (check, ...rest) => (check.target.scheme === 'https' ? hostByTls : hostByName)(check, ...rest),
    observeWithoutPage: observer('all but the page', [...config.probe_off, 'page']),
    denySelf: egress.denySelf,
    async [Symbol.asyncDispose]() {
      for (const { idleConnections } of Object.values(compartments)) idleConnections[Symbol.dispose]();
      await egress[Symbol.asyncDispose]();
    },
  };
}

/**
 * State shared by the checks of one visibility: queue, caches, requests in progress. Private and public checks have
 * separate compartments, so that neither affects the answers or delays of the other. They share only stateless network
 * parts: policy, resolvers, egress client with its circuit breakers, trusted roots, page threads.
 */
export interface Compartment extends ProbeCompartment {
  readonly admission: Admission<Observations>;
}

/** Creates an empty compartment. */
function createCompartment(bounds: AdmissionBounds & EgressBounds, clock: Clock, log: ProbeLog): Compartment {
  return { ...createProbeCompartment(bounds, clock, log), admission: createAdmission(bounds, clock) };
}
