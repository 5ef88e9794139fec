import { openKnowledge, refuseNameOfShipped } from '#src/admin/active/models.ts';
import { audited } from '#src/admin/audit/audit-log.ts';
import {
  installModel,
  openInstalledModel,
  readModelChoice,
  writeModelChoice,
} from '#src/admin/models/installed-models.ts';
import type { Actor } from '#src/core/base/actor.ts';
import { type FoundModel, SHIPPED } from './find-model.ts';
import { ModelNotFoundError } from './model-not-found.ts';

/**
 * Installs a model if it is not, and selects it. Returns its version; null for the built-in model.
 *
 * @throws OperationError if another model has its version
 */
export async function useModel(dataDir: string, actor: Actor, found: FoundModel): Promise<string | null> {
  const { models, files, isShipped } = found;
  const version = isShipped ? null : models.version;
  const { version: now, before } = readModelChoice(dataDir);
  await audited(
    dataDir,
    actor,
    { action: 'model.use', subject: version ?? SHIPPED, detail: { before: now } },
    async () => {
      if (version !== null) {
        await refuseNameOfShipped(files, version);
        await installModel(dataDir, files, version);
      }
      if (now !== version) await writeModelChoice(dataDir, { version, before: [now, ...before] });
    },
  );
  return version;
}

/**
 * Selects the model that was selected before. Returns its version; null for the built-in model.
 *
 * @throws ModelNotFoundError if there is no earlier choice; OperationError if that model cannot be used
 */
export async function rollBackModel(dataDir: string, actor: Actor): Promise<string | null> {
  const [version, ...before] = readModelChoice(dataDir).before;
  if (version === undefined)
    throw new ModelNotFoundError('there is no selection to roll back; see lurecheck model list');
  if (version !== null) await openInstalledModel(dataDir, version, await openKnowledge());
  await audited(dataDir, actor, { action: 'model.rollback', subject: version ?? SHIPPED }, () =>
    writeModelChoice(dataDir, { version, before }),
  );
  return version;
}
