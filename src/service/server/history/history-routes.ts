import { Type } from '@sinclair/typebox';
import type { Scope } from '#src/admin/keys/api-key.ts';
import {
  type HistoryPage,
  HistoryPageSchema,
  type HistorySummary,
  HistorySummarySchema,
  withoutLists,
} from '#src/checks/record/history-page.ts';
import { type MessagePage, MessagePageSchema } from '#src/checks/record/message-record.ts';
import { type Stats, StatsSchema } from '#src/checks/record/stats.ts';
import type { MessagePageQuery } from '#src/checks/store/messages/stored-message.ts';
import {
  BadCursorError,
  type HistoryQuery,
  type HistoryWalk,
  type SearchFilter,
  type WalkedPage,
} from '#src/checks/store/scan-log.ts';
import type { Clock } from '#src/core/base/clock.ts';
import { type SignedInParts, shownBySession } from '../admin/requester.ts';
import { EXAMPLES } from '../docs/examples.ts';
import { answer } from '../http/answer.ts';
import type { Arrival } from '../http/http-app.ts';
import { readQuery } from '../http/known-parameters.ts';
import { badFields, type Problem, problemBody, refuse } from '../http/problem.ts';
import { refusals } from '../http/refusals.ts';
import { ownHost } from '../http/request-site.ts';
import { routesWith, type WithService } from '../http/routes-with.ts';
import { hasBearer, UNAUTHORIZED } from '../keys/bearer.ts';
import type { CountedContext } from '../limiter/counted.ts';
import {
  HistoryFilterSchema,
  HistoryQuerySchema,
  historyQuery,
  historyWalk,
  readMessages,
  searchFilter,
  waitIn,
} from './history-query.ts';

/** Interval of polling for further checks: other nodes write to the log without notification. */
const LOOK_EVERY_MS = 1000;

/** Requests that may wait at the end of the history; the others are answered at once. */
const MAX_WAITING = 50;

/** Dependencies of a walk over the history. */
interface WalkerParts {
  /** A page from a place on; throws BadCursorError. */
  readonly walk: (query: HistoryWalk) => Promise<WalkedPage>;
  /** Aborted once the service shuts down. */
  readonly stopping: AbortSignal;
  readonly clock: Pick<Clock, 'monotonicMs'>;
}

/** A request for a walk. */
export interface PatientWalk {
  readonly query: HistoryWalk;
  /** Maximum wait at the end for another check, in milliseconds. */
  readonly waitMs: number;
  /** Aborted when the client disconnects. */
  readonly left: AbortSignal;
}

/** Walks over the history, and waits at its end for what is logged next. */
export function createWalker({ walk, stopping, clock }: WalkerParts): (asked: PatientWalk) => Promise<HistoryPage> {
  let waiting = 0;

  /** Polls until there is a check. */
  async function waitFrom(first: WalkedPage, { query, waitMs, left }: PatientWalk): Promise<WalkedPage> {
    const endsAtMs = clock.monotonicMs() + waitMs;
    let page = first;
    for (;;) {
      const leftMs = endsAtMs - clock.monotonicMs();
      if (!isEmptyEnd(page) || leftMs <= 0 || stopping.aborted || left.aborted) return page;
      await Bun.sleep(Math.min(LOOK_EVERY_MS, leftMs));
      page = await walk({ ...query, after: page.next });
    }
  }

  return async (asked) => {
    let page = await walk(asked.query);
    if (isEmptyEnd(page) && waiting < MAX_WAITING) {
      waiting++;
      try {
        page = await waitFrom(page, asked);
      } finally {
        waiting--;
      }
    }
    return { items: page.items, next_cursor: page.next };
  };
}

function isEmptyEnd({ items, isEnd }: WalkedPage): boolean {
  return isEnd && items.length === 0;
}

export interface HistoryRouteParts extends SignedInParts {
  /** True if anyone may read the public history. */
  readonly isShown: boolean;
  /** A page of the public history; throws BadCursorError. */
  readonly history: (query: HistoryQuery) => Promise<HistoryPage>;
  /** The same of the checks of messages. */
  readonly messages: (query: MessagePageQuery) => Promise<MessagePage>;
  /** Returns the number and time span of the matching public checks. */
  readonly historySummary: (filter: SearchFilter) => Promise<HistorySummary>;
  /** Checks from a place on, once there are any, or the time to wait for them is over; throws BadCursorError. */
  readonly walk: (asked: PatientWalk) => Promise<HistoryPage>;
  readonly stats: () => Promise<Stats>;
  readonly arrivalOf: (request: Request) => Arrival;
}

/** Time for an answer to reach a slow client, beyond what was waited; a database is given up after ten seconds. */
const GRACE_SECONDS = 30;

const SWITCHED_OFF: Problem = { code: 'switched_off', detail: 'The operator has switched the public history off.' };

/** Refusals of a request to read checks. */
const HISTORY_REFUSALS = [
  'unauthorized',
  'forbidden_scope',
  'switched_off',
  'cross_site',
  'misdirected',
  'rate_limited',
  'internal',
  'overloaded',
  'log_unavailable',
] as const;

