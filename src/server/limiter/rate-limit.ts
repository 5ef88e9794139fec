import { createRequestCeiling } from './request-ceiling.ts';
import { createSlidingWindow, type SlidingWindow } from './sliding-window.ts';

/** The span of the sliding window (the specified limits are per minute). */
export const WINDOW_MS = 60_000;

/** Requests that are counted together. */
export interface Counted {
  readonly key: string;
  /** Admitted requests in a window; 0 for no limit. */
  readonly limit: number;
}

/** Who asks: a client, and the network that it is counted with; null where there is none. */
export interface Asker extends Counted {
  readonly network: Counted | null;
}

/** Whose limit it is. */
export type LimitOf = 'client' | 'network';

/** What the limiter says to one request. */
export interface LimiterAnswer {
  /** Null where the request is admitted; else whose limit stands in its way. */
  readonly refusedBy: LimitOf | 'ceiling' | null;
  /** Of the limits that hold for the client, the one that leaves it least; null where none does. */
  readonly nearest: { readonly of: LimitOf; readonly limit: number } | null;
  /** Requests that the client may still make now; Infinity where it has no limit. */
  readonly remaining: number;
  /** Milliseconds until the next place at the nearest limit comes free, or, at the ceiling, anyone's; 0 where all are free. */
  readonly freeInMs: number;
}

/** Says who may go on. The seam behind which a shared limiter may stand one day. */
export interface RateLimiter {
  /**
   * Takes a place of the client and one of its network, or refuses and takes neither: who is refused by one limit does not
   * come nearer to another.
   *
   * @param nowMs monotonic time; where it runs backwards, time stands still
   */
  admit(asker: Asker, nowMs: number): LimiterAnswer;
  /** Changes the ceiling for all clients together, which is then counted anew; 0 for none. */
  setTotal(total: number): void;
  /** How many clients are remembered, at most twice the `keys` of the options; of networks there are never more. */
  readonly size: number;
}

interface Room {
  readonly of: LimitOf;
  readonly limit: number;
  readonly remaining: number;
  readonly window: SlidingWindow;
  readonly place: number;
}

/**
 * Exact sliding windows: never are more than the limit admitted in any 60 s. The newest `keys` clients and networks are
 * exact whatever floods in.
 *
 * @param options.total the ceiling for all clients together in a window; 0 for none
 */
export function createRateLimiter(options: { readonly keys: number; readonly total: number }): RateLimiter {
  const ceilingOf = (total: number) => (total > 0 ? createRequestCeiling(total, WINDOW_MS) : null);
  let ceiling = ceilingOf(options.total);
  const windows: Record<LimitOf, SlidingWindow> = {
    client: createSlidingWindow(WINDOW_MS, options.keys),
    network: createSlidingWindow(WINDOW_MS, options.keys),
  };
  let latestMs = 0;

  function roomOf(of: LimitOf, counted: Counted | null): Room | null {
    if (!counted || counted.limit === 0) return null;
    const window = windows[of];
    const place = window.find(counted.key, latestMs);
    return { of, limit: counted.limit, remaining: Math.max(0, counted.limit - window.taken(place)), window, place };
  }

  const freeInMs = ({ window, place }: Room) => window.freeInMs(place, latestMs);

  /** Where both leave the same, it is the one that comes free later which holds the client up. */
  function nearer(one: Room | null, other: Room | null): Room | null {
    if (!one || !other) return one ?? other;
    if (one.remaining !== other.remaining) return one.remaining < other.remaining ? one : other;
    return freeInMs(other) > freeInMs(one) ? other : one;
  }

  return {
    setTotal(total) {
      ceiling = ceilingOf(total);
    },
    get size() {
      return windows.client.size;
    },
    admit(asker, nowMs) {
      latestMs = Math.max(latestMs, nowMs);
      const rooms = [roomOf('client', asker), roomOf('network', asker.network)] as const;
      const nearest = nearer(...rooms);
      const waitMs = ceiling?.waitMs(latestMs) ?? 0;
      const remaining = nearest?.remaining ?? Number.POSITIVE_INFINITY;
      if (nearest && remaining === 0) return { refusedBy: nearest.of, nearest, remaining, freeInMs: freeInMs(nearest) };
      if (waitMs > 0) return { refusedBy: 'ceiling', nearest, remaining, freeInMs: waitMs };
      ceiling?.count(latestMs);
      for (const room of rooms) room?.window.take(room.place, latestMs);
      return { refusedBy: null, nearest, remaining: remaining - 1, freeInMs: nearest ? freeInMs(nearest) : 0 };
    },
  };
}
