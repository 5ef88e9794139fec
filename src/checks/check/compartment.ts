import type { Clock } from '#src/core/base/clock.ts';
import type { EgressBounds } from '#src/network/egress/compartment.ts';
import { createProbeCompartment, type ProbeCompartment } from '#src/network/probes/compartment.ts';
import type { Observations } from '#src/network/probes/observations.ts';
import type { ProbeLog } from '#src/network/probes/probe-log.ts';
import { type Admission, type AdmissionBounds, createAdmission } from './admission.ts';

/**
 * Everything that checks of one kind share: who looks at the network, who waits, what was learnt. Private checks have
 * one and public checks have another, so that neither can tell from an answer or its delay what the other asked. What
 * both share is the network alone, which remembers no name and no address: the policy, the resolvers and the way out
 * with their circuits (“is there a network at all?”), the trusted roots, the threads that read pages.
 */
export interface Compartment extends ProbeCompartment {
  readonly admission: Admission<Observations>;
}

/** A compartment that nobody has used yet. */
export function createCompartment(bounds: AdmissionBounds & EgressBounds, clock: Clock, log: ProbeLog): Compartment {
  return { ...createProbeCompartment(bounds, clock, log), admission: createAdmission(bounds, clock) };
}
