import { Type } from '@sinclair/typebox';
import type { Server } from 'bun';
import type { CheckRequest, CheckService, CheckStage } from '#src/checks/check/check.ts';
import { type CheckResult, CheckResultSchema } from '#src/checks/record/check-result.ts';
import { type ShortResult, shortResult } from '#src/checks/record/short-result.ts';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';
import { EXAMPLES } from '../docs/examples.ts';
import { answer, breachOf, streamed } from '../http/answer.ts';
import { documented } from '../http/documented.ts';
import type { ProblemOf } from '../http/faults.ts';
import type { Arrival } from '../http/http-app.ts';
import { parseJsonObject } from '../http/json-body.ts';
import { readQuery } from '../http/known-parameters.ts';
import { prefersEvents } from '../http/negotiation.ts';
import { parameter } from '../http/parameter.ts';
import { badFields, type ProblemBody, ProblemError, problemBody } from '../http/problem.ts';
import { refusals } from '../http/refusals.ts';
import { isFromPage, ownHost, ownSite, type SiteParts } from '../http/request-site.ts';
import { requireConnected } from '../http/require-connected.ts';
import { routesWith } from '../http/routes-with.ts';
import { type QuotaParts, takePlace } from '../limiter/counted.ts';
import type { ResultSigner } from '../results/result-signer.ts';
import { type CheckRequestJson, CheckRequestSchema } from './check-request.ts';

/** The parameters of a check. Others are refused before it begins. */
export const ViewQuerySchema = Type.Object(
  {
    view: Type.Optional(
      parameter<'short'>('short', (text) => text === 'short', {
        enum: ['short'],
        description: '`short` returns a `ShortResult` instead of each result: at most 300 bytes besides the URL',
        examples: ['short'],
      }),
    ),
  },
  { additionalProperties: true },
);

/** Formats a result for an answer. */
export type View = (result: CheckResult) => CheckResult | ShortResult;

/** Returns the requested view. */
export function viewOf({ view }: { readonly view?: 'short' }): View {
  return view === 'short' ? shortResult : (result) => result;
}

/** Server-sent events of {@link checkStream}. */
const StagesSchema = Type.String({
  contentMediaType: 'text/event-stream',
  description:
    'Events `stage` (`{stage, state, elapsed_seconds}`; `stage` is `observe`, one of its probes, `assess` or `log`, `state` ' +
    '`started` or `finished`, the seconds count from the beginning of the check), then one `signature` ' +
    '(`{signature}`: Ed25519, base64url, by which a link to the result is verified) and one ' +
    '`result` (a CheckResult, or a ShortResult with `view=short`), or one `problem` (a Problem) where the check could not be finished.',
});

interface StreamParts {
  readonly sign: (result: CheckResult) => string;
  readonly view: View;
  readonly problemOf: (error: unknown) => ProblemBody;
}

/**
 * Sends a check as server-sent events (HTML §9.2): a `stage` whenever one starts or finishes, then one `signature` and
 * one `result`, or one `problem` if the check failed. A check continues if its client disconnects.
 */
