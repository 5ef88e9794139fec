import { type Static, Type } from '@sinclair/typebox';
import type { PreviewedVerdicts } from '#src/admin/lists/preview-change.ts';
import type { CheckResult } from '#src/checks/record/check-result.ts';
import { strongestReasons } from '#src/checks/record/short-result.ts';
import type { FeedbackRow, FeedbackState } from '#src/checks/store/feedback/feedback-queue.ts';
import { FEEDBACK_STATES } from '#src/checks/store/feedback/feedback-schema.ts';
import type { Actor } from '#src/core/base/actor.ts';
import { DAY_MS } from '#src/core/base/clock.ts';
import { requestIdMs } from '#src/core/base/request-id.ts';
import { FeedbackChangeSchema } from '#src/parts/tuning/feedback/feedback-inputs.ts';
import { answer } from '../http/answer.ts';
import { documented } from '../http/documented.ts';
import { parseJsonObject } from '../http/json-body.ts';
import { parameter } from '../http/parameter.ts';
import { type Problem, ProblemError, refuse } from '../http/problem.ts';
import { readQuery } from '../http/query.ts';
import { refusals } from '../http/refusals.ts';
import { routesWith } from '../http/routes-with.ts';
import { limitParameter, numberParameter } from './admin-parameters.ts';
import { BODY_REFUSALS, CHANGE_REFUSALS, CONSOLE_REFUSALS } from './admin-refusals.ts';
import { FeedbackItemSchema, FeedbackPageSchema } from './answers/feedback-answer.ts';
import { PreviewedChangeSchema } from './answers/preview-answer.ts';
import { type ChangeParts, PreviewQuerySchema, refusing, waitLong } from './change-parts.ts';
import { etagOf, requireMatch } from './if-match.ts';
import { actorOf, admitScopes } from './requester.ts';
import { previewOf } from './verdict-preview.ts';

/** Entry and expiry by which feedback is accepted. */
interface Acceptance {
  /** Null for the reported URL and what is below it. */
  readonly entry: string | null;
  readonly expiresAtMs: number | null;
}

/** Operations on feedback. Their errors are those of `lurecheck feedback`. */
export interface FeedbackOperations {
  /** Returns the latest of a state, or of all. */
  list(state: FeedbackState | null, limit: number): Promise<readonly FeedbackRow[]>;
  find(id: number): Promise<FeedbackRow | null>;
  /** Returns the public check of a report; null if the log has it no more, or it cannot be read. */
  checkOf(requestId: string): Promise<CheckResult | null>;
  /** Returns the entry that covers a reported URL; null if none can. */
  entryOf(url: string): Promise<string | null>;
  /** Returns the effect of accepting; null if no entry can cover the URL. */
  preview(given: FeedbackRow, acceptance: Acceptance): Promise<PreviewedVerdicts | null>;
  /** Throws OperationError if no list can take the entry. */
  accept(by: Actor, id: number, acceptance: Acceptance): Promise<void>;
  reject(by: Actor, id: number): Promise<void>;
  /** Takes back what was decided. */
  reopen(by: Actor, id: number): Promise<void>;
}

