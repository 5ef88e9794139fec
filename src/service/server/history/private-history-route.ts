import { Type } from '@sinclair/typebox';
import { type HistoryPage, HistoryPageSchema } from '#src/checks/record/history-page.ts';
import { type MessagePage, MessagePageSchema } from '#src/checks/record/message-record.ts';
import type { MessagePageQuery } from '#src/checks/store/messages/stored-message.ts';
import { BadCursorError, type HistoryQuery } from '#src/checks/store/scan-log.ts';
import type { Actor } from '#src/core/base/actor.ts';
import { actorOf, admitScopes, type SignedInParts } from '../admin/requester.ts';
import { EXAMPLES } from '../docs/examples.ts';
import { answer } from '../http/answer.ts';
import type { Arrival } from '../http/http-app.ts';
import { readQuery } from '../http/known-parameters.ts';
import { badFields, type Problem, problemBody, refuse } from '../http/problem.ts';
import { refusals } from '../http/refusals.ts';
import { routesWith, type WithService } from '../http/routes-with.ts';
import { historyQuery, PageQuerySchema, readMessages } from './history-query.ts';

/** Reads a page of the private checks, of URLs or of messages, for who asks. Throws BadCursorError. */
export interface PrivateReading {
  page(query: HistoryQuery, by: Actor): Promise<HistoryPage>;
  messages(query: MessagePageQuery, by: Actor): Promise<MessagePage>;
}

export interface PrivateHistoryParts extends SignedInParts {
  /** Null for a node that may write the private log and not read it. */
  readonly privateHistory: PrivateReading | null;
  readonly arrivalOf: (request: Request) => Arrival;
}

const UNREADABLE: Problem = {
  code: 'switched_off',
  detail: 'Nodes may write the private log of their database and not read it: ask its operator.',
};

function requireReadable({ service: { privateHistory } }: WithService<PrivateHistoryParts>): void {
  refuse(privateHistory === null ? UNREADABLE : null);
}

/** `GET /api/history/private`: the private log, for keys with that scope only. */
export const privateHistoryRoute = routesWith<PrivateHistoryParts>().get(
  '/api/history/private',
  async ({ query, request, status, service: { privateHistory, arrivalOf } }) => {
    if (privateHistory === null) throw new TypeError('the private log cannot be read');
    try {
      const by = actorOf(request);
      if (query.kind === 'message')
        return await readMessages((messages) => privateHistory.messages(messages, by), query);
      return await privateHistory.page(historyQuery(query), by);
    } catch (error) {
      if (!(error instanceof BadCursorError)) throw error;
      const message = 'must be a next_cursor of this history';
      const problem = badFields([{ field: 'cursor', code: 'invalid_parameter', message }]);
      return status(400, problemBody(problem, arrivalOf(request).requestId));
    }
  },
  {
    transform: [admitScopes('history.private'), requireReadable, readQuery],
    query: PageQuerySchema,
    response: {
      200: answer(Type.Union([HistoryPageSchema, MessagePageSchema]), {
        description: 'One page of the kind asked for.',
        example: EXAMPLES.historyPage,
      }),
      ...refusals(
        ...([
          'invalid_parameter',
          'unauthorized',
          'forbidden_scope',
          'switched_off',
          'cross_site',
          'misdirected',
        ] as const),
        ...(['rate_limited', 'internal', 'overloaded', 'audit_unavailable', 'log_unavailable'] as const),
      ),
    },
    detail: {
      operationId: 'listPrivateHistory',
      tags: ['Checks'],
      summary: 'Read the private scan history',
      description:
        'Private checks, latest first: of URLs, or with `kind=message` of messages. Only a key with the scope `history.private` grants access, and the audit log names ' +
        'the key. Follow `next_cursor` until it is null.',
    },
  },
);
