const NONE = -1;

/** Times of the latest requests of many clients, each client's in order, in a few flat arrays. */
interface Visits {
  /** Number of stored clients. */
  readonly size: number;
  /** Returns the position of a client's times; undefined if it is not stored. */
  find(key: string): number | undefined;
  /** Starts to hold a client. */
  add(key: string): number;
  /** Returns the number of times at a position. */
  count(place: number): number;
  /** The oldest time at a place; Infinity where none is held. */
  oldest(place: number): number;
  /** Adds the latest time at a place, which of all stored ones will be the last to expire. */
  push(place: number, atMs: number): void;
  /** Forgets the oldest time at a place, if one is held. */
  dropOldest(place: number): void;
}

/**
 * Stores the times of clients. Each position is a ring linked through `next`, entered at its newest time, whose
 * successor is the oldest; forgotten entries go to the free list. The memory of a client therefore depends on its
 * recent requests, not on its limit.
 */
export function createVisits(): Visits {
  const places = new Map<string, number>();
  let newest = new Int32Array(64);
  let counts = new Int32Array(64);
  let times = new Float64Array(64);
  let next = new Int32Array(64);
  let used = 0;
  let free = NONE;

  const at = (entry: number) => times[entry] ?? 0;
  const after = (entry: number) => next[entry] ?? NONE;
  const last = (place: number) => newest[place] ?? NONE;

  function takeEntry(): number {
    if (free !== NONE) {
      const entry = free;
      free = after(entry);
      return entry;
    }
    if (used === times.length) {
      times = grown(times, new Float64Array(used * 2));
      next = grown(next, new Int32Array(used * 2));
    }
    return used++;
  }

  return {
    get size() {
      return places.size;
    },
    find: (key) => places.get(key),
    add(key) {
      const place = places.size;
      if (place === newest.length) {
        newest = grown(newest, new Int32Array(place * 2));
        counts = grown(counts, new Int32Array(place * 2));
      }
      newest[place] = NONE;
      counts[place] = 0;
      places.set(key, place);
      return place;
    },
    count: (place) => counts[place] ?? 0,
    oldest: (place) => (last(place) === NONE ? Number.POSITIVE_INFINITY : at(after(last(place)))),
    push(place, atMs) {
      const entry = takeEntry();
      const previous = last(place);
      times[entry] = atMs;
      next[entry] = previous === NONE ? entry : after(previous);
      if (previous !== NONE) next[previous] = entry;
      newest[place] = entry;
      counts[place] = (counts[place] ?? 0) + 1;
    },
    dropOldest(place) {
      const end = last(place);
      if (end === NONE) return;
      const oldest = after(end);
      if (oldest === end) newest[place] = NONE;
      else next[end] = after(oldest);
      next[oldest] = free;
      free = oldest;
      counts[place] = (counts[place] ?? 0) - 1;
    },
  };
}

function grown<T extends Int32Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

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
