import type { Clock } from '#src/core/base/clock.ts';
import { type SettingKind, textOf } from '#src/core/base/settings/setting-kind.ts';

/** A local time of day. */
export interface TimeOfDay {
  readonly hour: number;
  readonly minute: number;
}

/** Kind of a setting with a time of day. */
export const timeOfDay: SettingKind<TimeOfDay> = textOf('a time such as 03:00', readTime, writeTime);

function readTime(text: string): TimeOfDay | null {
  const [, hour = '', minute = ''] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  return hour === '' ? null : { hour: Number(hour), minute: Number(minute) };
}

function writeTime({ hour, minute }: TimeOfDay): string {
  return [hour, minute].map((part) => String(part).padStart(2, '0')).join(':');
}

/**
 * Returns the last moment at which it was this local time, in milliseconds since the Unix epoch. A time that a clock
 * change skips is shifted by that change.
 */
export function lastTimeAt({ hour, minute }: TimeOfDay, nowMs: number): number {
  const day = new Date(nowMs);
  const today = day.setHours(hour, minute, 0, 0);
  if (today <= nowMs) return today;
  const yesterday = new Date(nowMs);
  yesterday.setDate(yesterday.getDate() - 1);
  return yesterday.setHours(hour, minute, 0, 0);
}

/** Work to do once a day. */
interface DailyWork {
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

/**
 * Runs work now and every `everyMs` without overlap, until it is disposed of. Reports the first of consecutive
 * failures.
 */
export function runEvery(everyMs: number, work: () => Promise<void>, onFailure: (error: unknown) => void): Disposable {
  let isBusy = false;
  let isFailing = false;

  async function once(): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    try {
      await work();
      isFailing = false;
    } catch (error) {
      if (!isFailing) onFailure(error);
      isFailing = true;
    }
    isBusy = false;
  }

  void once();
  const timer = setInterval(() => void once(), everyMs);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
