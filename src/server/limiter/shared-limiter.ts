import type { Clock } from '#src/base/clock.ts';
import { createKnownRefusals } from './known-refusals.ts';
import type { LocalLimiter } from './local-limiter.ts';
import {
  type Asker,
  answerFrom,
  type Counted,
  type LimiterAnswer,
  type LimitOf,
  nearerRoom,
  type RateLimiter,
} from './rate-limit.ts';

/** Windows that several nodes take places in. */
export interface SharedWindows {
  /** Whether nobody can be asked for now. */
  readonly isAway: boolean;
  /** Takes a place in each window, or in none; null where nobody answered in time. */
  take(wanted: readonly WantedPlace[]): Promise<TakenPlaces | null>;
}

/** A place that is asked for. */
export interface WantedPlace {
  /** The same on all nodes for whoever is counted together. */
  readonly name: string;
  /** Places that the window has. */
  readonly limit: number;
}

/** What was said to those who asked. */
export interface TakenPlaces {
  readonly isAdmitted: boolean;
  /** By window, how it was before. */
  readonly windows: readonly {
    readonly taken: number;
    /** Until the first place that is taken comes free. */
    readonly freeInMs: number;
  }[];
}

/** What a shared limiter is made of. */
export interface SharedLimiterParts {
  readonly windows: SharedWindows;
  /** Decides where nobody can be asked, and holds the ceiling of this process. */
  readonly local: LocalLimiter;
  /** What a client or a network is called in the shared windows. */
  readonly nameOf: (of: LimitOf, key: string) => string;
  /** Clients of which a refusal is remembered, and as many networks. */
  readonly keys: number;
  readonly clock: Clock;
}

/**
 * Exact over all nodes that share the windows, by one question a request. What was admitted through this node is counted
 * here too: a client that has had its limit here is refused without a question, and where the windows are away, this node
 * goes on from what it knows. So whatever happens to them, never does one node admit more than the limit in any 60 s.
 *
 * The ceiling is that of the process; who meets it is not asked about, whatever its own limit says.
 */
export function createSharedLimiter({ windows, local, nameOf, keys, clock }: SharedLimiterParts): RateLimiter {
  const refusals = createKnownRefusals(keys);

  async function decide(asker: Asker, limits: readonly OwnLimit[], reservedAtMs: number): Promise<LimiterAnswer> {
    const wanted = limits.map(({ of, counted: { key, limit } }) => ({ name: nameOf(of, key), limit }));
    const said = await windows.take(wanted);
    const isAdmitted = said?.isAdmitted === true && local.confirm(asker, reservedAtMs);
    if (!isAdmitted) local.giveBack(reservedAtMs);
    // Windows that have forgotten admit more than this node may.
    if (said === null || isAdmitted !== said.isAdmitted) return local.admit(asker, clock.monotonicMs());
    const rooms = limits.map(({ of, counted: { limit } }, at) => {
      const { taken = 0, freeInMs = 0 } = said.windows[at] ?? {};
      return {
        of,
        limit,
        remaining: Math.max(0, limit - taken),
        freeInMs: taken > 0 ? freeInMs : Number.POSITIVE_INFINITY,
      };
    });
    const answer = answerFrom(nearerRoom(rooms[0] ?? null, rooms[1] ?? null));
    const full = limits.find(({ of }) => of === answer.refusedBy);
    // From when it was asked: nobody is refused for longer than the windows would.
    if (full) refusals.note(full.of, full.counted, reservedAtMs + answer.freeInMs);
    return answer;
  }

  return {
    setTotal: (total) => local.setTotal(total),
    admit(asker, nowMs) {
      const known = refusals.find(asker, nowMs);
      if (known) return known;
      if (windows.isAway) return local.admit(asker, nowMs);
      const limits = limitsOf(asker);
      const own = local.reserve(asker, nowMs);
      return own.refusedBy || limits.length === 0 ? own : decide(asker, limits, nowMs);
    },
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
