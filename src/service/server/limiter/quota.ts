import type { ApiKey, Scope } from '#src/admin/keys/api-key.ts';
import type { KeyRing } from '#src/admin/keys/key-ring.ts';
import type { PeerContext, PeerOf } from '#src/core/base/addresses/client-address.ts';
import type { Clock } from '#src/core/base/clock.ts';
import type { ResponseSet } from '../http/http-app.ts';
import { type Problem, ProblemError, refuse } from '../http/problem.ts';
import { bearerOf, bearerRefusal, type ReadCredential, UNAUTHORIZED } from '../keys/bearer.ts';
import type { ServerSettings } from '../settings.ts';
import { createClients } from './client.ts';
import { createRateLimiter, type LocalLimiter } from './local-limiter.ts';
import {
  type Asker,
  type Limited,
  type LimiterAnswer,
  type ManyAnswer,
  type RateLimiter,
  rateLimitHeaders,
  rateLimitProblem,
} from './rate-limit.ts';

/** Context of Elysia that the quota uses. */
export interface QuotaContext extends PeerContext {
  readonly set: Pick<ResponseSet, 'headers'>;
}

/** Method of the limiter for each kind of request. */
const ADMISSIONS = {
  checks: 'admit',
  'pieces of feedback': 'admitFeedback',
  'sign-ins': 'admitSession',
  'requests with an ended session': 'admitSession',
} as const satisfies Record<Limited, keyof Limits>;

/** Limit of a client, and the contact for a higher one. */
export interface Allowance {
  /** Checks in any 60 seconds; null for no limit. */
  readonly checksPerMinute: number | null;
  /** Null if the operator set no contact. */
  readonly contact: string | null;
}

/** Counts requests by client. */
export interface Quota {
  /**
   * Takes a place for the client and writes the remaining number to the headers. Throws ProblemError 429 or 503, and
   * 401 or 403 for a key that is invalid or lacks the scope. Returns a promise only if the limiter must ask a server.
   *
   * @param read by default reads a bearer token
   */
  takePlace(context: QuotaContext, read?: ReadCredential): void | Promise<void>;
  /** The same for a request that brings several checks, whose key has to be for that. The place is that of the first. */
  takeFirstPlace(context: QuotaContext): void | Promise<void>;
  /** Takes places for up to `count` further checks of a request; returns the refusals of those without a place. */
  takeMorePlaces(context: Omit<QuotaContext, 'server'>, count: number): Promise<readonly (Problem | null)[]>;
  /** Same for feedback, which has its own limit unless the request has a key with that scope. */
  takeFeedbackPlace(context: QuotaContext): void | Promise<void>;
  /** The same for a sign-in with a key, which counts apart from its checks. */
  takeSignIn(context: QuotaContext, key: ApiKey): void | Promise<void>;
  /** The key of who was counted for a request. Throws before it was: without one, a check would be the operator's. */
  clientOf(request: Request): string;
  /** Returns the client's remaining allowance without using any of it. */
  allowanceOf(context: PeerContext): Allowance;
  /**
   * Returns the request's key with this scope, without counting the request; null without a key. Throws ProblemError
   * 401 for an invalid key, limited to as many as the client's checks, and 403 for a missing scope. Ended sessions are
   * counted apart: a page may send several requests before it learns of the end.
   */
  shownKey(context: QuotaContext, scope: Scope | readonly Scope[], ways?: KeyWays): Promise<ApiKey | null>;
}

/** Source of a key, and the refusal of an invalid one; by default a bearer token. */
export interface KeyWays {
  readonly read: ReadCredential;
  readonly unauthorized: Problem;
  /** A reason to refuse the request regardless of its key, once it was counted. */
  readonly refusal?: Problem | null;
}

const BEARER: KeyWays = { read: bearerOf, unauthorized: UNAUTHORIZED };

/** The keys that clients may present. */
export interface Keys extends Pick<KeyRing, 'find'> {
  /** Called for each request with a valid key. */
  readonly onUse?: (key: ApiKey) => void;
}

