import { Type } from '@sinclair/typebox';
import type { CheckRequest, CheckService } from '#src/checks/check/check.ts';
import { shortResult } from '#src/checks/record/short-result.ts';
import { createRequestId } from '#src/core/base/request-id.ts';
import { EXAMPLES } from '../docs/examples.ts';
import { answerInParts, breachOf, streamed } from '../http/answer.ts';
import { documented } from '../http/documented.ts';
import type { ProblemOf } from '../http/faults.ts';
import { parseManyInJson } from '../http/json-body.ts';
import { readQuery } from '../http/known-parameters.ts';
import { preferredType } from '../http/negotiation.ts';
import type { Problem } from '../http/problem.ts';
import { LIMITED_REFUSALS, refusals } from '../http/refusals.ts';
import { isFromPage, ownHost, ownSite } from '../http/request-site.ts';
import { requireConnected } from '../http/require-connected.ts';
import { routesWith, type WithService } from '../http/routes-with.ts';
import { takeFirstPlace } from '../limiter/counted.ts';
import type { QuotaContext } from '../limiter/quota.ts';
import { type BatchAnswer, BatchAnswerSchema, type BatchItem, failedItem } from './batch-answer.ts';
import { type BatchEntry, type BatchRequestJson, BatchRequestSchema, readEntries } from './batch-request.ts';
import {
  CHECKED,
  type CheckConnection,
  type CheckRouteParts,
  type View,
  ViewQuerySchema,
  viewOf,
} from './check-route.ts';

/** Work on items that wait for nothing but the log. */
interface WorkInTurns<T> {
  readonly work: (item: T) => Promise<void>;
  /** Estimate of the work on an item, such as the length of its text; a turn takes at most {@link MAX_WEIGHT}. */
  readonly weightOf: (item: T) => number;
  /** Aborted to start no further item. */
  readonly until: AbortSignal;
}

/** Maximum weight of a turn, unless a single item has more: some 16 ordinary URLs. */
const MAX_WEIGHT = 2048;

/** Maximum number of items in a turn, and that of the first, since cold code takes several times longer. */
const MAX_ITEMS = 16;
const FIRST_ITEMS = 2;

/** Turns that take longer are followed by one with half as many items, in milliseconds. */
const LONG_MS = 4;

/**
 * Starts the items in order, some in each turn of the event loop: they go through each stage together, while its code is in
 * the processor's caches, and other work comes in between. Resolves once all that were started have ended; rejects with what
 * one throws.
 */
export async function runInTurns<T extends object>(
  items: readonly T[],
  { work, weightOf, until }: WorkInTurns<T>,
): Promise<void> {
  const started: Promise<PromiseSettledResult<void>[]>[] = [];
  let most = FIRST_ITEMS;
  for (let next = 0; next < items.length && !until.aborted; ) {
    const beganMs = performance.now();
    const turn: Promise<void>[] = [];
    let weight = 0;
    for (let item = items[next]; item !== undefined && turn.length < most; item = items[++next]) {
      weight += weightOf(item);
      if (turn.length > 0 && weight > MAX_WEIGHT) break;
      turn.push(work(item));
    }
    started.push(Promise.allSettled(turn));
    await new Promise(setImmediate);
    const isLong = performance.now() - beganMs > LONG_MS;
    most = isLong ? Math.max(1, most >> 1) : Math.min(MAX_ITEMS, most * 2);
  }
  for (const ended of (await Promise.all(started)).flat()) if (ended.status === 'rejected') throw ended.reason;
}

/** Dependencies of a batch of checks. */
export interface BatchParts {
  readonly check: CheckService;
  readonly problemOf: ProblemOf;
  /** Maximum number of concurrent checks of one request that use the network. */
  readonly batchConcurrency: number;
  /** False if no check uses the network. */
  readonly usesNetwork: boolean;
  /** Aborted once the service shuts down. */
  readonly stopping: AbortSignal;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/** A batch of checks. */
interface BatchOrder extends Required<Pick<CheckRequest, 'visibility' | 'via' | 'client' | 'left'>> {
  /** Entries with their refusals; null if accepted. */
  readonly entries: readonly (BatchEntry & { readonly refusal: Problem | null })[];
}

/** Problem of the URLs that are left when the service stops. */
const STOPPING: Problem = {
  code: 'stopping',
  detail: 'The service is shutting down.',
  headers: { 'retry-after': '2' },
};

/**
 * Runs the checks of a batch, those that use the network concurrently and reports each result with its positions as it arrives. A failed item does not
 * affect others. Starts no further check once the client has disconnected.
 */
export async function checkBatch(
  { entries, ...common }: BatchOrder,
  { check, problemOf, batchConcurrency, usesNetwork, stopping, now }: BatchParts,
  onItem: (item: BatchItem, places: readonly number[]) => void,
): Promise<void> {
  async function itemOf({ url, request, refusal }: BatchOrder['entries'][number]): Promise<BatchItem> {
    const startedAtMs = now();
    const requestId = createRequestId(startedAtMs);
    const failed = (problem: Problem) => failedItem(url, problem, requestId);
    if (refusal) return failed(refusal);
    if ('code' in request) return failed(request);
    if (stopping.aborted) return failed(STOPPING);
    try {
      const result = await check.check({ ...request, ...common, requestId, startedAtMs });
      const breach = breachOf(CHECKED, result);
      if (breach !== null) throw new Error(breach);
      return result;
    } catch (error) {
      return failed(problemOf(error, { requestId, isPrivate: common.visibility === 'private' }));
    }
  }
  const work = async (entry: BatchOrder['entries'][number]) => onItem(await itemOf(entry), entry.places);
  const isOffline = ({ request }: BatchEntry) => !usesNetwork || 'code' in request || request.visit === false;
  const until = common.left;
  await Promise.all([
    runConcurrently(
      entries.filter((entry) => !isOffline(entry)),
      { limit: batchConcurrency, until, work },
    ),
    runInTurns(entries.filter(isOffline), { weightOf: ({ url }) => url?.length ?? 0, until, work }),
  ]);
}

/** Work on items with limited concurrency. */
interface ConcurrentWork<T> {
  /** Maximum number of items in progress; at least 1. */
  readonly limit: number;
  readonly work: (item: T) => Promise<void>;
  /** Aborted to start no further item. */
  readonly until: AbortSignal;
}

/**
 * Starts the items in order with limited concurrency. Resolves once all that were started have ended; rejects with what one
 * throws.
 */
async function runConcurrently<T>(items: readonly T[], { limit, work, until }: ConcurrentWork<T>): Promise<void> {
  const left = items.values();
  const takeTurns = async () => {
    for (const item of left) {
      if (until.aborted) return;
      await work(item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, takeTurns));
}

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
