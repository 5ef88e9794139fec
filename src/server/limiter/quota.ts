import type { Server } from 'bun';
import type { Clock } from '#src/base/clock.ts';
import { ProblemError } from '../http/problem.ts';
import type { ResponseSet } from '../http/respond.ts';
import type { ServerSettings } from '../settings.ts';
import { createClients } from './client.ts';
import { type Counted, createRateLimiter } from './rate-limit.ts';
import { rateLimitHeaders, rateLimitProblem } from './rate-limit-headers.ts';

/** What the quota needs of Elysia's context. */
export interface QuotaContext {
  readonly request: Request;
  /** Null where nothing listens, as in a test of the routes alone. */
  readonly server: Pick<Server<unknown>, 'requestIP'> | null;
  readonly set: Pick<ResponseSet, 'headers'>;
}

/** Counts requests by client. */
export interface Quota {
  /** Takes a place for the client and says in the answer's headers how many are left. Throws ProblemError 429 or 503. */
  takePlace(context: QuotaContext): void;
  /** Who was counted for a request; null before it was. */
  clientOf(request: Request): Counted | null;
}

type QuotaSettings = Parameters<typeof createClients>[0] &
  Pick<ServerSettings, 'rate_limit_keys' | 'rate_limit_total' | 'contact'>;

export function createQuota(settings: QuotaSettings, clock: Clock): Quota {
  const identify = createClients(settings);
  const limiter = createRateLimiter({ keys: settings.rate_limit_keys, total: settings.rate_limit_total });
  const counted = new WeakMap<Request, Counted>();
  return {
    takePlace: ({ request, server, set }) => {
      const client = identify(server?.requestIP(request)?.address ?? null, request.headers);
      const admission = limiter.admit(client, clock.monotonicMs());
      Object.assign(set.headers, rateLimitHeaders(admission));
      if (admission.refusedBy) throw new ProblemError(rateLimitProblem(admission, settings.contact));
      counted.set(request, client);
    },
    clientOf: (request) => counted.get(request) ?? null,
  };
}