/** The settings of limits. */
export type LimitSettings = Parameters<typeof createClients>[0] &
  Pick<ServerSettings, 'rate_limit_keys' | 'rate_limit_total' | 'feedback_limit' | 'contact'>;

/** Takes a slot for a client, and returns the client. */
type Admit = (
  peer: string | null,
  headers: Headers,
  key: ApiKey | null,
) => { readonly asker: Asker; readonly admission: LimiterAnswer | Promise<LimiterAnswer> };

/** Limits of the clients of all listeners together. */
export interface Limits {
  /** Takes a place for the holder of a key, or, without one, for the client. */
  admit: Admit;
  /** The same for feedback: who holds no key has places of its own for that. */
  admitFeedback: Admit;
  /** The same for sign-ins, and for sessions that have ended: as many as checks, but counted apart. */
  admitSession: Admit;
  /** Checks that the holder of a key, or, without one, the client, may start in a window; 0 for no limit. */
  limitOf(peer: string | null, headers: Headers, key: ApiKey | null): number;
  /** Takes more slots for a client that was identified before. */
  admitMore(asker: Asker, count: number): ManyAnswer | Promise<ManyAnswer>;
  /** Contact for a higher limit; null if none is set. */
  readonly contact: string | null;
  /** Changes the limits; what clients have used up stays. */
  change(settings: LimitSettings): void;
}

/** Counting state of a node. */
export interface LimiterStatus {
  /** True while this node counts alone. */
  readonly isUnavailable: boolean;
  /** True if two servers accept writes, one of which is a former primary. */
  readonly hasOutdated: boolean;
  /** Number of switches to shared and to local counting. */
  readonly turns: { readonly shared: number; readonly local: number };
}

/** Wraps the local limiter in a shared one. */
export type ShareLimiter = (local: LocalLimiter) => RateLimiter;

/** Creates the limits of the process, or of several processes that share them. */
export function createLimits(settings: LimitSettings, clock: Clock, share?: ShareLimiter): Limits {
  let active = settings;
  let identify = createClients(active);
  const local = createRateLimiter({ keys: settings.rate_limit_keys, total: settings.rate_limit_total });
  const limiter = share?.(local) ?? local;
  const askerOf = (peer: string | null, headers: Headers, key: ApiKey | null) =>
    key ? holderOf(key, active.rate_limit) : identify(peer, headers);
  return {
    admit(peer, headers, key) {
      const asker = askerOf(peer, headers, key);
      return { asker, admission: limiter.admit(asker, clock.monotonicMs()) };
    },
    admitFeedback(peer, headers, key) {
      const asker = askerOf(peer, headers, key);
      const counted = key ? asker : asFeedback(asker, active.feedback_limit);
      return { asker, admission: limiter.admit(counted, clock.monotonicMs()) };
    },
    admitSession(peer, headers, key) {
      const asker = askerOf(peer, headers, key);
      return { asker, admission: limiter.admit(asSession(asker), clock.monotonicMs()) };
    },
    limitOf: (peer, headers, key) => askerOf(peer, headers, key).limit,
    admitMore: (asker, count) => limiter.admitMany(asker, clock.monotonicMs(), count),
    get contact() {
      return active.contact;
    },
    change(next) {
      identify = createClients(next);
      if (next.rate_limit_total !== active.rate_limit_total) limiter.setTotal(next.rate_limit_total);
      active = next;
    },
  };
}

/** The holder of a key is one client from any address. The space keeps its name apart from addresses. */
function holderOf({ name, limit }: ApiKey, usualLimit: number): Asker {
  return { key: `key ${name}`, limit: limit ?? usualLimit, network: null };
}

/** The name of the key whose holder a client is, see {@link Quota.clientOf}; null without one. */
export function keyNameOf(client: string): string | null {
  return client.startsWith('key ') ? client.slice('key '.length) : null;
}

/** Feedback limit of a network, as a multiple of a client's limit. */
const FEEDBACK_CLIENTS_PER_NETWORK = 10;

