import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import type { CheckService } from '#src/check/check.ts';
import { CheckResultSchema } from '#src/record/check-result.ts';
import { isTargetProblem, parseTarget } from '#src/url/target.ts';
import { EXAMPLES } from '../docs/examples.ts';
import { answer } from '../http/answer.ts';
import type { Arrival } from '../http/arrivals.ts';
import { documented } from '../http/documented.ts';
import type { ProblemOf } from '../http/faults.ts';
import { parseJsonObject } from '../http/json-body.ts';
import { badFields, problemBody } from '../http/problem.ts';
import { refusals } from '../http/refusals.ts';
import type { RequestGuard } from '../http/request-site.ts';
import { stillThere } from '../http/still-there.ts';
import type { Quota } from '../limiter/quota.ts';
import { CheckRequestSchema } from './check-request.ts';
import { checkStream, STAGES, wantsStages } from './check-stream.ts';

/** Every kind of problem that a request to check a URL may be refused with. */
const CHECK_REFUSALS = [
  'invalid_json',
  'invalid_body',
  'unknown_member',
  'invalid_url',
  'unsupported_scheme',
  'url_too_long',
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

/** What the route of a check works with. */
export interface CheckRouteParts {
  readonly check: CheckService;
  readonly quota: Quota;
  readonly arrivalOf: (request: Request) => Arrival;
  readonly problemOf: ProblemOf;
  readonly ownSite: RequestGuard;
  readonly ownHost: RequestGuard;
  /** Seconds for which a connection may be silent while its check runs; 0 for as long as it takes. */
  readonly silenceSeconds: number;
}

/**
 * `POST /api/check-url`. The hooks for the body come before any other of Elysia's that belong to one route, so they keep
 * the order of refusals: whoever is over the limit learns just that, and of nobody who is refused the body is read.
 */
export function checkRoute({ check, quota, arrivalOf, problemOf, ownSite, ownHost, silenceSeconds }: CheckRouteParts) {
  return new Elysia({ normalize: false }).post(
    '/api/check-url',
    ({ body: { url, private_mode: isPrivate = false }, headers: { accept }, request, server, set, status }) => {
      const { requestId, startedAtMs } = arrivalOf(request);
      const target = parseTarget(url);
      if (isTargetProblem(target)) {
        return status(400, problemBody(badFields([{ field: 'url', ...target }]), requestId));
      }
      server?.timeout(request, silenceSeconds);
      const order = {
        target,
        visibility: isPrivate ? 'private' : 'public',
        client: quota.clientOf(request)?.key ?? null,
        requestId,
        startedAtMs,
        left: request.signal,
      } as const;
      if (!wantsStages(accept)) return check.check(order);
      set.headers['content-type'] = 'text/event-stream';
      // Keeps nginx from holding the events back.
      set.headers['x-accel-buffering'] = 'no';
      return checkStream(
        (onStage) => check.check({ ...order, onStage }),
        (error) => problemBody(problemOf(error, { requestId, isPrivate }), requestId),
      );
    },
    {
      parse: [quota.takePlace, ownSite, ownHost, parseJsonObject],
      beforeHandle: stillThere,
      body: documented(CheckRequestSchema, {
        description: 'JSON of at most 32 KiB, not encoded.',
        example: EXAMPLES.checkRequest,
      }),
      headers: Type.Object({
        accept: Type.Optional(
          Type.String({ description: '`text/event-stream` asks for the stages while the check runs' }),
        ),
      }),
      response: {
        200: answer(CheckResultSchema, {
          description: 'The finished check.',
          example: EXAMPLES.checkResult,
          headers: ['RateLimit-Policy', 'RateLimit'],
          alternatives: { 'text/event-stream': { schema: STAGES, example: EXAMPLES.stages } },
        }),
        ...refusals(...CHECK_REFUSALS),
      },
      detail: {
        operationId: 'checkUrl',
        tags: ['Checks'],
        summary: 'Check one URL',
        description:
          'Says how likely the URL is phishing, what to do about it, and why. The answer goes out only after the check is ' +
          'logged: in the public scan history, or, with `private_mode`, in the private log, with the same result. Ask with ' +
          '`Accept: text/event-stream` to see the stages while the check runs.',
      },
    },
  );
}
