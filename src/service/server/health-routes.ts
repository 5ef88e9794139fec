import { type Static, Type } from '@sinclair/typebox';
import { stringEnum } from '#src/checks/record/bounded-schema.ts';
import { ConditionSchema } from './condition-schema.ts';
import { answer } from './http/answer.ts';
import type { Arrival } from './http/http-app.ts';
import { readQuery } from './http/known-parameters.ts';
import { type Problem, ProblemSchema, problemBody } from './http/problem.ts';
import { refusals } from './http/refusals.ts';
import { routesWith } from './http/routes-with.ts';

/** State of a part of the service: working, degraded, failed, or switched off. */
const PART_STATES = ['ok', 'degraded', 'failed', 'off'] as const;

const ServicePartSchema = Type.Object(
  {
    name: Type.String({ description: 'Name of the component, for programs; later versions may add components' }),
    state: stringEnum(PART_STATES, {
      description: '`ok`; `degraded`: checks continue; `failed`: checks are refused; `off`: not configured',
    }),
    detail: Type.Union([Type.String(), Type.Null()], { description: 'Details for people; null if there are none' }),
  },
  { $id: 'ServicePart', description: 'A component of the service and its state' },
);

/** A part of the service, and how it is. */
export type ServicePart = Static<typeof ServicePartSchema>;

const PartsSchema = Type.Optional(
  Type.Array(ServicePartSchema, {
    description: 'The components of the service; only with `verbose`',
  }),
);

const ConditionsSchema = Type.Optional(
  Type.Array(ConditionSchema, { description: 'The same as `notices`, for programs; only with `verbose`' }),
);

/** Readiness to accept checks. */
export interface Readiness {
  /** Each part, and how it is: as everybody may know. */
  readonly parts: readonly ServicePart[];
  /** The obstacle; null if checks are accepted. */
  readonly problem: { readonly code: 'stopping' | 'log_unavailable'; readonly detail: string } | null;
  /** Further notices to the operator, in sentences. */
  readonly notices: readonly string[];
  /** The same for programs, as everybody may know it. */
  readonly conditions: readonly Static<typeof ConditionSchema>[];
}

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
        'One sentence per condition that needs the operator, such as lost checks or an unreachable database; empty if there are none',
    }),
    conditions: ConditionsSchema,
    parts: PartsSchema,
  },
  { $id: 'Readiness', description: 'The service accepts checks' },
);

/** The service takes no checks. */
export const NotReadySchema = Type.Object(
  { ...ProblemSchema.properties, conditions: ConditionsSchema, parts: PartsSchema },
  { $id: 'NotReady', description: 'Why the service accepts no checks (RFC 9457)' },
);

const ReadinessQuerySchema = Type.Object(
  {
    verbose: Type.Optional(
      Type.Unsafe<string | string[]>({
        ...Type.Unknown(),
        type: 'string',
        description: 'List the components of the service; the value is ignored',
        examples: [''],
      }),
    ),
  },
  { additionalProperties: true },
);

const UNREADY: Problem = { code: 'log_unavailable', detail: 'The public log cannot be written: the disk is full.' };
const UNREADY_PART: ServicePart = { name: 'public_log', state: 'failed', detail: UNREADY.detail };

/** `GET /livez`: the process runs and answers. `GET /readyz`: checks can be taken. Both under any `Host`. */
export const healthRoutes = routesWith<HealthRouteParts>()
  .get('/livez', () => ({ status: 'live' }) as const, {
    response: {
      200: answer(HealthSchema, { description: 'The process runs.', example: { status: 'live' } }),
      ...refusals('internal'),
    },
    detail: {
      operationId: 'isLive',
      tags: ['Health'],
      summary: 'Liveness',
      description: 'Answers 200 as long as the process runs.',
    },
  })
  .get(
    '/readyz',
    async ({ query, request, set, status, service }) => {
      const { problem, notices, conditions, parts } = await service.readiness();
      const verbose = query.verbose === undefined ? {} : { conditions: [...conditions], parts: [...parts] };
      if (problem === null) return { status: 'ready' as const, notices: [...notices], ...verbose };
      set.headers['retry-after'] = '10';
      return status(503, { ...problemBody(problem, service.arrivalOf(request).requestId), ...verbose });
    },
    {
      transform: readQuery,
      query: ReadinessQuerySchema,
      response: {
        200: answer(ReadinessSchema, {
          description: 'The service accepts checks.',
          example: { status: 'ready', notices: [], parts: [{ name: 'public_log', state: 'ok', detail: null }] },
        }),
        ...refusals('internal', 'stopping', 'log_unavailable'),
        503: answer(NotReadySchema, {
          description: 'The service accepts no checks.',
          example: { ...problemBody(UNREADY, '0198c0de-0000-7a11-8b3c-5d9f1e2a4c6b'), parts: [UNREADY_PART] },
          headers: ['Retry-After'],
        }),
      },
      detail: {
        operationId: 'isReady',
        tags: ['Health'],
        summary: 'Readiness',
        description:
          'Answers 503 while the service shuts down or cannot write its logs. If there was no check for half a minute, a write ' +
          'is tried. With `verbose` the answer lists the components and their states.',
      },
    },
  );
