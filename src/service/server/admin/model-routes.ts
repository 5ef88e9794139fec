import { Type } from '@sinclair/typebox';
import { DecisionSchema } from '#src/checks/record/check-result.ts';
import type { Actor } from '#src/core/base/actor.ts';
import { ModelChoiceSchema } from '#src/parts/tuning/model-changes/model-inputs.ts';
import type { Comparison } from '#src/parts/tuning/models/comparison.ts';
import { answer } from '../http/answer.ts';
import { documented } from '../http/documented.ts';
import { noBody, parseJsonObject } from '../http/json-body.ts';
import { readQuery } from '../http/query.ts';
import { refusals } from '../http/refusals.ts';
import { routesWith } from '../http/routes-with.ts';
import { BODY_REFUSALS, CHANGE_REFUSALS, CONSOLE_REFUSALS } from './admin-refusals.ts';
import { ModelsSchema } from './answers/model-answer.ts';
import { PreviewedChangeSchema } from './answers/preview-answer.ts';
import { type ChangeParts, PreviewQuerySchema, refusing, waitLong } from './change-parts.ts';
import { etagOf, requireMatch } from './if-match.ts';
import { actorOf, admitScopes } from './requester.ts';
import { previewOf } from './verdict-preview.ts';

const MODELS = {
  items: [{ version: 'lurecheck-2-1b2c3d4e', shipped: true, in_force: true, problem: null }],
  etag: '"m4yFQxq0H0bU2k3z1vXk5g"',
};

export const CompareRequestSchema = Type.Object(
  {
    model: ModelChoiceSchema.properties.model,
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100_000,
        default: 10_000,
        description: 'Number of the latest public checks',
      }),
    ),
  },
  { $id: 'ModelComparisonRequest', additionalProperties: false, description: 'A model to compare with the active one' },
);

const VerdictSchema = Type.Object(
  {
    probability: Type.Number({ minimum: 0, maximum: 1, description: 'Probability that the URL is malicious' }),
    decision: DecisionSchema,
  },
  { $id: 'ModelVerdict', description: 'Verdict of one model' },
);

export const ComparisonSchema = Type.Object(
  {
    now: Type.String({ description: 'Version of the active model' }),
    other: Type.String({ description: 'Version of the other one' }),
    compared: Type.Integer({ minimum: 0, description: 'Checks that both scored' }),
    unread: Type.Integer({ minimum: 0, description: 'Checks that could not be scored' }),
    changes: Type.Object(
      {},
      {
        $id: 'DecisionChanges',
        additionalProperties: Type.Integer({ minimum: 1 }),
        description: 'Number of checks per change of decision, such as `allow → warn`',
      },
    ),
    changed: Type.Array(
      Type.Object(
        {
          request_id: Type.String({ description: 'Id of the check' }),
          url: Type.String({ description: 'URL of the check' }),
          now: VerdictSchema,
          other: VerdictSchema,
        },
        { $id: 'ModelChange', description: 'A check on which two models differ' },
      ),
      { description: 'The latest checks whose decision differs, at most 1,000' },
    ),
  },
  { $id: 'ModelComparison', description: 'Two models on the latest public checks' },
);

const COMPARISON = {
  now: 'lurecheck-2-1b2c3d4e',
  other: 'strict-1b2c3d4e',
  compared: 10_000,
  unread: 0,
  changes: { 'allow → warn': 1 },
  changed: [
    {
      request_id: '019c13f7-9800-7a11-8b3c-5d9f1e2a4c6b',
      url: 'http://example.com/',
      now: { probability: 0.2, decision: 'allow' as const },
      other: { probability: 0.6, decision: 'warn' as const },
    },
  ],
};

/** Operations on models. Their errors are those of `lurecheck model`. */
export interface ModelOperations {
  list(): Promise<
    (typeof MODELS)['items'] | { version: string; shipped: boolean; in_force: boolean; problem: string | null }[]
  >;
  /** The stored selection, of which the entity tag is made. */
  choice(): Promise<object>;
  compare(model: string, limit: number): Promise<Comparison>;
  /** Returns the model that was selected before. */
  earlier(): Promise<string>;
  use(by: Actor, model: string): Promise<void>;
  rollBack(by: Actor): Promise<void>;
}

export interface ModelRouteParts extends ChangeParts {
  readonly models: ModelOperations;
}

/** Number of latest checks on which a preview compares. */
const PREVIEWED_CHECKS = 10_000;

