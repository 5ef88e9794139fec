import type { Operation } from './http/exchange.ts';
import { replyProblem } from './http/problem.ts';
import { replyJson } from './http/reply.ts';

/** `GET /livez`: the process runs and answers. */
export const livez: Operation = ({ requestId }) => replyJson(requestId, 200, { status: 'live' });

/** Whether checks can be taken. */
export interface Readiness {
  /** Why not, in a sentence; null where they can. */
  readonly problem: string | null;
  /** What else the operator should know, in sentences. */
  readonly notices: readonly string[];
}

/** `GET /readyz` */
export function readyz(readiness: () => Promise<Readiness>): Operation {
  return async ({ requestId }) => {
    const { problem, notices } = await readiness();
    if (problem === null) return replyJson(requestId, 200, { status: 'ready', notices });
    return replyProblem(requestId, { status: 503, detail: problem, headers: { 'retry-after': '10' } });
  };
}
