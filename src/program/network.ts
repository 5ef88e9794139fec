import type { Clock } from '#src/base/clock.ts';
import type { Logger } from '#src/base/logger.ts';
import { createTrustAnchors } from '#src/certificate/trust-anchors.ts';
import type { CheckSettings } from '#src/check/settings.ts';
import { openEgress, PUBLIC_AUTHORITIES } from '#src/egress/egress.ts';
import type { Endpoint } from '#src/egress/endpoint.ts';
import type { EgressSettings } from '#src/egress/settings.ts';
import { loadRegistryServers } from '#src/knowledge/registry-servers.ts';
import type { LocalLists } from '#src/lists/local-lists.ts';
import type { PageContext } from '#src/probes/page.ts';
import { createRegistryCourtesy } from '#src/probes/registry-courtesy.ts';
import { createProbeRunner, type RunProbes } from '#src/probes/run.ts';
import type { ProbeSettings } from '#src/probes/settings.ts';
import { createRegistryDirectory } from '#src/registry/directory.ts';
import type { RegistrySettings } from '#src/registry/settings.ts';

/** The settings that the network goes by. */
export type NetworkSettings = EgressSettings &
  RegistrySettings &
  ProbeSettings &
  Pick<CheckSettings, 'deadline_seconds'>;

/** The ways to look at a target over the network. */
export interface Network extends AsyncDisposable {
  readonly observe: RunProbes;
  /** For a target whose page is at hand already. */
  readonly observeWithoutPage: RunProbes;
}

/** What the network is opened with, beside the settings. */
export interface NetworkParts {
  readonly lists: LocalLists;
  /** The operator's certificate authorities, as PEM text. */
  readonly authorities: readonly string[];
  /** The service's own sockets, which no check may reach. */
  readonly self: readonly Endpoint[];
  readonly readPage: PageContext['readPage'];
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Opens the door and makes the probes ready; not a packet is sent before a check asks for one. */
export function openNetwork(
  config: NetworkSettings,
  { lists, authorities, self, readPage, clock, logger }: NetworkParts,
): Network {
  const egress = openEgress(config, authorities, { clock, logger });
  for (const endpoint of self) egress.denySelf(endpoint);
  const context = {
    clock,
    registries: createRegistryDirectory(loadRegistryServers(), config),
    courtesy: createRegistryCourtesy(clock),
    anchors: createTrustAnchors(PUBLIC_AUTHORITIES, authorities),
    readPage,
  };
  const deadlineMs = config.deadline_seconds * 1000;
  const runner = (off: ProbeSettings['probe_off']) =>
    createProbeRunner({ egress, context, lists, off, deadlineMs, clock, logger });
  return {
    observe: runner(config.probe_off),
    observeWithoutPage: runner([...config.probe_off, 'page']),
    [Symbol.asyncDispose]: () => egress[Symbol.asyncDispose](),
  };
}
