import { openKnowledge, refuseNameOfShipped } from '#src/admin/active/models.ts';
import type { OperatorAct } from '#src/admin/audit/act.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import {
  changeModelChoice,
  installModel,
  openInstalledModel,
  readModelChoice,
} from '#src/parts/tuning/models/installed-models.ts';
import { type FoundModel, ModelNotFoundError, SHIPPED } from './find-model.ts';
import { ModelChoiceSchema } from './model-inputs.ts';

/** Installs a model if it is not, and selects it. Returns its version; null for the built-in model. */
export const USE_MODEL: OperatorAct<FoundModel, FoundModel, string | null> = {
  name: 'model.use',
  scope: 'admin',
  input: ModelChoiceSchema,
  files: ['model'],
  prepare: async (found) => found,
  audit: (found, { dataDir }) => ({
    subject: versionIn(found) ?? SHIPPED,
    detail: { before: readModelChoice(dataDir).version },
  }),
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
};

/** Selects the model that was selected before. Returns its version; null for the built-in model. */
export const ROLL_BACK_MODEL: OperatorAct<null, string | null, string | null> = {
  name: 'model.rollback',
  scope: 'admin',
  input: null,
  files: ['model'],
  async prepare(_, { dataDir }) {
    const [version] = readModelChoice(dataDir).before;
    if (version === undefined)
      throw new ModelNotFoundError('there is no selection to roll back; see lurecheck model list');
    if (version !== null) await openInstalledModel(dataDir, version, await openKnowledge());
    return version;
  },
  audit: (version) => ({ subject: version ?? SHIPPED }),
  async commit(version, { dataDir }) {
    changeModelChoice(dataDir, ({ before }) => {
      if (before[0] === version) return { version, before: before.slice(1) };
      throw new OperationError('changed_meanwhile', ['another model was selected meanwhile: try again']);
    });
    return version;
  },
};

const versionIn = ({ models, isShipped }: FoundModel) => (isShipped ? null : models.version);
