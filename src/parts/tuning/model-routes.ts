import { Type } from '@sinclair/typebox';
import { readModelChoice } from '#src/admin/active/installed-models.ts';
import type { PreviewView } from '#src/admin/active/scoring-context.ts';
import type { ActPlace } from '#src/admin/audit/act.ts';
import { DecisionSchema } from '#src/checks/record/check-result.ts';
import { previewOf } from '#src/parts/lists/preview-lists.ts';
import {
  COMPARE_MODEL,
  ModelChoiceSchema,
  ROLL_BACK_MODEL,
  USE_MODEL,
} from '#src/parts/tuning/model-changes/model-acts.ts';
import { type ActParts, actRoute, etagOf, performed, viewRoute } from '#src/service/server/admin/act-route.ts';
import {
  BODY_REFUSALS,
  CHANGE_REFUSALS,
  PreviewQuerySchema,
  refusing,
} from '#src/service/server/admin/change-parts.ts';
import { ModelsSchema } from '#src/service/server/admin/operator-answers.ts';
import { PreviewedChangeSchema } from '#src/service/server/admin/preview-answer.ts';
import { answer } from '#src/service/server/http/answer.ts';
import { routesWith } from '#src/service/server/http/routes-with.ts';

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

type ModelParts = ActParts<ActPlace & PreviewView>;

/** Number of latest checks on which a preview compares. */
const PREVIEWED_CHECKS = 10_000;

/** The tag of which model is selected. */
const selectionTag = ({ acts }: ModelParts) => etagOf(readModelChoice(acts.place.dataDir));

/** The models, and the tag of which one is selected. */
async function listed(service: ModelParts) {
  const { listModels, modelRow } = await import('#src/parts/tuning/model-changes/models.ts');
  return { items: (await listModels(service.acts.place.dataDir)).map(modelRow), etag: selectionTag(service) };
}

const CHANGED = { description: 'The models after the change.', example: MODELS } as const;

const ChangedSchema = Type.Union([ModelsSchema, PreviewedChangeSchema]);

/** `/api/admin/models`: list, compare, select, roll back. */
export const modelRoutes = routesWith<ModelParts>()
  .get(
    '/api/admin/models',
    ({ service }) => refusing(() => listed(service)),
    viewRoute(['admin'], {
      id: 'listModels',
      summary: 'List the models',
      description: 'The built-in and the installed models, as `lurecheck model list`. Scope: `admin`.',
      answers: {
        200: answer(ModelsSchema, { description: 'The models.', example: MODELS }),
      },
      refuses: ['conflict'],
    }),
  )
  .post(
    '/api/admin/models/compare',
    async ({ body: { model, limit = PREVIEWED_CHECKS }, service }) => {
      const { comparisonRow } = await import('#src/parts/tuning/model-changes/compare-model.ts');
      return comparisonRow(await refusing(() => service.acts.preview(COMPARE_MODEL, { model, limit })));
    },
    actRoute(
      { scope: 'admin', input: CompareRequestSchema },
      {
        id: 'compareModels',
        summary: 'Compare a model with the active one',
        description: 'Both score the URLs of the latest public checks, as `lurecheck model compare`. Scope: `admin`.',
        body: {
          description: 'The model, and on how many checks.',
          example: { model: 'strict-1b2c3d4e', limit: 10_000 },
        },
        answers: {
          200: answer(ComparisonSchema, { description: 'The comparison.', example: COMPARISON }),
        },
        refuses: [...BODY_REFUSALS, 'not_found', 'conflict'],
      },
    ),
  )
  .put(
    '/api/admin/models/active',
    ({ body: { model }, query: { preview }, request, service }) =>
      performed({ request, service, preview }, USE_MODEL, {
        input: { model, folder: null },
        current: async () => selectionTag(service),
        effect: previewOf,
        answer: () => listed(service),
      }),
    actRoute(USE_MODEL, {
      id: 'useModel',
      summary: 'Select a model',
      description:
        'Selects an installed model or the built-in one. Requires `If-Match` with the `etag` of the list, but not with ' +
        '`preview=true`, which compares and changes nothing. Scope: `admin`.',
      body: { description: 'The model.', example: { model: 'shipped' } },
      query: PreviewQuerySchema,
      answers: { 200: answer(ChangedSchema, CHANGED) },
      refuses: [...CHANGE_REFUSALS, ...BODY_REFUSALS, 'not_found'],
    }),
  )
  .post(
    '/api/admin/models/rollback',
    ({ query: { preview }, request, service }) =>
      performed({ request, service, preview }, ROLL_BACK_MODEL, {
        input: null,
        current: async () => selectionTag(service),
        effect: previewOf,
        answer: () => listed(service),
      }),
    actRoute(ROLL_BACK_MODEL, {
      id: 'rollBackModel',
      summary: 'Select the previous model',
      description:
        'Requires `If-Match` with the `etag` of the list, but not with `preview=true`, which compares and changes ' +
        'nothing. 404 if there is no earlier selection. Scope: `admin`.',
      query: PreviewQuerySchema,
      answers: { 200: answer(ChangedSchema, CHANGED) },
      refuses: [...CHANGE_REFUSALS, 'not_found'],
    }),
  );
