import { join } from 'node:path';
import { readIfExists, replaceLocked } from '#src/core/base/files/locked-file.ts';
import { type Guard, objectWith } from '#src/core/base/guard.ts';
import { parseJson } from '#src/core/base/text/json-shape.ts';

/** Stored state of watch mode. Times are ISO 8601. */
export interface WatchState {
  /** Start of watch mode; null if it was never used. */
  readonly watching_since: string | null;
  /** When an operator last read `gate report`; null for never. */
  readonly reported_at: string | null;
}

const NEVER: WatchState = { watching_since: null, reported_at: null };

const isTime: Guard<string | null> = (value): value is string | null =>
  value === null || (typeof value === 'string' && !Number.isNaN(Date.parse(value)));

const isWatchState = objectWith<WatchState>({ watching_since: isTime, reported_at: isTime });

const WHAT = 'times of watching';

const fileIn = (dataDir: string) => join(dataDir, 'gate.json');

/** Reads the state; a damaged file counts as none. Throws OperationError if the file cannot be read. */
export function readWatchState(dataDir: string): WatchState {
  const text = readIfExists(fileIn(dataDir), WHAT);
  const state = text === null ? null : parseJson(text);
  return isWatchState(state) ? state : NEVER;
}

/** Notes when watching began, unless it began earlier. Throws OperationError if the file cannot be written. */
export function beginWatching(dataDir: string, nowMs: number): void {
  if (readWatchState(dataDir).watching_since !== null) return;
  change(dataDir, (state) => ({ ...state, watching_since: new Date(nowMs).toISOString() }));
}

/** Notes that an operator has read the report. Throws OperationError likewise. */
export function noteReport(dataDir: string, nowMs: number): void {
  change(dataDir, (state) => ({ ...state, reported_at: new Date(nowMs).toISOString() }));
}

function change(dataDir: string, next: (state: WatchState) => WatchState): void {
  replaceLocked(fileIn(dataDir), WHAT, () => `${JSON.stringify(next(readWatchState(dataDir)))}\n`);
}
