import type { Clock } from '#src/core/base/clock.ts';
import { runEvery } from './run-every.ts';
import { lastTimeAt, type TimeOfDay } from './time-of-day.ts';

/** Work to do once a day. */
export interface DailyWork {
  /** Time of day, which may change; null for never. */
  readonly at: () => TimeOfDay | null;
  /** Last start, in milliseconds since the Unix epoch; a missed time is caught up on. */
  readonly lastMs: number;
  /** Called with the due time, in milliseconds since the Unix epoch. */
  readonly work: (dueMs: number) => Promise<void>;
  readonly onFailure: (error: unknown) => void;
  readonly clock: Pick<Clock, 'now'>;
  /** Poll interval, in milliseconds. */
  readonly everyMs?: number;
}

const LOOK_MS = 20_000;

/** Runs work once a day until it is disposed of. */
export function daily({ at, lastMs, work, onFailure, clock, everyMs = LOOK_MS }: DailyWork): Disposable {
  let beganMs = lastMs;
  async function look(): Promise<void> {
    const time = at();
    const nowMs = clock.now();
    // A clock that was set back does not delay it.
    beganMs = Math.min(beganMs, nowMs);
    const dueMs = time && lastTimeAt(time, nowMs);
    if (dueMs === null || dueMs <= beganMs) return;
    beganMs = nowMs;
    await work(dueMs);
  }
  return runEvery(everyMs, look, onFailure);
}
