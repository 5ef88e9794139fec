/** Width of a count: a place comes free at most this much later than it could. */
const SLOT_MS = 100;

/** A ceiling on the requests of all clients together. */
export interface RequestCeiling {
  /** Returns milliseconds until there is room; 0 if there is room now. `nowMs` never decreases. */
  waitMs(nowMs: number): number;
  /** Counts one request. */
  count(nowMs: number): void;
  /** Removes a request that was counted at that time. */
  uncount(atMs: number): void;
}

/**
 * Never are more than `limit` requests counted in any window of `windowMs`: they are kept as counts of 0.1 s, so that
 * the ceiling costs the same however high it is, and a count leaves when all of it is older than the window.
 */
export function createRequestCeiling(limit: number, windowMs: number): RequestCeiling {
  const counts = new Uint32Array(Math.ceil(windowMs / SLOT_MS) + 1);
  const index = (slot: number) => slot % counts.length;
  let current = 0;
  let total = 0;

  function moveTo(nowMs: number): void {
    const slot = Math.floor(nowMs / SLOT_MS);
    if (slot - current >= counts.length) {
      counts.fill(0);
      total = 0;
      current = slot;
    }
    while (current < slot) {
      current++;
      total -= counts[index(current)] ?? 0;
      counts[index(current)] = 0;
    }
  }

  return {
    waitMs(nowMs) {
      moveTo(nowMs);
      if (total < limit) return 0;
      let oldest = current - counts.length + 1;
      while (oldest < current && !counts[index(oldest + counts.length)]) oldest++;
      return (oldest + counts.length) * SLOT_MS - nowMs;
    },
    count(nowMs) {
      moveTo(nowMs);
      counts[index(current)] = (counts[index(current)] ?? 0) + 1;
      total++;
    },
    uncount(atMs) {
      const slot = Math.floor(atMs / SLOT_MS);
      // What is older than the window is counted no more.
      if (current - slot >= counts.length || !counts[index(slot)]) return;
      counts[index(slot)] = (counts[index(slot)] ?? 0) - 1;
      total--;
    },
  };
}
