import type { Reply } from './ask.ts';

/** A time in which the service was not there, in `performance.now()`. */
export interface Gap {
  readonly how: 'killed' | 'stopped';
  readonly fromMs: number;
  /** Infinity while it lasts. */
  untilMs: number;
}

/**
 * How long before an orderly stop a request must have been sent to be answered for certain: it has then left the queue of
 * the kernel.
 */
const ARRIVED_MS = 1000;

/** Whether a gap explains that a request went without an answer: one that was under way is cut off by a kill alone. */
export function explainsSilence({ how, fromMs, untilMs }: Gap, { sentMs, endedMs }: Reply): boolean {
  const isAbsent = sentMs <= untilMs && endedMs >= fromMs;
  return isAbsent && (how === 'killed' || sentMs > fromMs - ARRIVED_MS);
}
