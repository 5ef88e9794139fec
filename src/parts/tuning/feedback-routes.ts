import { type Static, Type } from '@sinclair/typebox';
import type { PreviewView } from '#src/admin/active/scoring-context.ts';
import type { OperatorAct } from '#src/admin/audit/act.ts';
import { strongestReasons } from '#src/checks/record/short-result.ts';
import { isUnreadable } from '#src/checks/record/stored-result.ts';
import type { FeedbackReview, FeedbackRow, FeedbackState } from '#src/checks/store/feedback/feedback-queue.ts';
import { FEEDBACK_STATES } from '#src/checks/store/feedback/feedback-schema.ts';
import type { ScanLog } from '#src/checks/store/scan-log.ts';
import type { Actor } from '#src/core/base/actor.ts';
import { DAY_MS } from '#src/core/base/clock.ts';
import { requestIdMs } from '#src/core/base/request-id.ts';
import { previewOf } from '#src/parts/lists/preview-lists.ts';
import {
  ACCEPT_FEEDBACK,
  type Acceptance,
  entryOf,
  REJECT_FEEDBACK,
  REOPEN_FEEDBACK,
  type ReviewPlace,
} from '#src/parts/tuning/feedback/feedback-acts.ts';
import { type ActParts, actRoute, changedAsRead, etagOf, viewRoute } from '#src/service/server/admin/act-route.ts';
import {
  BODY_REFUSALS,
  CHANGE_REFUSALS,
  PreviewQuerySchema,
  refusing,
} from '#src/service/server/admin/change-parts.ts';
import { FeedbackItemSchema, FeedbackPageSchema } from '#src/service/server/admin/operator-answers.ts';
import { PreviewedChangeSchema } from '#src/service/server/admin/preview-answer.ts';
import { answer } from '#src/service/server/http/answer.ts';
import { limitParameter, numberParameter, parameter } from '#src/service/server/http/parameter.ts';
import { type Problem, ProblemError, refuse } from '#src/service/server/http/problem.ts';
import { routesWith } from '#src/service/server/http/routes-with.ts';

/** The place of the acts on feedback, with the checks that it is about. */
type FeedbackPlace = PreviewView & ReviewPlace<FeedbackReview> & { readonly log: Pick<ScanLog, 'find'> };

interface FeedbackReviewParts extends ActParts<FeedbackPlace> {
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/** Default validity of an accepted entry. */
const DEFAULT_DAYS = 90;

const DEFAULT_LIMIT = 50;

const EXAMPLE: Static<typeof FeedbackItemSchema> = {
  ...{ id: 12, etag: '"m4yFQxq0H0bU2k3z1vXk5g"', state: 'waiting', url: 'http://evil.example/login' },
  ...{ verdict: 'malicious', comment: null, created_at: '2026-01-31T12:00:00.000Z', entry: null, check: null },
  ...{ default_entry: 'http://evil.example/login', default_expires: '2026-05-01T12:00:00.000Z' },
};

async function shown(row: FeedbackRow, { acts, now }: FeedbackReviewParts): Promise<Static<typeof FeedbackItemSchema>> {
  const { id, state, url, verdict, comment, receivedAtMs, entry, requestId, decision, probability } = row;
  const logged = requestId === null ? null : await acts.place.log.find('public', requestId);
  const details = logged === null || isUnreadable(logged.result) ? null : logged.result.analysis_details;
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
    ...{ id, etag: tagOf(row), state, url, verdict, comment: comment === '' ? null : comment },
    ...{ created_at: new Date(receivedAtMs).toISOString(), entry, check, default_entry: entryOf(url) },
    default_expires: new Date(defaultExpiry(now())).toISOString(),
  };
}

const tagOf = ({ id, state, entry }: FeedbackRow) => etagOf([id, state, entry]);

const msOrNull = (time: string | null) => (time === null ? null : Date.parse(time));

const defaultExpiry = (nowMs: number) => nowMs + DEFAULT_DAYS * DAY_MS;

const NOT_FOUND: Problem = { code: 'not_found', detail: 'There is no report with this number.' };

async function found({ acts }: FeedbackReviewParts, text: string): Promise<FeedbackRow> {
  const isId = /^[1-9]\d{0,14}$/.test(text);
  const row = isId ? await acts.place.reviewing(async (review) => await review?.find(Number(text))) : null;
  if (!row) throw new ProblemError(NOT_FOUND);
  return row;
}

