import { Type } from '@sinclair/typebox';
import { type HistoryPage, HistoryPageSchema } from '#src/checks/record/history-page.ts';
import { type MessagePage, MessagePageSchema } from '#src/checks/record/message-record.ts';
import { isUnreadable } from '#src/checks/record/stored-result.ts';
import type { MessageEntry, MessagePageQuery } from '#src/checks/store/messages/stored-message.ts';
import { BadCursorError, type HistoryQuery, type LogEntry } from '#src/checks/store/scan-log.ts';
import type { Actor } from '#src/core/base/actor.ts';
import { VISIBILITIES, type Visibility } from '#src/core/base/visibility.ts';
import { viewRoute } from '#src/service/server/admin/act-route.ts';
import { CONSOLE_REFUSALS } from '#src/service/server/admin/change-parts.ts';
import { actorOf, requesterOf, type SignedInParts } from '#src/service/server/admin/requester.ts';
import { EXAMPLES } from '#src/service/server/docs/examples.ts';
import { historyQuery, PageQuerySchema, readMessages } from '#src/service/server/history/history-query.ts';
import { answer } from '#src/service/server/http/answer.ts';
import { parameter } from '#src/service/server/http/parameter.ts';
import { badFields, type Problem, ProblemError, refuse } from '#src/service/server/http/problem.ts';
import { routesWith } from '#src/service/server/http/routes-with.ts';
import { scopeRefusal } from '#src/service/server/keys/bearer.ts';
import { LoggedCheckSchema } from './answers/console-answers.ts';

/** Readers of both logs for the console. */
export interface CheckOperations {
  /** Returns a page; null for a node that may not read this log. Throws BadCursorError. */
  page(visibility: Visibility, query: HistoryQuery, by: Actor): Promise<HistoryPage | null>;
  /** The same of the checks of messages. */
  messagePage(visibility: Visibility, query: MessagePageQuery, by: Actor): Promise<MessagePage | null>;
  /** Returns the check of a message; null likewise. */
  findMessage(visibility: Visibility, requestId: string, by: Actor): Promise<MessageEntry | null>;
  /** Returns a check; null if there is none, or the node may not read this log. */
  find(visibility: Visibility, requestId: string, by: Actor): Promise<LogEntry | null>;
}

/** Parts of the service that the routes of logged checks use. */
export interface CheckLogParts extends SignedInParts {
  readonly checks: CheckOperations;
}

/** Scope that reads each log. */
export const LOG_SCOPES = { public: 'history', private: 'history.private' } as const;

const UNREADABLE: Problem = {
  code: 'switched_off',
  detail: 'Nodes may write the private log of their database and not read it: ask its operator.',
};

const NOT_FOUND: Problem = { code: 'not_found', detail: 'No log that this key may read has this check.' };

/** Refuses a log that the requester may not read. */
function requireScope(request: Request, visibility: Visibility): void {
  const holder = requesterOf(request);
  refuse(scopeRefusal(holder, LOG_SCOPES[visibility], holder.key ? 'This key' : `The user ${holder.user}`));
}

const CHECK_REFUSALS = [...CONSOLE_REFUSALS, 'switched_off', 'log_unavailable'] as const;

/** `GET /api/admin/checks` and one check of it: both logs, with what the public history leaves out. */
export const checkRoutes = routesWith<CheckLogParts>()
  .get(
    '/api/admin/checks',
    async ({ query: { visibility = 'public', ...query }, request, service: { checks } }) => {
      requireScope(request, visibility);
      try {
        const by = actorOf(request);
        const page = await (query.kind === 'message'
          ? readMessages((messages) => checks.messagePage(visibility, messages, by), query)
          : checks.page(visibility, historyQuery(query), by));
        if (page === null) throw new ProblemError(UNREADABLE);
        return page;
      } catch (error) {
        if (!(error instanceof BadCursorError)) throw error;
        const message = 'must be a next_cursor of this log';
        throw new ProblemError(badFields([{ field: 'cursor', code: 'invalid_parameter', message }]));
      }
    },
    viewRoute(['history', 'history.private'], {
      id: 'listChecks',
      summary: 'Read a log with the lists that decided',
      description:
        'Checks of one log, latest first: of URLs, or with `kind=message` of messages. Those of URLs have the list entry that decided. Follow `next_cursor` until it is null. The ' +
        'audit log names who reads the private log. Scope: `admin`, `history` or `history.private`.',
      query: Type.Object(
        {
          ...PageQuerySchema.properties,
          visibility: Type.Optional(
            parameter<Visibility>('public or private', (text) => VISIBILITIES.some((one) => one === text), {
              enum: [...VISIBILITIES],
              description: 'Log to read; `private` needs the scope `history.private`',
              examples: ['private'],
            }),
          ),
        },
        { additionalProperties: true },
      ),
      answers: {
        200: answer(Type.Union([HistoryPageSchema, MessagePageSchema]), {
          description: 'One page of the kind asked for.',
          example: EXAMPLES.historyPage,
        }),
      },
      refuses: [...CHECK_REFUSALS],
    }),
  )
  .get(
    '/api/admin/checks/:request_id',
    async ({ params: { request_id }, request, service: { checks } }) => {
      const { scopes } = requesterOf(request);
      for (const visibility of VISIBILITIES) {
        if (!scopes.includes('admin') && !scopes.includes(LOG_SCOPES[visibility])) continue;
        const by = actorOf(request);
        const entry = await checks.find(visibility, request_id, by);
        if (entry === null) {
          const found = await checks.findMessage(visibility, request_id, by);
          if (found === null) continue;
          const { message, clientHash: client, isDelivered: delivered } = found;
          return { ...{ visibility, client, delivered }, message, unreadable: null };
        }
        const { result, clientHash: client, isDelivered: delivered } = entry;
        return isUnreadable(result)
          ? { visibility, client, delivered, unreadable: result.unreadable }
          : { ...{ visibility, client, delivered }, result, unreadable: null };
      }
      throw new ProblemError(NOT_FOUND);
    },
    viewRoute(['history', 'history.private'], {
      id: 'readCheck',
      summary: 'Read a logged check',
      description:
        'The whole record of a check in a log that the key may read: all reasons, the list entry that decided, and the ' +
        'hash of the client; of a message what its log has, as `message`. Scope: `admin`, `history` or `history.private`.',
      params: Type.Object({ request_id: Type.String({ description: 'Id of the check' }) }),
      answers: {
        200: answer(LoggedCheckSchema, {
          description: 'The check.',
          example: {
            ...{ visibility: 'private', client: null, delivered: true },
            ...{ result: EXAMPLES.checkResult, unreadable: null },
          },
        }),
      },
      refuses: [...CHECK_REFUSALS, 'not_found'],
    }),
  );
