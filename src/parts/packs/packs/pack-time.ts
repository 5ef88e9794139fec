import type { Clock } from '#src/core/base/clock.ts';
import fusionJson from '#src/engine/models/fusion.json' with { type: 'json' };
import { raiseClockFloor, readClockFloor } from './clock-floor.ts';

/** Steps of a clock that is being adjusted, which do not count as a clock that went back. */
const TOLERANCE_MS = 60_000;

/** The time by which packs expire. */
export interface PackTime {
  /** Never before the latest recorded time. Milliseconds since the Unix epoch. */
  readonly nowMs: number;
  /** The host's clock. */
  readonly clockMs: number;
  /** True if the clock is behind the latest recorded time. */
  readonly isClockBehind: boolean;
}

/**
 * Returns the host's time, but never less than the latest recorded time: that of a pack, a logged check or the build.
 * Otherwise a clock that is set back would make an expired pack valid.
 */
export function packTime(dataDir: string, clock: Pick<Clock, 'now'>): PackTime {
  const clockMs = clock.now();
  const floorMs = Math.max(readClockFloor(dataDir) ?? 0, Date.parse(fusionJson.date));
  return { nowMs: Math.max(clockMs, floorMs), clockMs, isClockBehind: clockMs + TOLERANCE_MS < floorMs };
}

/** Records the latest of some times. */
export function recordSeenTimes(dataDir: string, seen: readonly (string | null)[]): void {
  const times = seen.map((time) => Date.parse(time ?? '')).filter((ms) => !Number.isNaN(ms));
  if (times.length > 0) raiseClockFloor(dataDir, Math.max(...times));
}
