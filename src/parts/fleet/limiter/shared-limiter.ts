import type { Clock } from '#src/core/base/clock.ts';
import { createKnownRefusals } from '#src/service/server/limiter/known-refusals.ts';
import type { LocalLimiter, Reserved } from '#src/service/server/limiter/local-limiter.ts';
import {
  type Asker,
  answerFrom,
  type Counted,
  type LimitOf,
  type ManyAnswer,
  nearerRoom,
  type RateLimiter,
} from '#src/service/server/limiter/rate-limit.ts';

/** Sliding windows that several nodes share. */
export interface SharedWindows {
  /** True while no server is available. */
  readonly isUnavailable: boolean;
  /** Takes at most `places` places in each window; null if no server answered in time. */
  take(wanted: readonly WantedPlace[], places?: number): Promise<TakenPlaces | null>;
}

/** A requested slot. */
export interface WantedPlace {
  /** Name of the window, the same on all nodes. */
  readonly name: string;
  /** Places that the window has. */
  readonly limit: number;
}

/** Result of a request for slots. */
export interface TakenPlaces {
  /** Places that were taken in each window. */
  readonly places: number;
  readonly isAdmitted: boolean;
  /** State of each window before the call. */
  readonly windows: readonly {
    readonly taken: number;
    /** Until the first place that is taken comes free; a whole window where none was. */
    readonly freeInMs: number;
  }[];
}

/** Dependencies of a shared limiter. */
export interface SharedLimiterParts {
  readonly windows: SharedWindows;
  /** Decides if no server answers, and holds the ceiling of this process. */
  readonly local: LocalLimiter;
  /** Returns the name of a client or network in the shared windows. */
  readonly nameOf: (of: LimitOf, key: string) => string;
  /** Maximum number of clients, and of networks, with a cached refusal. */
  readonly keys: number;
  readonly clock: Clock;
}

/**
 * Creates a limiter that is exact over all nodes with shared windows, by one query per request. Requests admitted by
 * this node are also counted here: a client at its limit is refused without a query, and while the windows are
 * unavailable this node continues with its own counts. No node ever admits more than the limit in any 60 s.
 *
 * The ceiling is per process; a request refused by it causes no query.
 */
export function createSharedLimiter({ windows, local, nameOf, keys, clock }: SharedLimiterParts): RateLimiter {
  const refusals = createKnownRefusals(keys);

  async function decide(
    asker: Asker,
    limits: readonly OwnLimit[],
    own: Reserved,
    { count, reservedAtMs }: { readonly count: number; readonly reservedAtMs: number },
  ): Promise<ManyAnswer> {
    const wanted = limits.map(({ of, counted: { key, limit } }) => ({ name: nameOf(of, key), limit }));
    const said = await windows.take(wanted, own.places);
    const admitted = said?.places ?? 0;
    let confirmed = 0;
    while (confirmed < admitted && local.confirm(asker, reservedAtMs)) confirmed++;
    for (let left = own.places - confirmed; left > 0; left--) local.giveBack(reservedAtMs);
    // Windows that have forgotten admit more than this node may.
    if (said === null || confirmed < admitted) {
      const more = local.admitMany(asker, clock.monotonicMs(), count - confirmed);
      return { places: confirmed + more.places, answer: more.answer };
    }
    // The windows had enough, and this node refuses the next.
    if (admitted === own.places && admitted < count) return { places: admitted, answer: own.answer };
    const rooms = limits.map(({ of, counted: { limit } }, at) => {
      const { taken = 0, freeInMs = 0 } = said.windows[at] ?? {};
      const before = taken + Math.min(admitted, count - 1);
      return { of, limit, remaining: Math.max(0, limit - before), freeInMs };
    });
    const answer = answerFrom(nearerRoom(rooms[0] ?? null, rooms[1] ?? null));
    const full = limits.find(({ of }) => of === answer.refusedBy);
    // Counted from the query, so that no client is refused for longer than by the windows.
    if (full) refusals.note(full.of, full.counted, reservedAtMs + answer.freeInMs);
    return { places: admitted, answer };
  }

  function admitMany(asker: Asker, nowMs: number, count: number): ManyAnswer | Promise<ManyAnswer> {
    const known = refusals.find(asker, nowMs);
    if (known) return { places: 0, answer: known };
    if (windows.isUnavailable) return local.admitMany(asker, nowMs, count);
    const limits = limitsOf(asker);
    const own = local.reserve(asker, nowMs, count);
    if (own.places === 0 || limits.length === 0) return own;
    return decide(asker, limits, own, { count, reservedAtMs: nowMs });
  }

  return {
    setTotal: (total) => local.setTotal(total),
    admit(asker, nowMs) {
      const one = admitMany(asker, nowMs, 1);
      return one instanceof Promise ? one.then(({ answer }) => answer) : one.answer;
    },
    admitMany,
  };
}

interface OwnLimit {
  readonly of: LimitOf;
  readonly counted: Counted;
}

function limitsOf(asker: Asker): readonly OwnLimit[] {
  const both: readonly { readonly of: LimitOf; readonly counted: Counted | null }[] = [
    { of: 'client', counted: asker },
    { of: 'network', counted: asker.network },
  ];
  return both.flatMap(({ of, counted }) => (counted && counted.limit > 0 ? { of, counted } : []));
}
