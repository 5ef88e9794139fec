import type { Operation } from './exchange.ts';
import { type Problem, replyProblem } from './problem.ts';
import { reply } from './reply.ts';
import { pathOf } from './request-path.ts';

const NOT_FOUND: Problem = { status: 404, detail: 'There is nothing at this path; /swagger lists what there is.' };

/** Answers what no route took: 405 where the path has routes for other methods, 204 for OPTIONS there, else 404. */
export function unrouted(routes: readonly { readonly method: string; readonly path: string }[]): Operation {
  const allowed = new Map<string, string>();
  for (const [path, own] of Map.groupBy(routes, (route) => route.path)) {
    const methods = own.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    allowed.set(path, [...methods, 'OPTIONS'].join(', '));
  }
  return ({ request, requestId }) => {
    const allow = allowed.get(pathOf(request));
    if (allow === undefined) return replyProblem(requestId, NOT_FOUND);
    if (request.method === 'OPTIONS') return reply(requestId, 204, null, null, { allow });
    return replyProblem(requestId, { status: 405, detail: `The methods here are ${allow}.`, headers: { allow } });
  };
}
