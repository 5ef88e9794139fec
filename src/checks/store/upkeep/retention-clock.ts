import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type Clock, HOUR_MS } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';

/**
 * As long as this the wall clock has to run evenly before it is believed that time has passed which nobody saw: somewhat
 * less than a day, so that the purge a day after a start goes by it.
 */
const PROBATION_MS = 23 * HOUR_MS;

/** What the clocks may differ by between two looks: a time server that corrects the wall clock bit by bit is no jump. */
const TOLERANCE_MS = 60_000;

/** The time by which checks grow old, and by what it is known. Milliseconds, as the clocks give them. */
export interface RetentionTime {
  /** Never ahead of the wall clock. */
  readonly nowMs: number;
  readonly wallMs: number;
  readonly monotonicMs: number;
  /** For how long the wall clock has run evenly. */
  readonly evenMs: number;
}

/**
 * The time at the next look at the clocks. It goes on as the monotonic clock does, whatever the wall clock shows; behind a
 * wall clock that ran evenly for long it is set forward, and before one that shows less it is set back.
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
 * The time at a start: what the last run left behind in the data directory. Where it left nothing, the time of the newest
 * check, null where there is none.
 */
export function readRetentionTime(dataDir: string, clock: Clock, newestMs: () => number | null): RetentionTime {
  const wallMs = clock.now();
  const leftMs = readLeft(placeOf(dataDir)) ?? newestMs() ?? wallMs;
  return { nowMs: Math.min(wallMs, leftMs), wallMs, monotonicMs: clock.monotonicMs(), evenMs: 0 };
}

/** Leaves the time behind for the next run. Where that fails, the next run's checks are kept for a little longer. */
export function keepRetentionTime(dataDir: string, { nowMs }: RetentionTime, logger: Logger): void {
  const path = placeOf(dataDir);
  try {
    writeFileSync(path, `${new Date(nowMs).toISOString()}\n`, { mode: 0o600 });
  } catch (error) {
    logger.warn('log.retention_clock_failed', { path, error });
  }
}

function readLeft(path: string): number | null {
  const leftMs = existsSync(path) ? Date.parse(readFileSync(path, 'utf8').trim()) : Number.NaN;
  return Number.isNaN(leftMs) ? null : leftMs;
}

function placeOf(dataDir: string): string {
  return `${dataDir}/retention.clock`;
}
