import type { Clock } from '#src/base/clock.ts';
import type { CheckService } from '#src/check/check.ts';
import { resultJson } from '#src/record/result-json.ts';
import type { Exchanges, Operation } from '../http/exchange.ts';
import { isProblem, replyProblem } from '../http/problem.ts';
import { reply } from '../http/reply.ts';
import { crossSiteRefusal, misdirection } from '../http/request-site.ts';
import { createClients } from '../limiter/client.ts';
import { createRateLimiter } from '../limiter/rate-limit.ts';
import { rateLimitHeaders, rateLimitProblem } from '../limiter/rate-limit-headers.ts';
import type { ServerSettings } from '../settings.ts';
import { bodyRefusal, readCheckOrder } from './check-request.ts';
import { checkStream, wantsStages } from './check-stream.ts';
import { readBody } from './read-body.ts';

/** Time for an answer to reach a slow client, on top of the check's own deadline and its wait for a turn. */
const GRACE_SECONDS = 30;

/** The longest silence that `Bun.serve` can be told to bear; beyond, 0 switches the time-out off. */
const MAX_SILENCE_SECONDS = 255;

/** `POST /api/check-url`. The limiter comes first, so that whoever is over the limit learns just that. */
export function checkUrl(
  service: CheckService,
  settings: ServerSettings,
  clock: Clock,
  problemOf: Exchanges['problemOf'],
): Operation {
  const clientOf = createClients(settings);
  const limiter = createRateLimiter({ keys: settings.rate_limit_keys, total: settings.rate_limit_total });
  const { host: names, contact } = settings;
  const silenceSeconds = Math.ceil(settings.deadline_seconds + GRACE_SECONDS);
  const timeoutSeconds = silenceSeconds > MAX_SILENCE_SECONDS ? 0 : silenceSeconds;

  return async ({ request, requestId, startedAtMs, peer, server }) => {
    const { headers } = request;
    const client = clientOf(peer, headers);
    const admission = limiter.admit(client.key, client.limit, clock.monotonicMs());
    if (admission.refusedBy) return replyProblem(requestId, rateLimitProblem(client.limit, admission, contact));
    const quota = rateLimitHeaders(client.limit, admission);

    const refusal = crossSiteRefusal(headers, names) ?? misdirection(headers, names) ?? bodyRefusal(headers);
    if (refusal) return replyProblem(requestId, refusal, quota);
    const body = await readBody(request);
    const order = body instanceof Uint8Array ? readCheckOrder(body) : body;
    if (isProblem(order)) return replyProblem(requestId, order, quota);

    server?.timeout(request, timeoutSeconds);
    const check = {
      target: order.target,
      visibility: order.privateMode ? 'private' : 'public',
      client: client.key,
      requestId,
      startedAtMs,
    } as const;
    const problem = (error: unknown) => problemOf(error, requestId, order.privateMode);
    if (wantsStages(headers)) {
      const stages = checkStream(requestId, (onStage) => service.check({ ...check, onStage }), problem);
      // The last header keeps nginx from holding the events back.
      return reply(requestId, 200, 'text/event-stream', stages, { ...quota, 'x-accel-buffering': 'no' });
    }
    try {
      const json = resultJson(await service.check(check));
      return reply(requestId, 200, 'application/json', json, quota);
    } catch (error) {
      return replyProblem(requestId, problem(error), quota);
    }
  };
}
