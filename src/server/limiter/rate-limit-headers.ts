import type { Problem } from '../http/problem.ts';
import { type LimiterAnswer, WINDOW_MS } from './rate-limit.ts';

const seconds = (ms: number) => Math.ceil(ms / 1000);

/** `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers); none for a client without a limit. */
export function rateLimitHeaders(limit: number, { remaining, freeInMs }: LimiterAnswer): Record<string, string> {
  if (limit === 0) return {};
  return {
    'ratelimit-policy': `"default";q=${limit};w=${seconds(WINDOW_MS)}`,
    ratelimit: `"default";r=${remaining};t=${seconds(freeInMs)}`,
  };
}

/**
 * The refusal of a request for which there was no place. Over its own limit a client gets 429; at the ceiling for all
 * clients it did nothing wrong, and gets 503. `contact` is who can raise the limit, null where that is nobody.
 */
export function rateLimitProblem(limit: number, admission: LimiterAnswer, contact: string | null): Problem {
  const waitSeconds = seconds(admission.freeInMs);
  const headers = { 'retry-after': String(waitSeconds) };
  const again = `Try again in ${waitSeconds} s.`;
  if (admission.refusedBy === 'ceiling') {
    return { code: 'overloaded', detail: `The service has as many checks as it takes in a minute. ${again}`, headers };
  }
  const more = contact === null ? '' : ` For a higher limit, write to ${contact}.`;
  return { code: 'rate_limited', detail: `At most ${limit} checks a minute are admitted. ${again}${more}`, headers };
}
