import type { Problem } from '../http/problem.ts';

/** The limited requests, in words. */
export type Limited = 'checks' | 'pieces of feedback' | 'sign-ins' | 'requests with an ended session';

/** Names of the limits in headers. */
const POLICIES: Record<LimitOf, string> = { client: 'default', network: 'network' };

const seconds = (ms: number) => Math.ceil(ms / 1000);

/**
 * `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers) of the limit that is nearest; none for a client
 * without one.
 */
export function rateLimitHeaders({ nearest, remaining, freeInMs }: LimiterAnswer): Record<string, string> {
  if (!nearest) return {};
  const policy = POLICIES[nearest.of];
  return {
    'ratelimit-policy': `"${policy}";q=${nearest.limit};w=${seconds(WINDOW_MS)}`,
    ratelimit: `"${policy}";r=${remaining};t=${seconds(freeInMs)}`,
  };
}

/**
 * Returns the refusal of a request without a place. A client over its own or its network's limit gets 429; at the
 * ceiling of all clients it gets 503. `contact` names who can raise the limit; null if none is configured.
 */
export function rateLimitProblem(admission: LimiterAnswer, contact: string | null, of: Limited = 'checks'): Problem {
  const waitSeconds = seconds(admission.freeInMs);
  const headers = { 'retry-after': String(waitSeconds) };
  const again = `Try again in ${waitSeconds} s.`;
  if (admission.refusedBy === 'ceiling') {
    return { code: 'overloaded', detail: `The service has as many ${of} as it takes in a minute. ${again}`, headers };
  }
  const from = admission.refusedBy === 'network' ? ' from one network (an IPv6 /48)' : '';
  const more = contact === null ? '' : ` For a higher limit, write to ${contact}.`;
  const detail = `At most ${admission.nearest?.limit} ${of} a minute are admitted${from}. ${again}${more}`;
  return { code: 'rate_limited', detail, headers };
}

/** The span of the sliding window (the specified limits are per minute). */
export const WINDOW_MS = 60_000;

/** Requests that are counted together. */
export interface Counted {
  readonly key: string;
  /** Admitted requests in a window; 0 for no limit. */
  readonly limit: number;
}

/** A client and the network that it is counted with; null if it has none. */
export interface Asker extends Counted {
  readonly network: Counted | null;
}

/** Owner of a limit. */
export type LimitOf = 'client' | 'network';

/** Decision of the limiter on one request. */
export interface LimiterAnswer {
  /** Null if the request is admitted; otherwise the limit that refused it. */
  readonly refusedBy: LimitOf | 'ceiling' | null;
  /** The client's limit with the least room; null if it has none. */
  readonly nearest: { readonly of: LimitOf; readonly limit: number } | null;
  /** Requests that the client may make now; Infinity without a limit. */
  readonly remaining: number;
  /** Milliseconds until the next place at the nearest limit comes free, or, at the ceiling, anyone's; 0 where all are free. */
  readonly freeInMs: number;
}

/** Decision of the limiter on several requests of one client. */
export interface ManyAnswer {
  /** Number of admitted requests, which are the first ones. */
  readonly places: number;
  /** Decision on the first refused request, or on the last one if none is refused. */
  readonly answer: LimiterAnswer;
}

/** Admits or refuses requests, by the counts of one process or of several. */
export interface RateLimiter {
  /**
   * Takes a place of the client and one of its network, or refuses and takes neither: a refusal by one limit does not
   * use up the other.
   *
   * @param nowMs monotonic time; earlier times count as the latest one
   */
  admit(asker: Asker, nowMs: number): LimiterAnswer | Promise<LimiterAnswer>;
  /** Takes as many places as there are, at most `count`, which is 1 or more. */
  admitMany(asker: Asker, nowMs: number, count: number): ManyAnswer | Promise<ManyAnswer>;
  /** Changes the ceiling for all clients of this process together, which is then counted from zero; 0 for none. */
  setTotal(total: number): void;
}

/** Remaining slots of one limit. */
export interface Room {
  readonly of: LimitOf;
  readonly limit: number;
  readonly remaining: number;
  /** Milliseconds until a place comes free; Infinity where none is taken. */
  readonly freeInMs: number;
}

/** Returns the room with fewer places; of equals, the one that comes free later. */
export function nearerRoom<R extends Room>(one: R | null, other: R | null): R | null {
  if (!one || !other) return one ?? other;
  if (one.remaining !== other.remaining) return one.remaining < other.remaining ? one : other;
  return other.freeInMs > one.freeInMs ? other : one;
}

/** Returns the answer to a request that takes a place in the nearest of its rooms; a refusal if the room is full. */
export function answerFrom(nearest: Room | null): LimiterAnswer {
  if (!nearest) return { refusedBy: null, nearest, remaining: Number.POSITIVE_INFINITY, freeInMs: 0 };
  const { of, remaining, freeInMs } = nearest;
  if (remaining === 0) return { refusedBy: of, nearest, remaining, freeInMs };
  // If no other place is taken, the next one to come free is this one.
  return { refusedBy: null, nearest, remaining: remaining - 1, freeInMs: Math.min(freeInMs, WINDOW_MS) };
}