const admitAdmin = admitScopes('admin');

/** The models, and the tag of which one is selected. */
async function listed(models: ModelOperations) {
  return { items: await models.list(), etag: etagOf(await models.choice()) };
}

async function previewed(models: ModelOperations, model: string) {
  const comparison = await models.compare(model, PREVIEWED_CHECKS);
  return previewOf({ comparison, entries: 0 });
}

const CHANGED = { description: 'The models after the change.', example: MODELS } as const;

const ChangedSchema = Type.Union([ModelsSchema, PreviewedChangeSchema]);

/** `/api/admin/models`: list, compare, select, roll back. */
export const modelRoutes = routesWith<ModelRouteParts>()
  .get('/api/admin/models', ({ service }) => refusing(() => listed(service.models)), {
    transform: admitAdmin,
    response: {
      200: answer(ModelsSchema, { description: 'The models.', example: MODELS }),
      ...refusals(...CONSOLE_REFUSALS, 'conflict'),
    },
    detail: {
      operationId: 'listModels',
      tags: ['Console'],
      summary: 'List the models',
      description: 'The built-in and the installed models, as `lurecheck model list`. Scope: `admin`.',
    },
  })
  .post(
    '/api/admin/models/compare',
    async ({ body: { model, limit = PREVIEWED_CHECKS }, service }) => {
      const { comparisonRow } = await import('#src/parts/tuning/models/comparison.ts');
      return comparisonRow(await refusing(() => service.models.compare(model, limit)));
    },
    {
      parse: [admitAdmin, parseJsonObject],
      beforeHandle: waitLong,
      body: documented(CompareRequestSchema, {
        description: 'The model, and on how many checks.',
        example: { model: 'strict-1b2c3d4e', limit: 10_000 },
      }),
      response: {
        200: answer(ComparisonSchema, { description: 'The comparison.', example: COMPARISON }),
        ...refusals(...CONSOLE_REFUSALS, ...BODY_REFUSALS, 'not_found', 'conflict'),
      },
      detail: {
        operationId: 'compareModels',
        tags: ['Console'],
        summary: 'Compare a model with the active one',
        description: 'Both score the URLs of the latest public checks, as `lurecheck model compare`. Scope: `admin`.',
      },
    },
  )
  .put(
    '/api/admin/models/active',
    ({ body: { model }, query: { preview }, request, service: { models, inTurn } }) =>
      refusing(async () => {
        if (preview === 'true') return await previewed(models, model);
        return await inTurn(async () => {
          requireMatch(request, etagOf(await models.choice()));
          await models.use(actorOf(request), model);
          return await listed(models);
        });
      }),
    {
      parse: [admitAdmin, parseJsonObject],
      transform: readQuery,
      beforeHandle: waitLong,
      query: PreviewQuerySchema,
      body: documented(ModelChoiceSchema, { description: 'The model.', example: { model: 'shipped' } }),
      response: {
        200: answer(ChangedSchema, CHANGED),
        ...refusals(...CHANGE_REFUSALS, ...BODY_REFUSALS, 'not_found'),
      },
      detail: {
        operationId: 'useModel',
        tags: ['Console'],
        summary: 'Select a model',
        description:
          'Selects an installed model or the built-in one. Requires `If-Match` with the `etag` of the list, but not with ' +
          '`preview=true`, which compares and changes nothing. Scope: `admin`.',
      },
    },
  )
  .post(
    '/api/admin/models/rollback',
    ({ query: { preview }, request, service: { models, inTurn } }) =>
      refusing(async () => {
        if (preview === 'true') return await previewed(models, await models.earlier());
        return await inTurn(async () => {
          requireMatch(request, etagOf(await models.choice()));
          await models.rollBack(actorOf(request));
          return await listed(models);
        });
      }),
    {
      parse: [admitAdmin, noBody],
      transform: readQuery,
      beforeHandle: waitLong,
      query: PreviewQuerySchema,
      response: {
        200: answer(ChangedSchema, CHANGED),
        ...refusals(...CHANGE_REFUSALS, 'not_found'),
      },
      detail: {
        operationId: 'rollBackModel',
        tags: ['Console'],
        summary: 'Select the previous model',
        description:
          'Requires `If-Match` with the `etag` of the list, but not with `preview=true`, which compares and changes ' +
          'nothing. 404 if there is no earlier selection. Scope: `admin`.',
      },
    },
  );