export interface FeedbackReviewParts extends ChangeParts {
  readonly feedback: FeedbackOperations;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/** Default validity of an accepted entry. */
const DEFAULT_DAYS = 90;

const DEFAULT_LIMIT = 50;

const admitFeedback = admitScopes('feedback');

const EXAMPLE: Static<typeof FeedbackItemSchema> = {
  ...{ id: 12, etag: '"m4yFQxq0H0bU2k3z1vXk5g"', state: 'waiting', url: 'http://evil.example/login' },
  ...{ verdict: 'malicious', comment: null, created_at: '2026-01-31T12:00:00.000Z', entry: null, check: null },
  ...{ default_entry: 'http://evil.example/login', default_expires: '2026-05-01T12:00:00.000Z' },
};

async function shown(
  row: FeedbackRow,
  { feedback, now }: FeedbackReviewParts,
): Promise<Static<typeof FeedbackItemSchema>> {
  const { id, state, url, verdict, comment, receivedAtMs, entry, requestId, decision, probability } = row;
  const details = requestId === null ? null : ((await feedback.checkOf(requestId))?.analysis_details ?? null);
  const check =
    requestId === null || decision === null || probability === null
      ? null
      : {
          ...{ request_id: requestId, url, decision, malicious_probability: probability },
          ...{ model_version: row.modelVersion, timestamp: new Date(requestIdMs(requestId)).toISOString() },
          ...{ coverage: details?.coverage ?? null, caution: details?.caution ?? null },
          ...{ via: details?.via ?? null, decided_by: details?.decided_by ?? null },
          reasons: details === null ? [] : strongestReasons(details),
        };
  return {
    ...{ id, etag: etagOf([id, state, entry]), state, url, verdict, comment: comment === '' ? null : comment },
    ...{ created_at: new Date(receivedAtMs).toISOString(), entry, check, default_entry: await feedback.entryOf(url) },
    default_expires: new Date(defaultExpiry(now())).toISOString(),
  };
}

const defaultExpiry = (nowMs: number) => nowMs + DEFAULT_DAYS * DAY_MS;

const NOT_FOUND: Problem = { code: 'not_found', detail: 'There is no report with this number.' };

async function found({ feedback }: FeedbackReviewParts, text: string): Promise<FeedbackRow> {
  const row = /^[1-9]\d{0,14}$/.test(text) ? await feedback.find(Number(text)) : null;
  if (row === null) throw new ProblemError(NOT_FOUND);
  return row;
}

const conflict = (detail: string): Problem => ({ code: 'conflict', detail });

/** Makes a change that was compared with what its client read. */
async function settle(
  service: FeedbackReviewParts,
  request: Request,
  row: FeedbackRow,
  { state, entry, expires }: Static<typeof FeedbackChangeSchema>,
): Promise<void> {
  const { feedback, now } = service;
  const by = actorOf(request);
  if (state === row.state) return;
  if (state === 'waiting') return await feedback.reopen(by, row.id);
  if (row.state !== 'waiting') return refuse(conflict(`The report is ${row.state}: take that back first.`));
  if (state === 'rejected') return await feedback.reject(by, row.id);
  const expiresAtMs = expires === undefined ? defaultExpiry(now()) : expires === null ? null : Date.parse(expires);
  await feedback.accept(by, row.id, { entry: entry ?? null, expiresAtMs });
}

/** `/api/admin/feedback`: the queue of reports, and what becomes of them. */
export const feedbackRoutes = routesWith<FeedbackReviewParts>()
  .get(
    '/api/admin/feedback',
    ({ query: { state = 'waiting', limit = DEFAULT_LIMIT, cursor = 0 }, service }) =>
      refusing(async () => {
        const rows = await service.feedback.list(state === 'all' ? null : state, cursor + limit + 1);
        const items: Static<typeof FeedbackItemSchema>[] = [];
        for (const row of rows.slice(cursor, cursor + limit)) items.push(await shown(row, service));
        return { items, next_cursor: rows.length > cursor + limit ? String(cursor + limit) : null };
      }),
    {
      transform: [admitFeedback, readQuery],
      query: Type.Object({
        state: Type.Optional(
          parameter<FeedbackState | 'all'>(
            `one of ${FEEDBACK_STATES.join(', ')}, all`,
            (text) => text === 'all' || FEEDBACK_STATES.some((one) => one === text),
            { enum: [...FEEDBACK_STATES, 'all'], description: 'Only reports in this state; `waiting` by default' },
          ),
        ),
        limit: limitParameter,
        cursor: numberParameter('`next_cursor` of the previous page', 0, 5000, 50),
      }),
      response: {
        200: answer(FeedbackPageSchema, {
          description: 'One page.',
          example: { items: [EXAMPLE], next_cursor: null },
        }),
        ...refusals(...CONSOLE_REFUSALS, 'conflict', 'log_unavailable'),
      },
      detail: {
        operationId: 'listFeedback',
        tags: ['Console'],
        summary: 'List the reports',
        description: 'Reports of wrong verdicts, latest first. Scope: `feedback`.',
      },
    },
  )
  .patch(
    '/api/admin/feedback/:id',
    ({ params: { id }, body, query, request, set, service }) =>
      refusing(async () => {
        const row = await found(service, id);
        if (query.preview === 'true') {
          const { entry, expires } = body;
          const expiresAtMs = typeof expires === 'string' ? Date.parse(expires) : null;
          const effect = await service.feedback.preview(row, { entry: entry ?? null, expiresAtMs });
          if (effect === null) throw new ProblemError(conflict('No entry can cover this URL: send entry.'));
          return previewOf(effect);
        }
        return await service.inTurn(async () => {
          requireMatch(request, (await shown(await found(service, id), service)).etag);
          await settle(service, request, row, body);
          const item = await shown(await found(service, id), service);
          set.headers['etag'] = item.etag;
          return item;
        });
      }),
    {
      parse: [admitFeedback, parseJsonObject],
      transform: readQuery,
      beforeHandle: waitLong,
      params: Type.Object({ id: Type.String({ description: 'Number of the report', examples: ['12'] }) }),
      query: PreviewQuerySchema,
      body: documented(FeedbackChangeSchema, {
        description: 'JSON of at most 32 KiB.',
        example: { state: 'accepted', entry: 'evil.example' },
      }),
      response: {
        200: answer(Type.Union([FeedbackItemSchema, PreviewedChangeSchema]), {
          description: 'The report after the change; with `preview=true` the effect of accepting it.',
          example: EXAMPLE,
        }),
        ...refusals(...BODY_REFUSALS, ...CHANGE_REFUSALS, 'not_found', 'log_unavailable'),
      },
      detail: {
        operationId: 'settleFeedback',
        tags: ['Console'],
        summary: 'Accept or reject a report',
        description:
          'Accepting adds an entry to the list `feedback` or `feedback-allow`; `waiting` takes that back. Requires ' +
          '`If-Match`, but not with `preview=true`, which changes nothing. Scope: `feedback`.',
      },
    },
  );
