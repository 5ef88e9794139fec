import { type SettingKind, textOf } from '#src/core/base/settings/setting-kind.ts';

/** A time of day by the clock that people here go by. */
export interface TimeOfDay {
  readonly hour: number;
  readonly minute: number;
}

/** A time of day as a setting has it. */
export const timeOfDay: SettingKind<TimeOfDay> = textOf('a time such as 03:00', readTime, writeTime);

function readTime(text: string): TimeOfDay | null {
  const [, hour = '', minute = ''] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  return hour === '' ? null : { hour: Number(hour), minute: Number(minute) };
}

function writeTime({ hour, minute }: TimeOfDay): string {
  return [hour, minute].map((part) => String(part).padStart(2, '0')).join(':');
}

/**
 * The last moment, in milliseconds since the Unix epoch, at which it was this time in the zone of this machine. On a day
 * that has it not, as clocks are set forward, it is as much later as they are.
 */
export function lastTimeAt({ hour, minute }: TimeOfDay, nowMs: number): number {
  const day = new Date(nowMs);
  const today = day.setHours(hour, minute, 0, 0);
  if (today <= nowMs) return today;
  const yesterday = new Date(nowMs);
  yesterday.setDate(yesterday.getDate() - 1);
  return yesterday.setHours(hour, minute, 0, 0);
}
