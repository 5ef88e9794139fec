import type { Logger } from '#src/core/base/logger.ts';
import { stackFrames } from '#src/core/base/stack-frames.ts';
import type { ProbeName } from './observations.ts';

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
