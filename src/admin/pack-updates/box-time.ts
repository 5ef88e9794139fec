import type { Clock } from '#src/core/base/clock.ts';
import fusionJson from '#src/engine/models/fusion.json' with { type: 'json' };
import { raiseClockFloor, readClockFloor } from '#src/admin/packs/clock-floor.ts';

/** Clocks that are set bit by bit do not go back. */
const TOLERANCE_MS = 60_000;

/** What time it is for packs. */
export interface BoxTime {
  /** Never before the newest time that this box has seen. Milliseconds since the Unix epoch. */
  readonly nowMs: number;
  /** By the clock of the machine. */
  readonly clockMs: number;
  /** Whether the clock shows less than what the box has seen. */
  readonly isClockBehind: boolean;
}

/**
 * What time it is for packs: by the clock, but never before the newest time that the box has seen, be it that of a pack, of a
 * check that was logged, or of the day on which the program was made. Else a clock that goes back would make an expired pack
 * fresh.
 */
export function boxTime(dataDir: string, clock: Pick<Clock, 'now'>): BoxTime {
  const clockMs = clock.now();
  const floorMs = Math.max(readClockFloor(dataDir) ?? 0, Date.parse(fusionJson.date));
  return { nowMs: Math.max(clockMs, floorMs), clockMs, isClockBehind: clockMs + TOLERANCE_MS < floorMs };
}

/** Keeps the newest of some times that the box has seen. */
export function keepSeen(dataDir: string, seen: readonly (string | null)[]): void {
  const times = seen.map((time) => Date.parse(time ?? '')).filter((ms) => !Number.isNaN(ms));
  if (times.length > 0) raiseClockFloor(dataDir, Math.max(...times));
}
