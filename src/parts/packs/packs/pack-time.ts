import { join } from 'node:path';
import { packFolder } from '#src/admin/active/pack-state.ts';
import type { Clock } from '#src/core/base/clock.ts';
import { readIfExists, replaceLocked } from '#src/core/base/files/locked-file.ts';
import { isText, objectWith } from '#src/core/base/guard.ts';
import { parseJson } from '#src/core/base/text/json-shape.ts';
import fusionJson from '#src/engine/models/fusion.json' with { type: 'json' };

const isFloor = objectWith({ newest: isText });

/** Minimum step that is written. */
const STEP_MS = 60_000;

/** Path of the file with the latest recorded time. */
export function clockFloorFile(dataDir: string): string {
  return join(packFolder(dataDir), 'clock.json');
}

/**
 * Returns the latest recorded time in milliseconds since the Unix epoch; null if there is none. A clock with an earlier
 * time is wrong.
 */
export function readClockFloor(dataDir: string): number | null {
  const json = parseJson(readIfExists(clockFloorFile(dataDir), 'newest time') ?? '');
  const ms = isFloor(json) ? Date.parse(json.newest) : Number.NaN;
  return Number.isNaN(ms) ? null : ms;
}

/** Records a time if it is later than the recorded one. Throws OperationError if the file cannot be written. */
export function raiseClockFloor(dataDir: string, seenMs: number): void {
  if (seenMs < (readClockFloor(dataDir) ?? 0) + STEP_MS) return;
  replaceLocked(clockFloorFile(dataDir), 'newest time', () => {
    const newest = new Date(Math.max(seenMs, readClockFloor(dataDir) ?? 0)).toISOString();
    return `${JSON.stringify({ newest })}\n`;
  });
}

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
