import type { Clock } from '#src/core/base/clock.ts';
import { type Logger, stackFrames } from '#src/core/base/logger.ts';
import type { ProvenAuthorities } from '#src/network/certificate/path.ts';
import { type Cache, createCache } from '#src/network/egress/budget/cache.ts';
import { createEgressCompartment, type EgressBounds, type EgressCompartment } from '#src/network/egress/compartment.ts';
import { type HostFindings, mapHostProbes, type ProbeName } from './observations.ts';
import { createRegistryThrottle, type RegistryThrottle } from './registry-throttle.ts';

/** State that the probes of one compartment share, isolated from other compartments. */
export interface ProbeCompartment extends EgressCompartment {
  /** Findings that are cached for a day, one cache per host probe. */
  readonly hostCaches: { readonly [Name in keyof HostFindings]: Cache<HostFindings[Name]> };
  readonly registryThrottle: RegistryThrottle;
  readonly provenAuthorities: ProvenAuthorities;
  readonly log: ProbeLog;
}

const MAX_CACHED_ANSWERS = 1024;
/** Public sites use some hundred; each takes about 6 KiB. */
const MAX_AUTHORITIES = 256;

/** Creates an empty compartment. */
export function createProbeCompartment(bounds: EgressBounds, clock: Clock, log: ProbeLog): ProbeCompartment {
  return {
    ...createEgressCompartment(bounds, clock),
    hostCaches: mapHostProbes<ProbeCompartment['hostCaches']>(() => createCache(MAX_CACHED_ANSWERS, clock)),
    registryThrottle: createRegistryThrottle(clock),
    provenAuthorities: createCache(MAX_AUTHORITIES, clock),
    log,
  };
}

/** The log of probes. */
export interface ProbeLog {
  /** Logs a bug of this program. */
  fault(probe: ProbeName, error: unknown): void;
}

/** Creates a log with complete errors. */
export function createPublicProbeLog(logger: Logger): ProbeLog {
  return { fault: (probe, error) => logger.error('probe.fault', { probe, fault: error }) };
}

/** Creates a log for private checks. It logs stack frames only, because a message may name the target. */
export function createPrivateProbeLog(logger: Logger): ProbeLog {
  const place = (error: unknown) =>
    error instanceof Error ? { name: error.name, frames: stackFrames(error) } : typeof error;
  return { fault: (probe, error) => logger.error('probe.fault', { probe, fault: place(error) }) };
}
