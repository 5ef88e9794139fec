import { createVisits } from './visits.ts';

/** Places of many keys in a window of time that slides on: never are more of a key's in it than were taken in any such span. */
export interface SlidingWindow {
  /** Keys that are remembered, at most twice as many as asked for. */
  readonly size: number;
  /** Returns the position of a key's places, valid until the next call. `nowMs` never decreases. */
  find(key: string, nowMs: number): number;
  /** Places that are taken. */
  taken(place: number): number;
  /** Milliseconds until the first of them comes free; Infinity where none is taken. */
  freeInMs(place: number, nowMs: number): number;
  /** A place that is taken after one of a later time stays taken until that one comes free. */
  take(place: number, atMs: number): void;
}

/**
 * Memory is bounded by two generations of keys. A new key joins the young generation; that becomes the old one, and the
 * old one is dropped, when it has `keys` of them or is a window old. So the latest `keys` are always exact, and without
 * a flood of keys all are.
 */
export function createSlidingWindow(windowMs: number, keys: number): SlidingWindow {
  let young = createVisits();
  let old = createVisits();
  let openedAtMs = 0;

  function startGeneration(nowMs: number): void {
    old = young;
    young = createVisits();
    openedAtMs = nowMs;
  }

  function placeOf(key: string, nowMs: number): number {
    if (nowMs - openedAtMs >= windowMs) startGeneration(nowMs);
    const known = young.find(key);
    if (known !== undefined) return known;
    if (young.size >= keys) startGeneration(nowMs);
    const place = young.add(key);
    const before = old.find(key);
    if (before === undefined) return place;
    while (old.count(before) > 0) {
      young.push(place, old.oldest(before));
      old.dropOldest(before);
    }
    return place;
  }

  return {
    get size() {
      return young.size + old.size;
    },
    find(key, nowMs) {
      const place = placeOf(key, nowMs);
      while (young.oldest(place) <= nowMs - windowMs) young.dropOldest(place);
      return place;
    },
    taken: (place) => young.count(place),
    freeInMs: (place, nowMs) => young.oldest(place) + windowMs - nowMs,
    take: (place, atMs) => young.push(place, atMs),
  };
}
