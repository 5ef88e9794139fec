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
