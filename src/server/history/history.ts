import type { HistoryPage } from '#src/record/history-page.ts';
import { BadCursorError } from '#src/store/read/cursor.ts';
import type { HistoryQuery } from '#src/store/read/history.ts';
import { badFields } from '../http/bad-fields.ts';
import type { Operation } from '../http/exchange.ts';
import { isProblem, type Problem, replyProblem } from '../http/problem.ts';
import { replyJson } from '../http/reply.ts';
import { searchOf } from '../http/request-path.ts';
import { readHistoryRequest } from './history-request.ts';

/** Nothing of the public checks is shown where the operator keeps them to himself. */
export const SWITCHED_OFF: Problem = { status: 404, detail: 'The operator has switched the public history off.' };

/** `GET /api/history`. `page` is null where the operator keeps the history to himself. */
export function history(page: ((query: HistoryQuery) => HistoryPage) | null): Operation {
  return ({ request, requestId }) => {
    if (!page) return replyProblem(requestId, SWITCHED_OFF);
    const query = readHistoryRequest(searchOf(request));
    if (isProblem(query)) return replyProblem(requestId, query);
    try {
      return replyJson(requestId, 200, page(query));
    } catch (error) {
      if (!(error instanceof BadCursorError)) throw error;
      return replyProblem(requestId, badFields([{ field: 'cursor', message: 'must be a next_cursor of the history' }]));
    }
  };
}