function checkStream(
  start: (onStage: (stage: CheckStage) => void) => Promise<CheckResult>,
  { sign, view, problemOf }: StreamParts,
): Response {
  return streamed('text/event-stream', async (send) => {
    // JSON holds no line break, so one `data` line carries it whole.
    const sendEvent = (event: string, data: unknown) => send(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    try {
      const result = await start((stage) => sendEvent('stage', stage));
      sendEvent('signature', { signature: sign(result) });
      sendEvent('result', view(result));
    } catch (error) {
      sendEvent('problem', problemOf(error));
    }
  });
}

/** The answer to one check. */
export const CHECKED = answer(CheckResultSchema, {
  description: 'The finished check.',
  example: EXAMPLES.checkResult,
  headers: ['RateLimit-Policy', 'RateLimit'],
});

/** Every kind of problem that a request to check a URL may be refused with. */
const CHECK_REFUSALS = [
  'invalid_json',
  'invalid_body',
  'unknown_member',
  'invalid_parameter',
  'invalid_url',
  'unsupported_scheme',
  'url_too_long',
  'unauthorized',
  'forbidden_scope',
  'cross_site',
  'body_too_large',
  'unsupported_media_type',
  'misdirected',
  'rate_limited',
  'internal',
  'overloaded',
  'stopping',
  'log_unavailable',
] as const;

/** The connection on which a check was asked for. */
export interface CheckConnection {
  readonly request: Request;
  /** Null without a listener, as in a test of the routes alone. */
  readonly server: Pick<Server<unknown>, 'timeout'> | null;
}

export interface CheckRouteParts extends QuotaParts, SiteParts {
  readonly check: CheckService;
  /** Signs what goes out with its stages. */
  readonly results: ResultSigner;
  readonly arrivalOf: (request: Request) => Arrival;
  readonly problemOf: ProblemOf;
  /** Seconds for which a connection may be silent while its check runs; 0 for as long as it takes. */
  readonly silenceSeconds: number;
}

function orderOf(body: CheckRequestJson, { request, server }: CheckConnection, service: CheckRouteParts) {
  const { url, private_mode: isPrivate = false, visit = true, screenshot } = body;
  const target = parseTarget(url);
  if (isTargetProblem(target)) throw new ProblemError(badFields([{ field: 'url', ...target }]));
  server?.timeout(request, service.silenceSeconds);
  return {
    ...service.arrivalOf(request),
    target,
    visibility: isPrivate ? 'private' : 'public',
    via: isFromPage(request.headers) ? 'page' : 'api',
    ...{ visit, screenshot },
    client: service.quota.clientOf(request),
    left: request.signal,
  } as const;
}

function inStages(order: CheckRequest, view: View, { check, results, problemOf }: CheckRouteParts): Response {
  return checkStream((onStage) => check.check({ ...order, onStage }), {
    sign: results.sign,
    view,
    problemOf(error) {
      const { requestId, visibility } = order;
      return problemBody(problemOf(error, { requestId, isPrivate: visibility === 'private' }), requestId);
    },
  });
}

async function inShort(order: CheckRequest, { check }: CheckRouteParts): Promise<Response> {
  const result = await check.check(order);
  const breach = breachOf(CHECKED, result);
  if (breach !== null) throw new Error(breach);
  return Response.json(shortResult(result));
}

/**
 * Hooks of both routes. The hooks for the body run before all other hooks of a route, which maintains the order of
 * refusals: a client over its limit learns only that, and no body of a refused client is read.
 */
const TAKEN = {
  parse: [takePlace, ownSite, ownHost, parseJsonObject],
  transform: readQuery,
  beforeHandle: requireConnected,
  query: ViewQuerySchema,
  body: documented(CheckRequestSchema, {
    description: 'JSON of at most 32 KiB, not encoded.',
    example: EXAMPLES.checkRequest,
  }),
};

/** `POST /api/check-url` and `POST /api/check-url/stream`. */
export const checkRoute = routesWith<CheckRouteParts>()
  .post(
    '/api/check-url',
    ({ body, query, headers: { accept }, request, server, set, service }) => {
      set.headers.vary = 'accept';
      const order = orderOf(body, { request, server }, service);
      if (prefersEvents(accept)) return inStages(order, viewOf(query), service);
      return query.view === 'short' ? inShort(order, service) : service.check.check(order);
    },
    {
      ...TAKEN,
      headers: Type.Object({ accept: Type.Optional(Type.String()) }),
      response: {
        200: CHECKED,
        ...refusals(...CHECK_REFUSALS),
      },
      detail: {
        operationId: 'checkUrl',
        tags: ['Checks'],
        summary: 'Check one URL',
        description:
          'Returns the probability that the URL is phishing, a decision, and the reasons. The check is logged before it is ' +
          'answered: in the public scan history, or, with `private_mode`, in the private log, with the same result. A client ' +
          'whose `Accept` prefers `text/event-stream` to `application/json` gets the answer of `/api/check-url/stream`. ' +
          'With `view=short` the answer is a `ShortResult`.',
      },
    },
  )
  .post(
    '/api/check-url/stream',
    ({ body, query, request, server, service }) =>
      inStages(orderOf(body, { request, server }, service), viewOf(query), service),
    {
      ...TAKEN,
      response: {
        200: answer(StagesSchema, {
          description: 'The stages of the check, then its result.',
          example: EXAMPLES.stages,
          headers: ['RateLimit-Policy', 'RateLimit'],
        }),
        ...refusals(...CHECK_REFUSALS),
      },
      detail: {
        operationId: 'checkUrlInStages',
        tags: ['Checks'],
        summary: 'Check one URL, with its stages',
        description:
          'The same check as server-sent events: its stages while it runs, then its result. It counts as one check. A request ' +
          'that is refused gets the same problem as at `/api/check-url`; a check that fails later ends with a `problem` event.',
      },
    },
  );
