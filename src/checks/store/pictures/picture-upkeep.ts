import { HOUR_MS } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { VISIBILITIES, type Visibility } from '#src/core/base/visibility.ts';
import { pendingRecoveries } from '../file/open-or-replace.ts';
import type { ScanLog } from '../scan-log.ts';
import { runEvery } from '../upkeep/run-every.ts';
import type { PictureStore } from './picture-store.ts';

/** Checks that are looked for together. */
const TOGETHER = 1000;

type SweptPictures = Pick<PictureStore, 'dataDir' | 'bound' | 'ids' | 'remove'>;

/** Removes pictures beyond their bounds, and those whose checks a log has no more, until it is disposed of. */
export function startPictureUpkeep(
  pictures: SweptPictures,
  log: Pick<ScanLog, 'missing'>,
  logger: Pick<Logger, 'warn'>,
): Disposable {
  return runEvery(
    HOUR_MS,
    () => removeOrphans(pictures, log),
    (error) => logger.warn('screenshot.failed', { error }),
  );
}

/**
 * Files report what they delete; databases do not. Checks may be spooled for a while, and those of a damaged log come
 * back. Throws an AggregateError once both logs had their turn.
 */
export async function removeOrphans(pictures: SweptPictures, log: Pick<ScanLog, 'missing'>): Promise<void> {
  const failures: unknown[] = [];
  await pictures.bound();
  const removeOf = async (visibility: Visibility) => {
    const orphans: string[] = [];
    const ids = pictures.ids(visibility, HOUR_MS);
    for (let at = 0; at < ids.length; at += TOGETHER) {
      orphans.push(...(await log.missing(visibility, ids.slice(at, at + TOGETHER))));
    }
    if (pendingRecoveries(pictures.dataDir, visibility).length === 0) await pictures.remove(visibility, orphans);
  };
  for (const visibility of VISIBILITIES) {
    if (pendingRecoveries(pictures.dataDir, visibility).length > 0) continue;
    await removeOf(visibility).catch((error) => failures.push(error));
  }
  if (failures.length > 0) throw new AggregateError(failures, failures.join('; '));
}
