import type { Failure } from '#src/base/failure.ts';
import type { Logger } from '#src/base/logger.ts';
import { stackFrames } from '#src/base/stack-frames.ts';
import type { ProbeName } from './observations.ts';

/** What the operator is told of probes that did not come to their end. */
export interface ProbeLog {
  /** A fault of this program. */
  fault(probe: ProbeName, error: unknown): void;
  /** The world failed a probe, or stopped a visit on its way. Such is the life of a check: at level `debug`. */
  failed(probe: ProbeName, failure: Failure): void;
}

/** A log that quotes everything. */
export function createPublicProbeLog(logger: Logger): ProbeLog {
  return {
    fault: (probe, error) => logger.error('probe.fault', { probe, fault: error }),
    failed: (probe, { code, detail }) => logger.debug('probe.failed', { probe, code, detail }),
  };
}

/**
 * A log for private checks: of a fault only where it lies, and of a failure only its code, since message and detail may
 * name what was checked.
 */
export function createPrivateProbeLog(logger: Logger): ProbeLog {
  const place = (error: unknown) =>
    error instanceof Error ? { name: error.name, frames: stackFrames(error) } : typeof error;
  return {
    fault: (probe, error) => logger.error('probe.fault', { probe, fault: place(error) }),
    failed: (probe, { code }) => logger.debug('probe.failed', { probe, code }),
  };
}
