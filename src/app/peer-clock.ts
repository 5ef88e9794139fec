import { type Clock, HOUR_MS } from '#src/core/base/clock.ts';
import { notice } from '#src/core/base/text/condition.ts';
import { counted } from '#src/core/base/text/counted.ts';

/** Difference from which on the operator must know: caches and signatures of peers fail at a minute or five. */
const MAX_OFFSET_MS = 30_000;

/**
 * Creates a comparison of the clock of this host with what peers of one kind state.
 *
 * @param peer the peer in the sentence, such as `a web proxy`
 */
export function createPeerClock(peer: string, clock: Pick<Clock, 'now' | 'monotonicMs'>) {
  let latest = { aheadMs: 0, atMs: 0 };
  return {
    /** Takes a time that a peer stated now, in milliseconds since the Unix epoch; ignored if it is NaN. */
    observe(theirMs: number) {
      if (!Number.isNaN(theirMs)) latest = { aheadMs: clock.now() - theirMs, atMs: clock.monotonicMs() };
    },
    /** A notice while the latest time differs, for an hour at most; else empty. */
    notices() {
      const { aheadMs, atMs } = latest;
      if (Math.abs(aheadMs) <= MAX_OFFSET_MS || clock.monotonicMs() - atMs > HOUR_MS) return [];
      const seconds = Math.round(Math.abs(aheadMs) / 1000);
      const where = aheadMs < 0 ? 'behind' : 'ahead of';
      const text = `The clock of this host is ${counted(seconds, 'second')} ${where} that of ${peer}: synchronize both with NTP.`;
      return [notice('clock_differs', text, { seconds, peer })];
    },
  };
}
