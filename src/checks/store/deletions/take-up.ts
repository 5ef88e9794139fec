import type { Logger } from '#src/core/base/logger.ts';
import { VISIBILITIES } from '#src/core/base/visibility.ts';
import type { LocalLog } from '../local-log.ts';
import { regularly } from '../upkeep/run-every.ts';

/** Whoever asks waits for it, and is promised two seconds. */
const LOOK_EVERY_MS = 1000;

/** Deletes what other processes ask for, and what a run before this one has left to do, until it is disposed of. */
export function takeUpDeletions({ deletions }: Pick<LocalLog, 'deletions'>, logger: Logger): Disposable {
  return regularly(
    LOOK_EVERY_MS,
    async () => {
      for (const visibility of VISIBILITIES) {
        for (const { removed } of await deletions.finish(visibility)) {
          logger.info('log.deleted', { visibility, removed });
        }
      }
    },
    (error) => logger.error('log.delete_failed', { error }),
  );
}
