import type { Stats } from '#src/record/stats.ts';
import type { Operation } from './exchange.ts';
import { SWITCHED_OFF } from './history.ts';
import { replyProblem } from './problem.ts';
import { replyJson } from './reply.ts';

/** `GET /api/stats`. `read` is null where the operator keeps the history to himself. */
export function stats(read: (() => Stats) | null): Operation {
  return ({ requestId }) => (read ? replyJson(requestId, 200, read()) : replyProblem(requestId, SWITCHED_OFF));
}
