import type { Logger } from '#src/core/base/logger.ts';
import { missingDiskBytes } from '../file/file-system.ts';
import type { LocalLog } from '../local-log.ts';
import type { Bounds } from './bounds.ts';
import { regularly } from './run-every.ts';

/** At thousands of checks a second a log grows by less than a hundredth of its bound meanwhile. */
const LOOK_EVERY_MS = 10_000;

/** How large both logs may be, and what is left of their disk. */
export interface SizeRetention extends Bounds {
  /** Below so many percent of free disk the oldest checks go; 0 is no bound. */
  readonly diskFloorPercent: number;
  readonly dataDir: string;
  readonly logger: Logger;
}

/** Removes the oldest checks of a log that is beyond its bounds, or whose disk is nearly full, now and then, until it is disposed of. */
export function startSizeRetention(
  log: Pick<LocalLog, 'trim' | 'size'>,
  { diskFloorPercent, dataDir, logger, ...bounds }: SizeRetention,
): Disposable {
  async function trimBoth(): Promise<void> {
    const missing = missingDiskBytes(dataDir, diskFloorPercent);
    const used = { public: log.size('public').usedBytes, private: log.size('private').usedBytes };
    for (const visibility of ['public', 'private'] as const) {
      const share = used[visibility] / (used.public + used.private);
      const removed = await log.trim(visibility, bounds, missing * share);
      if (removed > 0) logger.info('log.trimmed', { visibility, removed });
    }
  }

  return regularly(LOOK_EVERY_MS, trimBoth, (error) => logger.error('log.trim_failed', { error }));
}
