import type { Logger } from '#src/core/base/logger.ts';
import { stackFrames } from '#src/core/base/stack-frames.ts';
import type { ProbeName } from './observations.ts';

/** What the operator is told while probes run. */
export interface ProbeLog {
  /** A fault of this program. */
  fault(probe: ProbeName, error: unknown): void;
}

/** A log that quotes everything. */
export function createPublicProbeLog(logger: Logger): ProbeLog {
  return { fault: (probe, error) => logger.error('probe.fault', { probe, fault: error }) };
}

/** A log for private checks: of a fault only where it lies, since its message may name what was checked. */
export function createPrivateProbeLog(logger: Logger): ProbeLog {
  const place = (error: unknown) =>
    error instanceof Error ? { name: error.name, frames: stackFrames(error) } : typeof error;
  return { fault: (probe, error) => logger.error('probe.fault', { probe, fault: place(error) }) };
}
