import type { Clock } from '#src/core/base/clock.ts';
import { type Cache, createCache } from '#src/network/egress/budget/cache.ts';
import { createEgressCompartment, type EgressBounds, type EgressCompartment } from '#src/network/egress/compartment.ts';
import { type HostFindings, mapHostProbes } from './observations.ts';
import type { ProbeLog } from './probe-log.ts';
import { createRegistryThrottle, type RegistryThrottle } from './registry-throttle.ts';

/** State that the probes of one compartment share, isolated from other compartments. */
export interface ProbeCompartment extends EgressCompartment {
  /** Findings that are cached for a day, one cache per host probe. */
  readonly hostCaches: { readonly [Name in keyof HostFindings]: Cache<HostFindings[Name]> };
  readonly registryThrottle: RegistryThrottle;
  readonly log: ProbeLog;
}

const MAX_CACHED_ANSWERS = 1024;

/** Creates an empty compartment. */
export function createProbeCompartment(bounds: EgressBounds, clock: Clock, log: ProbeLog): ProbeCompartment {
  return {
    ...createEgressCompartment(bounds, clock),
    hostCaches: mapHostProbes<ProbeCompartment['hostCaches']>(() => createCache(MAX_CACHED_ANSWERS, clock)),
    registryThrottle: createRegistryThrottle(clock),
    log,
  };
}
