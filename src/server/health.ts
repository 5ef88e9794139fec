import type { Operation } from './http/exchange.ts';
import { replyProblem } from './http/problem.ts';
import { replyJson } from './http/reply.ts';

/** `GET /livez`: the process runs and answers. */
export const livez: Operation = ({ requestId }) => replyJson(requestId, 200, { status: 'live' });

/** `GET /readyz`. `unready` says why checks cannot be taken now, null where they can. */
export function readyz(unready: () => Promise<string | null>): Operation {
  return async ({ requestId }) => {
    const detail = await unready();
    if (detail === null) return replyJson(requestId, 200, { status: 'ready' });
    return replyProblem(requestId, { status: 503, detail, headers: { 'retry-after': '10' } });
  };
}
