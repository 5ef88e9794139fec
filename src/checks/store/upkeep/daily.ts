import type { Clock } from '#src/core/base/clock.ts';
import { regularly } from './run-every.ts';
import { lastTimeAt, type TimeOfDay } from './time-of-day.ts';

/** Work that is done once a day. */
export interface DailyWork {
  /** When to begin; null for never. It may change. */
  readonly at: () => TimeOfDay | null;
  /** When it was last begun, in milliseconds since the Unix epoch: a time of day that has passed since is made up for. */
  readonly lastMs: number;
  readonly work: () => Promise<void>;
  readonly onFailure: (error: unknown) => void;
  readonly clock: Pick<Clock, 'now'>;
  /** How often to look at the clock, in milliseconds. */
  readonly everyMs?: number;
}

const LOOK_MS = 20_000;

/** Does some work once a day, until it is disposed of. */
export function daily({ at, lastMs, work, onFailure, clock, everyMs = LOOK_MS }: DailyWork): Disposable {
  let beganMs = lastMs;
  async function look(): Promise<void> {
    const time = at();
    const nowMs = clock.now();
    // A clock that was set back does not put it off until it has caught up.
    beganMs = Math.min(beganMs, nowMs);
    if (time === null || lastTimeAt(time, nowMs) <= beganMs) return;
    beganMs = nowMs;
    await work();
  }
  return regularly(everyMs, look, onFailure);
}
