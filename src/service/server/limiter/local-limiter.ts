import {
  type Asker,
  answerFrom,
  type Counted,
  type LimiterAnswer,
  type LimitOf,
  type ManyAnswer,
  nearerRoom,
  type RateLimiter,
  type Room,
  WINDOW_MS,
} from './rate-limit.ts';
import { createSlidingWindow, type SlidingWindow } from './sliding-window.ts';

/** Width of a count: a place comes free at most this much later than it could. */
const SLOT_MS = 100;

/** A ceiling on the requests of all clients together. */
interface RequestCeiling {
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

/** A limiter in the memory of this process; synchronous. */
export interface LocalLimiter extends RateLimiter {
  admit(asker: Asker, nowMs: number): LimiterAnswer;
  admitMany(asker: Asker, nowMs: number, count: number): ManyAnswer;
  /**
   * Answers like {@link admitMany}, but takes places at the ceiling alone: whether the requests are admitted is decided
   * elsewhere. For each that is not refused here, {@link confirm} or {@link giveBack} follows.
   */
  reserve(asker: Asker, nowMs: number, count?: number): Reserved;
  /** Takes the places of a request reserved at that time; returns false if they are no longer free. */
  confirm(asker: Asker, reservedAtMs: number): boolean;
  /** Releases the slot of the ceiling that was reserved at that time. */
  giveBack(reservedAtMs: number): void;
  /** Number of tracked clients, at most twice `keys`; networks are never more. */
  readonly size: number;
}

/** Places that are held for requests, and the answer to the last of them, or to the first for which there was none. */
export type Reserved = ManyAnswer;

interface OwnRoom extends Room {
  readonly window: SlidingWindow;
  readonly place: number;
}

/**
 * Exact sliding windows: never more than the limit is admitted in any 60 s. The latest `keys` clients and networks are
 * exact during any flood.
 *
 * @param options.total the ceiling for all clients together in a window; 0 for none
 */
export function createRateLimiter(options: { readonly keys: number; readonly total: number }): LocalLimiter {
  const ceilingOf = (total: number) => (total > 0 ? createRequestCeiling(total, WINDOW_MS) : null);
  let ceiling = ceilingOf(options.total);
  const windows: Record<LimitOf, SlidingWindow> = {
    client: createSlidingWindow(WINDOW_MS, options.keys),
    network: createSlidingWindow(WINDOW_MS, options.keys),
  };
  let latestMs = 0;

  function roomOf(of: LimitOf, counted: Counted | null): OwnRoom | null {
    if (!counted || counted.limit === 0) return null;
    const window = windows[of];
    const place = window.find(counted.key, latestMs);
    const remaining = Math.max(0, counted.limit - window.taken(place));
    return { of, limit: counted.limit, remaining, freeInMs: window.freeInMs(place, latestMs), window, place };
  }

  /** Takes a place at the ceiling, where neither it nor a limit refuses. */
  function enter(nearest: Room | null): LimiterAnswer {
    const answer = answerFrom(nearest);
    if (answer.refusedBy) return answer;
    const waitMs = ceiling?.waitMs(latestMs) ?? 0;
    if (waitMs > 0) {
      return { refusedBy: 'ceiling', nearest, remaining: nearest?.remaining ?? answer.remaining, freeInMs: waitMs };
    }
    ceiling?.count(latestMs);
    return answer;
  }

  function admit(asker: Asker, nowMs: number): LimiterAnswer {
    latestMs = Math.max(latestMs, nowMs);
    const client = roomOf('client', asker);
    const network = roomOf('network', asker.network);
    const answer = enter(nearerRoom(client, network));
    if (answer.refusedBy) return answer;
    client?.window.take(client.place, latestMs);
    network?.window.take(network.place, latestMs);
    return answer;
  }

  return {
    setTotal(total) {
      ceiling = ceilingOf(total);
    },
    get size() {
      return windows.client.size;
    },
    admit,
    admitMany: (asker, nowMs, count) => untilRefused(count, () => admit(asker, nowMs)),
    reserve(asker, nowMs, count = 1) {
      latestMs = Math.max(latestMs, nowMs);
      const nearest = nearerRoom(roomOf('client', asker), roomOf('network', asker.network));
      return untilRefused(count, (held) => enter(nearest && lessBy(nearest, held)));
    },
    confirm(asker, reservedAtMs) {
      const rooms = [roomOf('client', asker), roomOf('network', asker.network)];
      const isFree = rooms.every((room) => room?.remaining !== 0);
      if (isFree) for (const room of rooms) room?.window.take(room.place, reservedAtMs);
      return isFree;
    },
    giveBack(reservedAtMs) {
      ceiling?.uncount(reservedAtMs);
    },
  };
}

/** Requests slots one by one, up to `count`, until one is refused. */
function untilRefused(count: number, ask: (admitted: number) => LimiterAnswer): ManyAnswer {
  for (let places = 0; ; places++) {
    const answer = ask(places);
    if (answer.refusedBy) return { places, answer };
    if (places + 1 >= count) return { places: places + 1, answer };
  }
}

/** Returns a room with `held` more places taken; the first of those comes free a window later. */
function lessBy({ of, limit, remaining, freeInMs }: Room, held: number): Room {
  const freeIn = held > 0 ? Math.min(freeInMs, WINDOW_MS) : freeInMs;
  return { of, limit, remaining: Math.max(0, remaining - held), freeInMs: freeIn };
}
