import { type Clock, DAY_MS, HOUR_MS } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { missingDiskBytes } from '../file/file-system.ts';
import type { LocalLog } from '../local-log.ts';
import type { Bounds } from './bounds.ts';
import { advance, readRetentionTime, saveRetentionTime } from './retention-clock.ts';
import { runEvery } from './run-every.ts';

/** Interval between clock readings, and readings per purge. */
const READ_EVERY_MS = HOUR_MS;
const READINGS_PER_PURGE = DAY_MS / READ_EVERY_MS;

/** Options of age-based retention. */
export interface Retention {
  /** Whole days; 0 means unlimited. */
  readonly days: number;
  readonly dataDir: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Removes checks older than `days` from both logs, now and once a day, until it is disposed of. A clock that jumps
 * makes no check older; see {@link advance}.
 */
export function startRetention(log: Pick<LocalLog, 'purge' | 'newestMs'>, options: Retention): Disposable {
  const { days, dataDir, clock, logger } = options;
  let time = readRetentionTime(dataDir, clock, () => newestOfBoth(log, logger));
  let readings = 0;

  async function purge(): Promise<void> {
    const beforeMs = time.nowMs - days * DAY_MS;
    await Promise.all([purgeOne('public', beforeMs), purgeOne('private', beforeMs)]);
  }

  async function purgeOne(visibility: Visibility, beforeMs: number): Promise<void> {
    try {
      const removed = await log.purge(visibility, beforeMs);
      if (removed > 0) logger.info('log.purged', { visibility, removed });
    } catch (error) {
      logger.error('log.purge_failed', { visibility, error });
    }
  }

  function readClock(): void {
    time = advance(time, clock);
    saveRetentionTime(dataDir, time, logger);
    if (days > 0 && readings++ % READINGS_PER_PURGE === 0) void purge();
  }

  readClock();
  const timer = setInterval(readClock, READ_EVERY_MS);
  return {
    [Symbol.dispose]() {
      clearInterval(timer);
      saveRetentionTime(dataDir, advance(time, clock), logger);
    },
  };
}

/** Returns the start of the latest check of both logs; null if there is none, the epoch if it is unknown. */
function newestOfBoth(log: Pick<LocalLog, 'newestMs'>, logger: Logger): number | null {
  try {
    const newest = [log.newestMs('public'), log.newestMs('private')].filter((ms) => ms !== null);
    return newest.length === 0 ? null : Math.max(...newest);
  } catch (error) {
    logger.warn('log.retention_clock_failed', { error });
    return 0;
  }
}

/** Check interval. At thousands of checks per second, a log grows by less than a hundredth of its bound meanwhile. */
const TRIM_EVERY_MS = 10_000;

/** Options of size-based retention. */
export interface SizeRetention extends Bounds {
  /** Percentage of free disk space below which the oldest checks are removed; 0 disables it. */
  readonly diskFloorPercent: number;
  readonly dataDir: string;
  readonly logger: Logger;
}

/**
 * Removes the oldest checks of a log that exceeds its bounds or whose disk is nearly full, periodically, until it is
 * disposed of.
 */
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

  return runEvery(TRIM_EVERY_MS, trimBoth, (error) => logger.error('log.trim_failed', { error }));
}
