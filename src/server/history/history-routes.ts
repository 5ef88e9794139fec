import { Elysia } from 'elysia';
import { type HistoryPage, HistoryPageSchema } from '#src/record/history-page.ts';
import { type Stats, StatsSchema } from '#src/record/stats.ts';
import { BadCursorError, type HistoryQuery } from '#src/store/scan-log.ts';
import { EXAMPLES } from '../docs/examples.ts';
import { answer } from '../http/answer.ts';
import type { Arrival } from '../http/arrivals.ts';
import { badFields, type Problem, problemBody, refuse } from '../http/problem.ts';
import { readQuery } from '../http/query.ts';
import { refusals } from '../http/refusals.ts';
import type { RequestGuard } from '../http/request-site.ts';
import { HistoryQuerySchema, historyQuery } from './history-query.ts';

/** What the routes of the history work with. */
export interface HistoryRouteParts {
  /** Whether anyone may read the public history. */
  readonly isShown: boolean;
  /** A page of the public history; throws BadCursorError. */
  readonly history: (query: HistoryQuery) => Promise<HistoryPage>;
  readonly stats: () => Promise<Stats>;
  readonly arrivalOf: (request: Request) => Arrival;
  readonly ownHost: RequestGuard;
}

const SWITCHED_OFF: Problem = { code: 'switched_off', detail: 'The operator has switched the public history off.' };

/** `GET /api/history` and `GET /api/stats`. */
export function historyRoutes({ isShown, history, stats, arrivalOf, ownHost }: HistoryRouteParts) {
  return new Elysia({ normalize: false })
    .onTransform(ownHost)
    .onTransform(() => refuse(isShown ? null : SWITCHED_OFF))
    .get(
      '/api/history',
      async ({ query, request, status }) => {
        try {
          return await history(historyQuery(query));
        } catch (error) {
          if (!(error instanceof BadCursorError)) throw error;
          const problem = badFields([
            { field: 'cursor', code: 'invalid_parameter', message: 'must be a next_cursor of the history' },
          ]);
          return status(400, problemBody(problem, arrivalOf(request).requestId));
        }
      },
      {
        transform: readQuery,
        query: HistoryQuerySchema,
        response: {
          200: answer(HistoryPageSchema, { description: 'One page.', example: EXAMPLES.historyPage }),
          ...refusals('invalid_parameter', 'switched_off', 'misdirected', 'internal', 'log_unavailable'),
        },
        detail: {
          operationId: 'listHistory',
          tags: ['Checks'],
          summary: 'Read the public scan history',
          description:
            'Public checks, newest first. Follow `next_cursor` until it is null; checks that come in meanwhile do not disturb ' +
            'the pages. Unknown parameters are ignored.',
        },
      },
    )
    .get('/api/stats', () => stats(), {
      response: {
        200: answer(StatsSchema, { description: 'The statistics.', example: EXAMPLES.stats }),
        ...refusals('switched_off', 'misdirected', 'internal', 'log_unavailable'),
      },
      detail: {
        operationId: 'readStats',
        tags: ['Checks'],
        summary: 'Read what the public checks add up to',
        description:
          'Counts of public checks alone; 404 where the operator switched the public history off. Durations are in seconds, free disk space in whole percents.',
      },
    });
}
