import type { Problem } from '../http/problem.ts';
import { type LimiterAnswer, type LimitOf, WINDOW_MS } from './rate-limit.ts';

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
