import { brandsFileIn } from '#src/admin/active/configured-brands-file.ts';
import { type DataFile, logRefused } from '#src/admin/active/file-faults.ts';
import { modelChoiceFile } from '#src/admin/active/installed-models.ts';
import { packStateFile } from '#src/admin/active/pack-state.ts';
import { type FollowedFile, followFile, stampOf } from '#src/core/base/files/followed-file.ts';
import type { Logger } from '#src/core/base/logger.ts';
import type { Engine } from '../engine.ts';

/** The files that say what classifies. */
const FILES = { packs: packStateFile, model: modelChoiceFile, brands: brandsFileIn } as const satisfies Partial<
  Record<DataFile, (dataDir: string) => string>
>;

type ScoringFile = keyof typeof FILES;

const NAMES: readonly ScoringFile[] = ['packs', 'model', 'brands'];

/** The stamps of the files that say what classifies. */
export type ScoringStamps = Readonly<Record<ScoringFile, string>>;

/** Returns the stamps of the files, taken before the engine reads them so that no change is missed. */
export function scoringStamps(dataDir: string): ScoringStamps {
  const stamp = (name: ScoringFile) => stampOf(FILES[name](dataDir));
  return { packs: stamp('packs'), model: stamp('model'), brands: stamp('brands') };
}

/**
 * Applies the packs, the selected model and the configured brands of the data directory whenever they change, within
 * two seconds. What cannot be used leaves the current one active, and the operator is notified.
 */
export function followScoring(
  dataDir: string,
  since: ScoringStamps,
  engine: Pick<Engine, 'reloadScoring' | 'faults' | 'modelVersion'>,
  logger: Pick<Logger, 'info' | 'error'>,
): readonly { readonly name: ScoringFile; readonly followed: FollowedFile }[] {
  return NAMES.map((name) => {
    const fault = engine.faults().find(({ file }) => file === name);
    const followed = followFile({
      path: FILES[name](dataDir),
      since: { stamp: since[name], problem: fault?.problem ?? null },
      async apply() {
        await engine.reloadScoring();
        logger.info('judgement.reread', { model_version: engine.modelVersion() });
      },
      onProblem: logRefused('judgement.kept', logger),
    });
    return { name, followed };
  });
}
