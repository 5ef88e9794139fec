import { createRequestCeiling } from './request-ceiling.ts';
import { createVisits } from './visits.ts';

/** The span of the sliding window (the specified limits are per minute). */
export const WINDOW_MS = 60_000;

/** What the limiter says to one request. */
export interface LimiterAnswer {
  /** Null where the request is admitted; else whose limit stands in its way. */
  readonly refusedBy: 'client' | 'ceiling' | null;
  /** Requests that the client may still make now; Infinity where it has no limit. */
  readonly remaining: number;
  /** Milliseconds until the client's next place comes free, or, at the ceiling, anyone's; 0 where all are free. */
  readonly freeInMs: number;
}

/** Says who may go on. The seam behind which a shared limiter may stand one day. */
export interface RateLimiter {
  /**
   * Takes a place for a client, or refuses and counts nothing.
   *
   * @param limit admitted requests in a window; 0 for no limit of the client's own
   * @param nowMs monotonic time; where it runs backwards, time stands still
   */
  admit(key: string, limit: number, nowMs: number): LimiterAnswer;
  /** How many clients are remembered, at most twice the `keys` of the options. */
  readonly size: number;
}

/**
 * An exact sliding window: never are more than the limit admitted in any 60 s.
 *
 * Memory is bounded by two generations of clients. One that comes moves into the young generation; that becomes the
 * old one, and the old one is forgotten, when it holds `keys` clients or is a window old. So the newest `keys` clients
 * are always exact, and without a flood of addresses every client is.
 *
 * @param options.total the ceiling for all clients together in a window; 0 for none
 */
export function createRateLimiter(options: { readonly keys: number; readonly total: number }): RateLimiter {
  const ceiling = options.total > 0 ? createRequestCeiling(options.total, WINDOW_MS) : null;
  let young = createVisits();
  let old = createVisits();
  let openedAtMs = 0;
  let latestMs = 0;

  function startGeneration(nowMs: number): void {
    old = young;
    young = createVisits();
    openedAtMs = nowMs;
  }

  function placeOf(key: string, nowMs: number): number {
    if (nowMs - openedAtMs >= WINDOW_MS) startGeneration(nowMs);
    const known = young.find(key);
    if (known !== undefined) return known;
    if (young.size >= options.keys) startGeneration(nowMs);
    const place = young.add(key);
    const before = old.find(key);
    if (before === undefined) return place;
    while (old.count(before) > 0) {
      young.push(place, old.oldest(before));
      old.dropOldest(before);
    }
    return place;
  }

  function freeInMs(place: number): number {
    return young.oldest(place) + WINDOW_MS - latestMs;
  }

  return {
    get size() {
      return young.size + old.size;
    },
    admit(key, limit, nowMs) {
      latestMs = Math.max(latestMs, nowMs);
      const waitMs = ceiling?.waitMs(latestMs) ?? 0;
      if (limit === 0) {
        if (waitMs > 0) return { refusedBy: 'ceiling', remaining: Number.POSITIVE_INFINITY, freeInMs: waitMs };
        ceiling?.count(latestMs);
        return { refusedBy: null, remaining: Number.POSITIVE_INFINITY, freeInMs: 0 };
      }
      const place = placeOf(key, latestMs);
      while (young.oldest(place) <= latestMs - WINDOW_MS) young.dropOldest(place);
      const remaining = limit - young.count(place);
      if (remaining <= 0) return { refusedBy: 'client', remaining: 0, freeInMs: freeInMs(place) };
      if (waitMs > 0) return { refusedBy: 'ceiling', remaining, freeInMs: waitMs };
      ceiling?.count(latestMs);
      young.push(place, latestMs);
      return { refusedBy: null, remaining: remaining - 1, freeInMs: freeInMs(place) };
    },
  };
}
