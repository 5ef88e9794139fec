import { join } from 'node:path';
import { packFolder } from '#src/admin/active/pack-state.ts';
import { readIfExists, replaceLocked } from '#src/core/base/files/locked-file.ts';
import { isText, objectWith } from '#src/core/base/guard.ts';
import { parseJson } from '#src/core/base/text/json-shape.ts';

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
