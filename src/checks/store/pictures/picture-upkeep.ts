import { HOUR_MS } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { oncePerRound } from '#src/core/base/once-per-round.ts';
import { VISIBILITIES } from '#src/core/base/visibility.ts';
import type { ScanLog } from '../scan-log.ts';
import { runEvery } from '../upkeep/run-every.ts';
import type { PictureStore } from './picture-store.ts';

/** Removes pictures beyond their bounds, and those whose checks a log has no more, until it is disposed of. */
export function startPictureUpkeep(
  pictures: Pick<PictureStore, 'bound' | 'ids' | 'remove'>,
  log: Pick<ScanLog, 'find'>,
  logger: Pick<Logger, 'warn'>,
): Disposable {
  return runEvery(
    HOUR_MS,
    () => removeOrphans(pictures, log),
    (error) => logger.warn('screenshot.failed', { error }),
  );
}

/** Files report what they delete; databases do not, and a node may not read its private one. */
export async function removeOrphans(
  pictures: Pick<PictureStore, 'bound' | 'ids' | 'remove'>,
  log: Pick<ScanLog, 'find'>,
): Promise<void> {
  const nextStep = oncePerRound();
  await pictures.bound();
  for (const visibility of VISIBILITIES) {
    for (const id of pictures.ids(visibility)) {
      if ((await log.find(visibility, id)) === null) await pictures.remove(visibility, [id]);
      await nextStep();
    }
  }
}
