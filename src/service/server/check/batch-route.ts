import { Type } from '@sinclair/typebox';
import { shortResult } from '#src/checks/record/short-result.ts';
import { EXAMPLES } from '../docs/examples.ts';
import { answerInParts, streamed } from '../http/answer.ts';
import { documented } from '../http/documented.ts';
import { parseManyInJson } from '../http/json-body.ts';
import { readQuery } from '../http/known-parameters.ts';
import { preferredType } from '../http/negotiation.ts';
import { LIMITED_REFUSALS, refusals } from '../http/refusals.ts';
import { isFromPage, ownHost, ownSite } from '../http/request-site.ts';
import { requireConnected } from '../http/require-connected.ts';
import { routesWith, type WithService } from '../http/routes-with.ts';
import { takeFirstPlace } from '../limiter/counted.ts';
import type { QuotaContext } from '../limiter/quota.ts';
import { type BatchOrder, type BatchParts, checkBatch } from './batch.ts';
import { type BatchAnswer, BatchAnswerSchema, type BatchItem } from './batch-answer.ts';
import { type BatchRequestJson, BatchRequestSchema, readEntries } from './batch-request.ts';
import type { CheckConnection, CheckRouteParts } from './check-route.ts';
import { type View, ViewQuerySchema, viewOf } from './view-query.ts';

/** JSON, an item a line. */
const LINES = 'application/x-ndjson';

export type BatchRouteParts = CheckRouteParts & BatchParts;

type OnItem = Parameters<typeof checkBatch>[2];

interface BatchContext extends CheckConnection, Pick<QuotaContext, 'set'>, WithService<BatchRouteParts> {
  readonly body: BatchRequestJson;
}

/** An item as it is asked for; what was not checked has one form. */
const viewed = (item: BatchItem, view: View) => ('problem' in item ? item : view(item));

async function orderOf({ body, request, set, service: { quota } }: BatchContext): Promise<BatchOrder> {
  const entries = readEntries(body.urls);
  // The place of the first was taken before anything was read.
  const refused = await quota.takeMorePlaces({ request, set }, entries.length - 1);
  return {
    entries: entries.map((entry, at) => ({ ...entry, refusal: refused[at - 1] ?? null })),
    visibility: body.private_mode === true ? 'private' : 'public',
    via: isFromPage(request.headers) ? 'page' : 'api',
    client: quota.clientOf(request),
    left: request.signal,
  };
}

async function checkAll(order: BatchOrder, { request, server, service }: BatchContext, onItem: OnItem): Promise<void> {
  // For as long as it takes: each check has its deadline.
  server?.timeout(request, 0);
  await checkBatch(order, service, onItem);
  server?.timeout(request, service.silenceSeconds);
}

async function inLines(context: BatchContext, view: View): Promise<Response> {
  const order = await orderOf(context);
  return streamed(LINES, (send) =>
    checkAll(order, context, (item, places) => send(`${JSON.stringify(viewed(item, view))}\n`.repeat(places.length))),
  );
}

async function together(context: BatchContext): Promise<BatchAnswer> {
  const items: BatchItem[] = [];
  await checkAll(await orderOf(context), context, (item, places) => {
    for (const place of places) items[place] = item;
  });
  return { items };
}

async function inShort(context: BatchContext): Promise<Response> {
  const { items } = await together(context);
  return Response.json({ items: items.map((item) => viewed(item, shortResult)) });
}

/** `POST /api/check-urls`: the check of several URLs. */
export const batchRoute = routesWith<BatchRouteParts>().post(
  '/api/check-urls',
  ({ body, query, headers: { accept = null }, request, server, set, service }) => {
    set.headers.vary = 'accept';
    const context = { body, request, server, set, service };
    const view = viewOf(query);
    if (preferredType(accept, ['application/json', LINES]) === LINES) return inLines(context, view);
    return query.view === 'short' ? inShort(context) : together(context);
  },
  {
    parse: [takeFirstPlace, ownSite, ownHost, parseManyInJson],
    transform: readQuery,
    beforeHandle: requireConnected,
    query: ViewQuerySchema,
    body: documented(BatchRequestSchema, {
      description: 'JSON of at most 896 KiB, not encoded.',
      example: EXAMPLES.batchRequest,
    }),
    headers: Type.Object({ accept: Type.Optional(Type.String()) }),
    response: {
      200: answerInParts(BatchAnswerSchema, {
        description: 'One item per URL.',
        example: EXAMPLES.batchAnswer,
        headers: ['RateLimit-Policy', 'RateLimit'],
      }),
      ...refusals(...LIMITED_REFUSALS),
    },
    detail: {
      operationId: 'checkUrls',
      tags: ['Checks'],
      summary: 'Check up to 100 URLs',
      description:
        'The same check for several URLs, answered in the order of the request. A client whose `Accept` prefers ' +
        '`application/x-ndjson` to `application/json` gets one item per line, as they complete. Each URL counts as one check ' +
        'for the limit of the client, or of a key with the scope `batch`. The URLs beyond the limit are answered with ' +
        '`rate_limited` and the seconds to wait. An invalid URL fails only its own item. A URL that occurs several times is ' +
        'checked, logged and counted once. With `view=short` each result is a `ShortResult`.',
    },
  },
);
