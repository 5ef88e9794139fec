import type { CheckService } from '#src/check/check.ts';
import { readCheckRequest } from './check-request.ts';
import type { Operation } from './exchange.ts';
import { isProblem, replyProblem } from './problem.ts';
import { replyJson } from './reply.ts';

/** `POST /api/check-url` */
export function checkUrl(service: CheckService): Operation {
  return async ({ request, requestId, startedAtMs, peer }) => {
    const order = await readCheckRequest(request);
    if (isProblem(order)) return replyProblem(requestId, order);
    const result = await service.check({
      target: order.target,
      visibility: order.privateMode ? 'private' : 'public',
      client: peer,
      requestId,
      startedAtMs,
    });
    return replyJson(requestId, 200, result);
  };
}