/** A client as one who gives feedback, which is counted apart from its checks; no address has a space in it. */
function asFeedback({ key, network }: Asker, limit: number): Asker {
  const own = network && { key: `feedback ${network.key}`, limit: FEEDBACK_CLIENTS_PER_NETWORK * limit };
  return { key: `feedback ${key}`, limit, network: own };
}

/** A client as one with sessions. */
function asSession({ key, limit, network }: Asker): Asker {
  return { key: `session ${key}`, limit, network: network && { ...network, key: `session ${network.key}` } };
}

/** Applies the limits to the requests of one listener. */
export function createQuota(limits: Limits, peerOf: PeerOf, keys: Keys): Quota {
  const counted = new WeakMap<Request, Asker>();

  function take(
    { request, server, set }: QuotaContext,
    key: ApiKey | null,
    of: Limited = 'checks',
  ): void | Promise<void> {
    const admit = limits[ADMISSIONS[of]];
    const { asker, admission } = admit(peerOf({ request, server }), request.headers, key);
    const abide = (answer: LimiterAnswer): void => {
      Object.assign(set.headers, rateLimitHeaders(answer));
      if (answer.refusedBy) throw new ProblemError(rateLimitProblem(answer, limits.contact, of));
      counted.set(request, asker);
    };
    return admission instanceof Promise ? admission.then(abide) : abide(admission);
  }

  function takeFor(scope: Scope, context: QuotaContext, read: ReadCredential = bearerOf): void | Promise<void> {
    const bearer = read(context.request.headers, keys);
    const key = bearer.kind === 'key' ? bearer.key : null;
    if (key) keys.onUse?.(key);
    const taken = take(context, key, scope === 'feedback' ? 'pieces of feedback' : 'checks');
    const refusal = bearerRefusal(bearer, scope);
    if (refusal === null) return taken;
    if (taken instanceof Promise) return taken.then(() => refuse(refusal));
    refuse(refusal);
  }

  function askerOf(request: Request): Asker {
    const asker = counted.get(request);
    if (asker === undefined) throw new TypeError('the request was not counted');
    return asker;
  }

  return {
    // Contexts are destructured: Elysia parses the source of its hooks, and misreads one that passes its context on.
    takePlace: ({ request, server, set }, read) => takeFor('check', { request, server, set }, read),
    takeFirstPlace: ({ request, server, set }) => takeFor('batch', { request, server, set }),
    takeFeedbackPlace: ({ request, server, set }) => takeFor('feedback', { request, server, set }),
    takeSignIn: ({ request, server, set }, key) => take({ request, server, set }, key, 'sign-ins'),
    async takeMorePlaces({ request, set }, count) {
      if (count === 0) return [];
      const { places, answer } = await limits.admitMore(askerOf(request), count);
      Object.assign(set.headers, rateLimitHeaders(answer));
      if (places === count) return Array.from({ length: count }, () => null);
      const refused = rateLimitProblem(answer, limits.contact);
      return Array.from({ length: count }, (_, at) => (at < places ? null : refused));
    },
    allowanceOf({ request, server }) {
      const bearer = bearerOf(request.headers, keys);
      const key = bearer.kind === 'key' ? bearer.key : null;
      const limit = limits.limitOf(peerOf({ request, server }), request.headers, key);
      return { checksPerMinute: limit === 0 ? null : limit, contact: limits.contact };
    },
    async shownKey(context, scope, { read, unauthorized, refusal = null } = BEARER) {
      const bearer = read(context.request.headers, keys);
      if (bearer.kind === 'unknown') await take(context, null);
      if (bearer.kind === 'ended') await take(context, null, 'requests with an ended session');
      refuse(refusal);
      if (bearer.kind === 'none' || bearer.kind === 'ended') return null;
      const key = bearer.kind === 'key' ? bearer.key : null;
      if (key) keys.onUse?.(key);
      refuse(bearerRefusal(bearer, scope, unauthorized));
      return key;
    },
    clientOf: (request) => askerOf(request).key,
  };
}
