import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type Clock, HOUR_MS } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';

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
