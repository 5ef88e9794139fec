import { Type } from '@sinclair/typebox';
import {
  changeModelChoice,
  installModel,
  openInstalledModel,
  readModelChoice,
} from '#src/admin/active/installed-models.ts';
import { openKnowledge, refuseNameOfShipped } from '#src/admin/active/models.ts';
import type { PreviewView } from '#src/admin/active/scoring-context.ts';
import type { ActPlace, OperatorAct, PreviewedAct } from '#src/admin/audit/act.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import type { PreviewedVerdicts } from '#src/parts/lists/preview-lists.ts';
import { latestChecks } from '#src/parts/tuning/rescore/rescore.ts';
import { type FoundModel, findModel, ModelNotFoundError, SHIPPED } from './models.ts';

/** A model named by the operator. */
interface WantedModel {
  /** Version of an installed model, or {@link SHIPPED}. */
  readonly model: string;
  /** The folder of a model to be installed, if `model` is neither; null for none. */
  readonly folder: string | null;
}

type ModelAct<Input, Draft> = OperatorAct<Input, Draft, string | null> &
  PreviewedAct<Draft, PreviewedVerdicts, PreviewView>;

/** Input of {@link USE_MODEL} in a request. */
export const ModelChoiceSchema = Type.Object(
  { model: Type.String({ minLength: 1, maxLength: 200, description: 'Version of an installed model, or `shipped`' }) },
  { $id: 'ModelChoice', additionalProperties: false, description: 'The model to select' },
);

/** Installs a model if it is not, and selects it. Returns its version; null for the built-in model. */
export const USE_MODEL = {
  name: 'model.use',
  scope: 'admin',
  input: ModelChoiceSchema,
  files: ['model'],
  prepare: async ({ model, folder }, { dataDir }) => await findModel(dataDir, model, folder),
  audit: (found, { dataDir }) => ({
    subject: versionIn(found) ?? SHIPPED,
    detail: { before: readModelChoice(dataDir).version },
  }),
  preview: async ({ models }, view) => await effectOf(models, view),
  async commit(found, { dataDir }) {
    const version = versionIn(found);
    if (version !== null) {
      await refuseNameOfShipped(found.files, version);
      await installModel(dataDir, found.files, version);
    }
    changeModelChoice(dataDir, (choice) =>
      choice.version === version ? choice : { version, before: [choice.version, ...choice.before] },
    );
    return version;
  },
} as const satisfies ModelAct<WantedModel, FoundModel>;

/** Compares a model with the active one on the latest public checks, at most `limit`. */
export const COMPARE_MODEL = {
  prepare: async ({ model, limit }: { readonly model: string; readonly limit: number }, { dataDir }: ActPlace) => ({
    models: (await findModel(dataDir, model, null)).models,
    limit,
  }),
  async preview(
    { models, limit }: { readonly models: FoundModel['models']; readonly limit?: number },
    { scoring, settings, log }: PreviewView,
  ) {
    const { compareModel } = await import('./compare-model.ts');
    return await compareModel(scoring().models, models, settings(), latestChecks(log, limit));
  },
};

/** Selects the model that was selected before. Returns its version; null for the built-in model. */
export const ROLL_BACK_MODEL = {
  name: 'model.rollback',
  scope: 'admin',
  input: null,
  files: ['model'],
  async prepare(_, { dataDir }) {
    const [version] = readModelChoice(dataDir).before;
    if (version === undefined) {
      const problem = 'there is no selection to roll back';
      throw new ModelNotFoundError(`${problem}; see lurecheck model list`, problem);
    }
    if (version !== null) await openInstalledModel(dataDir, version, await openKnowledge());
    return version;
  },
  audit: (version) => ({ subject: version ?? SHIPPED }),
  async preview(version, view) {
    const { models } = await findModel(view.dataDir, version ?? SHIPPED, null);
    return await effectOf(models, view);
  },
  async commit(version, { dataDir }) {
    changeModelChoice(dataDir, ({ before }) => {
      if (before[0] === version) return { version, before: before.slice(1) };
      throw new OperationError('changed_meanwhile', ['another model was selected meanwhile: try again']);
    });
    return version;
  },
} as const satisfies ModelAct<null, string | null>;

const effectOf = async (models: FoundModel['models'], view: PreviewView) => ({
  rescored: await COMPARE_MODEL.preview({ models }, view),
  entries: 0,
});

const versionIn = ({ models, isShipped }: FoundModel) => (isShipped ? null : models.version);
