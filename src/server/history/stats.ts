import type { Stats } from '#src/record/stats.ts';
import type { Operation } from '../http/exchange.ts';
import { replyProblem } from '../http/problem.ts';
import { replyJson } from '../http/reply.ts';
import { SWITCHED_OFF } from './history.ts';

/** `GET /api/stats`. `read` is null where the operator keeps the history to himself. */
export function stats(read: (() => Stats) | null): Operation {
  return ({ requestId }) => (read ? replyJson(requestId, 200, read()) : replyProblem(requestId, SWITCHED_OFF));
}
