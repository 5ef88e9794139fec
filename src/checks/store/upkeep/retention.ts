import { type Clock, DAY_MS, HOUR_MS } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import type { LocalLog } from '../local-log.ts';
import { advance, keepRetentionTime, readRetentionTime } from './retention-clock.ts';

/** The clocks are looked at as often, and checks are purged every so many looks. */
const LOOK_EVERY_MS = HOUR_MS;
const LOOKS_A_PURGE = DAY_MS / LOOK_EVERY_MS;

/** How long checks are kept. */
export interface Retention {
  /** Whole days; 0 keeps them for good. */
  readonly days: number;
  readonly dataDir: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Removes checks that are older than `days` from both logs, now and once a day, until it is disposed of. A clock that jumps
 * makes no check older; see {@link advance}.
 */
export function startRetention(log: Pick<LocalLog, 'purge' | 'newestMs'>, options: Retention): Disposable {
  const { days, dataDir, clock, logger } = options;
  let time = readRetentionTime(dataDir, clock, () => newestOfBoth(log, logger));
  let looks = 0;

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

  function look(): void {
    time = advance(time, clock);
    keepRetentionTime(dataDir, time, logger);
    if (days > 0 && looks++ % LOOKS_A_PURGE === 0) void purge();
  }

  look();
  const timer = setInterval(look, LOOK_EVERY_MS);
  return {
    [Symbol.dispose]() {
      clearInterval(timer);
      keepRetentionTime(dataDir, advance(time, clock), logger);
    },
  };
}

/** When the newest check of both logs began; null where there is none, the epoch where nobody knows. */
function newestOfBoth(log: Pick<LocalLog, 'newestMs'>, logger: Logger): number | null {
  try {
    const newest = [log.newestMs('public'), log.newestMs('private')].filter((ms) => ms !== null);
    return newest.length === 0 ? null : Math.max(...newest);
  } catch (error) {
    logger.warn('log.retention_clock_failed', { error });
    return 0;
  }
}
