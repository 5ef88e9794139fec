import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { answer } from './http/answer.ts';
import type { Arrival } from './http/arrivals.ts';
import { problemBody } from './http/problem.ts';
import { refusals } from './http/refusals.ts';

/** Whether checks can be taken. */
export interface Readiness {
  /** Why not; null where they can. */
  readonly problem: { readonly code: 'stopping' | 'log_unavailable'; readonly detail: string } | null;
  /** What else the operator should know, in sentences. */
  readonly notices: readonly string[];
}

/** What the routes of the service's health work with. */
export interface HealthRouteParts {
  readonly readiness: () => Promise<Readiness>;
  readonly arrivalOf: (request: Request) => Arrival;
}

/** The process runs. */
export const HealthSchema = Type.Object(
  { status: Type.Literal('live', { description: 'Always `live`' }) },
  { $id: 'Health', description: 'The process runs' },
);

/** The service takes checks. */
export const ReadinessSchema = Type.Object(
  {
    status: Type.Literal('ready', { description: 'Always `ready`' }),
    notices: Type.Array(Type.String(), {
      description:
        'What was lost from the logs, until the operator has taken notice, and what is away that several nodes share, a sentence each; empty where all is well',
    }),
  },
  { $id: 'Readiness', description: 'The service takes checks' },
);

/** `GET /livez`: the process runs and answers. `GET /readyz`: checks can be taken. Both under any `Host`. */
export function healthRoutes({ readiness, arrivalOf }: HealthRouteParts) {
  return new Elysia({ normalize: false })
    .get('/livez', () => ({ status: 'live' }) as const, {
      response: {
        200: answer(HealthSchema, { description: 'It does.', example: { status: 'live' } }),
        ...refusals('internal'),
      },
      detail: {
        operationId: 'isLive',
        tags: ['Health'],
        summary: 'Does the process answer?',
        description: 'Answers 200 as long as the process runs.',
      },
    })
    .get(
      '/readyz',
      async ({ request, set, status }) => {
        const { problem, notices } = await readiness();
        if (problem === null) return { status: 'ready' as const, notices: [...notices] };
        set.headers['retry-after'] = '10';
        return status(503, problemBody(problem, arrivalOf(request).requestId));
      },
      {
        response: {
          200: answer(ReadinessSchema, { description: 'They can.', example: { status: 'ready', notices: [] } }),
          ...refusals('internal', 'stopping', 'log_unavailable'),
        },
        detail: {
          operationId: 'isReady',
          tags: ['Health'],
          summary: 'Can checks be taken?',
          description:
            'Answers 503 while the service shuts down or cannot keep its logs. Where nobody checked for half a minute, it is tried.',
        },
      },
    );
}
