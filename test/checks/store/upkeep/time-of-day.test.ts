import { expect, test } from 'bun:test';
import { lastTimeAt, timeOfDay } from '#src/checks/store/upkeep/run-every.ts';
import { DAY_MS, HOUR_MS } from '#src/core/base/clock.ts';

test.each(['00:00', '03:05', '23:59'])('%s is a time of day', (text) => {
  const time = timeOfDay.read([text]);
  expect(time && timeOfDay.write(time)).toBe(text);
});

test.each(['3:00', '24:00', '03:60', '03:00:00', '0300', '', ' 03:00', '٠٣:٠٠'])('%j is not a time of day', (text) => {
  expect(timeOfDay.read([text])).toBeNull();
});

test('the last occurrence of a time of day is in the past, and within the last day', () => {
  // Over the changes of clocks of a year, wherever the zone of this machine has them.
  for (let nowMs = Date.UTC(2026, 0, 1); nowMs < Date.UTC(2027, 0, 1); nowMs += 7 * HOUR_MS + 60_000) {
    const atMs = lastTimeAt({ hour: 2, minute: 30 }, nowMs);
    expect(atMs).toBeLessThanOrEqual(nowMs);
    expect(nowMs - atMs).toBeLessThan(DAY_MS + 2 * HOUR_MS);
    const minutes = new Date(atMs).getHours() * 60 + new Date(atMs).getMinutes();
    expect([150, 210]).toContain(minutes);
  }
});
