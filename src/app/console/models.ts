import { setImmediate } from 'node:timers/promises';
import { withConfiguredBrands } from '#src/admin/active/models.ts';
import { perform } from '#src/admin/audit/act.ts';
import { findModel, ModelNotFoundError, SHIPPED } from '#src/parts/tuning/model-changes/find-model.ts';
import { listModels, modelRow } from '#src/parts/tuning/model-changes/list-models.ts';
import { ROLL_BACK_MODEL, USE_MODEL } from '#src/parts/tuning/model-changes/model-acts.ts';
import { createComparison } from '#src/parts/tuning/models/compare-models.ts';
import { type Comparison, compareChecks } from '#src/parts/tuning/models/comparison.ts';
import { readModelChoice } from '#src/parts/tuning/models/installed-models.ts';
import { latestChecks } from '#src/parts/tuning/rescore/latest-checks.ts';
import type { ModelOperations } from '#src/service/server/admin/model-routes.ts';
import { type ConsoleService, consolePlace } from './console-service.ts';

/** Returns what the console does with models. */
export function consoleModels(service: ConsoleService): ModelOperations {
  const dataDir = () => service.running().data_dir;

  /** Compares the active model with an installed one on the latest public checks. */
  function compare(wanted: string, limit: number): Promise<Comparison> {
    return service.heavy.run(async () => {
      const { models: now } = service.engine.scoringContext();
      const { models } = await findModel(dataDir(), wanted, null);
      // Each step takes milliseconds; together they would keep requests waiting.
      await setImmediate();
      const other = withConfiguredBrands(models, now.configuredBrands);
      await setImmediate();
      const score = createComparison(now, other, service.running());
      return await compareChecks([now.version, other.version], latestChecks(service.log, limit), score, setImmediate);
    });
  }

  return {
    list: async () => (await listModels(dataDir())).map(modelRow),
    choice: async () => readModelChoice(dataDir()),
    compare,
    async earlier() {
      const [version] = readModelChoice(dataDir()).before;
      if (version === undefined) throw new ModelNotFoundError('there is no selection to roll back');
      return version ?? SHIPPED;
    },
    async use(by, wanted) {
      await perform(USE_MODEL, consolePlace(service), by, await findModel(dataDir(), wanted, null));
    },
    async rollBack(by) {
      await perform(ROLL_BACK_MODEL, consolePlace(service), by, null);
    },
  };
}
