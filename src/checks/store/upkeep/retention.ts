import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type Clock, DAY_MS, HOUR_MS } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { missingDiskBytes } from '../file/file-system.ts';
import type { LocalLog } from '../local-log.ts';
import type { Bounds } from './log-size.ts';
import { runEvery } from './run-every.ts';

/**
 * How long the wall clock must run evenly before a jump is accepted: somewhat less than a day, so that the purge one
 * day after a start uses it.
 */
const PROBATION_MS = 23 * HOUR_MS;

/** Tolerance between two readings: a time server's gradual correction is not a jump. */
const TOLERANCE_MS = 60_000;

/** Time by which checks expire, and its basis. Milliseconds, as the clocks give them. */
export interface RetentionTime {
  /** Never ahead of the wall clock. */
  readonly nowMs: number;
  readonly wallMs: number;
  readonly monotonicMs: number;
  /** Time for which the wall clock has run evenly. */
  readonly evenMs: number;
}

/**
 * Returns the time at the next reading. It advances with the monotonic clock; it follows a wall clock ahead if that ran
 * evenly for long, and back at once.
 */
export function advance(time: RetentionTime, clock: Clock): RetentionTime {
  const wallMs = clock.now();
  const monotonicMs = clock.monotonicMs();
  const elapsedMs = monotonicMs - time.monotonicMs;
  const isEven = Math.abs(wallMs - time.wallMs - elapsedMs) <= TOLERANCE_MS;
  const evenMs = isEven ? time.evenMs + elapsedMs : 0;
  const nowMs = evenMs >= PROBATION_MS ? wallMs : Math.min(wallMs, time.nowMs + elapsedMs);
  return { nowMs, wallMs, monotonicMs, evenMs };
}

/**
 * Returns the time at a start: the one that the last run saved in the data directory, else that of the latest check,
 * null if there is none.
 */
export function readRetentionTime(dataDir: string, clock: Clock, newestMs: () => number | null): RetentionTime {
  const wallMs = clock.now();
  const savedMs = readSaved(pathOf(dataDir)) ?? newestMs() ?? wallMs;
  return { nowMs: Math.min(wallMs, savedMs), wallMs, monotonicMs: clock.monotonicMs(), evenMs: 0 };
}

/** Saves the time for the next run. If that fails, checks are kept a little longer. */
export function saveRetentionTime(dataDir: string, { nowMs }: RetentionTime, logger: Logger): void {
  const path = pathOf(dataDir);
  try {
    writeFileSync(path, `${new Date(nowMs).toISOString()}\n`, { mode: 0o600 });
  } catch (error) {
    logger.warn('log.retention_clock_failed', { path, error });
  }
}

function readSaved(path: string): number | null {
  const savedMs = existsSync(path) ? Date.parse(readFileSync(path, 'utf8').trim()) : Number.NaN;
  return Number.isNaN(savedMs) ? null : savedMs;
}

function pathOf(dataDir: string): string {
  return `${dataDir}/retention.clock`;
}

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
