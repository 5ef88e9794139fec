import type { Clock } from '#src/core/base/clock.ts';

/** Which clock is wrong: none, that of this node, or that of the database. */
export type WrongClock = 'none' | 'node' | 'database';

/** Comparison of the clock of a node with that of its database. */
export interface ClockComparison {
  /**
   * Compares the clocks at an answer of the database.
   *
   * @param aheadMs offset of this node against the database, in milliseconds; positive if it is ahead
   * @param othersAheadMs the same of other nodes that are alive
   */
  compare(aheadMs: number, othersAheadMs: readonly number[]): WrongClock;
}

/**
 * Creates a comparison. A node that agreed with the database, and whose own clock has not jumped since, knows that the database's
 * has. Otherwise the majority of nodes and database decides; in doubt, the node is wrong.
 *
 * @param maxOffsetMs offset up to which clocks agree
 */
export function createClockComparison(maxOffsetMs: number, clock: Clock): ClockComparison {
  /** The wall clock less the monotonic one when this node and the database last agreed. */
  let agreedMs: number | null = null;
  const agree = (oneMs: number, otherMs: number) => Math.abs(oneMs - otherMs) <= maxOffsetMs;
  return {
    compare(aheadMs, othersAheadMs) {
      const ownMs = clock.now() - clock.monotonicMs();
      if (agree(aheadMs, 0)) {
        agreedMs = ownMs;
        return 'none';
      }
      if (agreedMs !== null) return agree(ownMs, agreedMs) ? 'database' : 'node';
      const withNode = othersAheadMs.filter((otherMs) => agree(otherMs, aheadMs)).length;
      const withDatabase = othersAheadMs.filter((otherMs) => agree(otherMs, 0)).length;
      return withNode > withDatabase ? 'database' : 'node';
    },
  };
}
