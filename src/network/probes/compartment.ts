import type { Clock } from '#src/core/base/clock.ts';
import { type Cache, createCache } from '#src/network/egress/budget/cache.ts';
import { createEgressCompartment, type EgressBounds, type EgressCompartment } from '#src/network/egress/compartment.ts';
import { type HostFinds, ofEachHostProbe } from './observations.ts';
import type { ProbeLog } from './probe-log.ts';
import { createRegistryCourtesy, type RegistryCourtesy } from './registry-courtesy.ts';

/** What the probes of one compartment's checks share, and those of another neither see nor wait for. */
export interface ProbeCompartment extends EgressCompartment {
  /** Answers that hold for a day, by what they hold for. */
  readonly kept: { readonly [Name in keyof HostFinds]: Cache<HostFinds[Name]> };
  readonly courtesy: RegistryCourtesy;
  readonly log: ProbeLog;
}

const KEPT_ANSWERS = 1024;

/** A compartment that nobody has used yet. */
export function createProbeCompartment(bounds: EgressBounds, clock: Clock, log: ProbeLog): ProbeCompartment {
  return {
    ...createEgressCompartment(bounds, clock),
    kept: ofEachHostProbe<ProbeCompartment['kept']>(() => createCache(KEPT_ANSWERS, clock)),
    courtesy: createRegistryCourtesy(clock),
    log,
  };
}
