import { join } from 'node:path';
import { isText, objectWith } from '#src/core/base/guard.ts';
import { parseJson } from '#src/core/base/text/json-shape.ts';
import { readIfThere, replaceLocked } from '#src/core/base/files/locked-file.ts';
import { packFolder } from './pack-state.ts';

const isFloor = objectWith({ newest: isText });

/** Less than this is not worth a write. */
const STEP_MS = 60_000;

/** Where the newest time is kept that this box has seen. */
export function clockFloorFile(dataDir: string): string {
  return join(packFolder(dataDir), 'clock.json');
}

/**
 * The newest time that this box has seen, in milliseconds since the Unix epoch; null where none was kept. A clock that shows
 * less went back.
 */
export function readClockFloor(dataDir: string): number | null {
  const json = parseJson(readIfThere(clockFloorFile(dataDir), 'newest time') ?? '');
  const ms = isFloor(json) ? Date.parse(json.newest) : Number.NaN;
  return Number.isNaN(ms) ? null : ms;
}

/** Keeps a time that this box has seen, where it is newer. Throws SettingsError where it cannot be kept. */
export function raiseClockFloor(dataDir: string, seenMs: number): void {
  if (seenMs < (readClockFloor(dataDir) ?? 0) + STEP_MS) return;
  replaceLocked(clockFloorFile(dataDir), 'newest time', () => {
    const newest = new Date(Math.max(seenMs, readClockFloor(dataDir) ?? 0)).toISOString();
    return `${JSON.stringify({ newest })}\n`;
  });
}
