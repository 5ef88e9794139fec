import { watchFile } from '#src/base/changed-file.ts';
import type { Logger } from '#src/base/logger.ts';
import { SettingsError } from '#src/base/settings-error.ts';
import { packStateFile, readPackState } from '#src/packs/pack-state.ts';
import type { Engine } from '../engine.ts';
import { modelChoiceFile } from '../kept-models.ts';

/**
 * Takes up the packs and the choice of a model of the data directory whenever somebody changes them, within two seconds. Where
 * what is there then cannot be used, what was in force goes on, and the operator is told. Disposing of it ends looking.
 */
export function followJudgement(
  dataDir: string,
  engine: Pick<Engine, 'readJudgement' | 'packs' | 'modelVersion'>,
  logger: Pick<Logger, 'info' | 'error'>,
): Disposable {
  // One after the other, so that what was changed last is what stays.
  let reading = Promise.resolve();
  const readNext = () => {
    reading = reading.then(async () => {
      try {
        await engine.readJudgement();
        logger.info('judgement.reread', { model_version: engine.modelVersion() });
      } catch (error) {
        logger.error('judgement.kept', error instanceof SettingsError ? { problems: error.problems } : { error });
      }
    });
  };
  const { state, problem } = engine.packs();
  const watches = [packStateFile, modelChoiceFile].map((fileIn) => watchFile(fileIn(dataDir), readNext));
  // What came into force between the reading and the watching.
  if (problem === null && !Bun.deepEquals(readPackState(dataDir), state)) readNext();
  return {
    [Symbol.dispose]() {
      for (const watch of watches) watch[Symbol.dispose]();
    },
  };
}