const conflict = (detail: string): Problem => ({ code: 'conflict', detail });

/** Makes what a client wants of a report: an act, or nothing if it is so already. */
async function settle(
  { acts }: FeedbackReviewParts,
  by: Actor,
  acceptance: Acceptance,
  state: FeedbackState,
): Promise<void> {
  const { row } = acceptance;
  if (state === row.state) return;
  const made = <Input, Draft, Done>(act: OperatorAct<Input, Draft, Done, FeedbackPlace>, input: Input) =>
    acts.withDraft(act, input, (_, commit) => commit(by));
  if (state === 'waiting') await made(REOPEN_FEEDBACK, row);
  else if (row.state !== 'waiting') refuse(conflict(`The report is ${row.state}: take that back first.`));
  else if (state === 'rejected') await made(REJECT_FEEDBACK, row.id);
  else await made(ACCEPT_FEEDBACK, acceptance);
}

/** `/api/admin/feedback`: the queue of reports, and what becomes of them. */
export const feedbackRoutes = routesWith<FeedbackReviewParts>()
  .get(
    '/api/admin/feedback',
    ({ query: { state = 'waiting', limit = DEFAULT_LIMIT, cursor = 0 }, service }) =>
      refusing(async () => {
        const wanted = state === 'all' ? null : state;
        const rows = await service.acts.place.reviewing(async (review) => [
          ...((await review?.newest(wanted, cursor + limit + 1)) ?? []),
        ]);
        const items: Static<typeof FeedbackItemSchema>[] = [];
        for (const row of rows.slice(cursor, cursor + limit)) items.push(await shown(row, service));
        return { items, next_cursor: rows.length > cursor + limit ? String(cursor + limit) : null };
      }),
    viewRoute(['feedback'], {
      id: 'listFeedback',
      summary: 'List the reports',
      description: 'Reports of wrong verdicts, latest first. Scope: `feedback`.',
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
      answers: {
        200: answer(FeedbackPageSchema, {
          description: 'One page.',
          example: { items: [EXAMPLE], next_cursor: null },
        }),
      },
      refuses: ['conflict', 'log_unavailable'],
    }),
  )
  .patch(
    '/api/admin/feedback/:id',
    ({ params: { id }, body: { state, entry = null, expires }, query: { preview }, request, set, service }) =>
      changedAsRead(
        { request, service, preview },
        {
          current: async () => tagOf(await found(service, id)),
          async effect() {
            const row = await found(service, id);
            if (entry === null && entryOf(row.url) === null)
              throw new ProblemError(conflict('No entry can cover this URL: send entry.'));
            const acceptance = { row, entry, expiresAtMs: msOrNull(expires ?? null) };
            return previewOf(await service.acts.preview(ACCEPT_FEEDBACK, acceptance));
          },
          async make(by) {
            const row = await found(service, id);
            const expiresAtMs = expires === undefined ? defaultExpiry(service.now()) : msOrNull(expires);
            await settle(service, by, { row, entry, expiresAtMs }, state);
            const item = await shown(await found(service, id), service);
            set.headers['etag'] = item.etag;
            return item;
          },
        },
      ),
    actRoute(ACCEPT_FEEDBACK, {
      id: 'settleFeedback',
      summary: 'Accept or reject a report',
      description:
        'Accepting adds an entry to the list `feedback` or `feedback-allow`; `waiting` takes that back. Requires ' +
        '`If-Match`, but not with `preview=true`, which changes nothing. Scope: `feedback`.',
      params: Type.Object({ id: Type.String({ description: 'Number of the report', examples: ['12'] }) }),
      query: PreviewQuerySchema,
      body: { description: 'JSON of at most 32 KiB.', example: { state: 'accepted', entry: 'evil.example' } },
      answers: {
        200: answer(Type.Union([FeedbackItemSchema, PreviewedChangeSchema]), {
          description: 'The report after the change; with `preview=true` the effect of accepting it.',
          example: EXAMPLE,
        }),
      },
      refuses: [...BODY_REFUSALS, ...CHANGE_REFUSALS, 'not_found', 'log_unavailable'],
    }),
  );