/** Requests with a key, which see which list decided. */
const keyed = new WeakSet<Request>();

/** Refuses the filter by list or entry without a key, because it would reveal what the lists hold. */
function requireKeyForLists({
  request,
  query,
}: {
  readonly request: Request;
  readonly query: { list?: string; entry?: string };
}): void {
  const detail = 'The filter by list requires a key with the scope history.';
  refuse((query.list ?? query.entry) !== undefined && !keyed.has(request) ? { ...UNAUTHORIZED, detail } : null);
}

/**
 * Creates the hook that admits a client with a key for this, and everybody if the history is public: then the session of a
 * page that the public reads, too, has no say.
 */
export const openTo =
  (scope: Scope) =>
  async ({ request, server, set, service }: CountedContext & WithService<HistoryRouteParts>) => {
    if (service.isShown && !hasBearer(request.headers)) return ownHost({ request, server, service });
    const holder = await shownBySession({ request, server, set, service }, scope);
    refuse(service.isShown || holder ? null : SWITCHED_OFF);
    if (holder) keyed.add(request);
  };

/** `GET /api/history`, its summary, and `GET /api/stats`. */
export const historyRoutes = routesWith<HistoryRouteParts>()
  .get(
    '/api/history',
    async ({ query, request, server, status, service }) => {
      const refuse = (field: string, message: string) => {
        const problem = badFields([{ field, code: 'invalid_parameter', message }]);
        return status(400, problemBody(problem, service.arrivalOf(request).requestId));
      };
      const { after, cursor } = query;
      if (after !== undefined && cursor !== undefined) return refuse('cursor', 'leads back, and after leads forward');
      try {
        const waitMs = after === undefined ? 0 : waitIn(query);
        server?.timeout(request, Math.ceil(waitMs / 1000) + GRACE_SECONDS);
        if (query.kind === 'message') return await readMessages(service.messages, query);
        const page = await (after === undefined
          ? service.history(historyQuery(query))
          : service.walk({ query: historyWalk(after, query), waitMs, left: request.signal }));
        return keyed.has(request) ? page : withoutLists(page);
      } catch (error) {
        if (!(error instanceof BadCursorError)) throw error;
        return refuse(
          after === undefined ? 'cursor' : 'after',
          'must be a next_cursor of the history, read in this way',
        );
      }
    },
    {
      transform: [openTo('history'), readQuery, requireKeyForLists],
      query: HistoryQuerySchema,
      response: {
        200: answer(Type.Union([HistoryPageSchema, MessagePageSchema]), {
          description: 'One page of the kind asked for.',
          example: EXAMPLES.historyPage,
        }),
        ...refusals('invalid_parameter', ...HISTORY_REFUSALS),
      },
      detail: {
        operationId: 'listHistory',
        tags: ['Checks'],
        summary: 'Read the public scan history',
        description:
          'Public checks, latest first: of URLs, or with `kind=message` of messages. Follow `next_cursor` until it is null; checks that are logged meanwhile do not shift ' +
          'the pages. Unknown parameters are refused.\n\nWith `after` the same checks are read forward, in the order of ' +
          'logging: begin with an empty `after`, and continue with `next_cursor`, which is never null then. Each check is ' +
          'returned exactly once. At the end, an answer waits up to `wait` seconds for another check; an answer without ' +
          'items is not an error.',
      },
    },
  )
  .get(
    '/api/history/summary',
    ({ query, request, server, service }) => {
      server?.timeout(request, GRACE_SECONDS);
      return service.historySummary(searchFilter(query));
    },
    {
      transform: [openTo('history'), readQuery, requireKeyForLists],
      query: HistoryFilterSchema,
      response: {
        200: answer(HistorySummarySchema, { description: 'The counts.', example: EXAMPLES.historySummary }),
        ...refusals('invalid_parameter', ...HISTORY_REFUSALS),
      },
      detail: {
        operationId: 'summarizeHistory',
        tags: ['Checks'],
        summary: 'Count public checks',
        description:
          'Number of matching public checks, by verdict and by day, with the times of the first and the last. By `decision` and ' +
          'whole hours alone, all are counted. Else at most the latest 5,000 that match `decision`, `domain`, `from` and `until` are ' +
          'scanned; `counted_back_to` states where the scan ended.',
      },
    },
  )
  .get(
    '/api/stats',
    ({ request, server, service }) => {
      server?.timeout(request, GRACE_SECONDS);
      return service.stats();
    },
    {
      transform: openTo('stats'),
      response: {
        200: answer(StatsSchema, { description: 'The statistics.', example: EXAMPLES.stats }),
        ...refusals('invalid_parameter', ...HISTORY_REFUSALS),
      },
      detail: {
        operationId: 'readStats',
        tags: ['Checks'],
        summary: 'Read the statistics of the public checks',
        description:
          'Statistics of public checks only; 404 if the operator disabled the public history. Durations are in seconds, free disk space in whole percent.',
      },
    },
  );
