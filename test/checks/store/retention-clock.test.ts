import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import {
  advance,
  type RetentionTime,
  readRetentionTime,
  saveRetentionTime,
} from '#src/checks/store/upkeep/retention.ts';
import { DAY_MS, HOUR_MS } from '#src/core/base/clock.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { createRandom } from '#test/support/random.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const NOW_MS = Date.UTC(2026, 0, 31);
const YEAR_MS = 365 * DAY_MS;
const START: RetentionTime = { nowMs: NOW_MS, wallMs: NOW_MS, monotonicMs: 0, evenMs: 0 };

/** A machine whose time passes hour by hour, and whose wall clock jumps before an hour by so much. */
function afterHours(jumpsMs: readonly number[], start = START): RetentionTime {
  let time = start;
  for (const jumpMs of jumpsMs) {
    const clock = { wallMs: time.wallMs + HOUR_MS + jumpMs, monotonicMs: time.monotonicMs + HOUR_MS };
    time = advance(time, { now: () => clock.wallMs, monotonicMs: () => clock.monotonicMs });
  }
  return time;
}

const evenly = (hours: number) => new Array<number>(hours).fill(0);

test('the retention time equals the time of a clock that never jumps', () => {
  expect(afterHours(evenly(1000)).nowMs).toBe(NOW_MS + 1000 * HOUR_MS);
});

test.each([DAY_MS, 10 * DAY_MS, 10 * YEAR_MS])(
  'a clock that jumps %d ms ahead is accepted after 23 hours, and not before',
  (jumpMs) => {
    for (const hours of [0, 1, 12, 22]) {
      expect(afterHours([0, jumpMs, ...evenly(hours)]).nowMs).toBe(NOW_MS + (2 + hours) * HOUR_MS);
    }
    expect(afterHours([0, jumpMs, ...evenly(23)]).nowMs).toBe(NOW_MS + jumpMs + 25 * HOUR_MS);
  },
);

test('never accepts a clock that jumps ahead repeatedly', () => {
  const jumps = Array.from({ length: 1000 }, (_, hour) => (hour % 20 === 0 ? YEAR_MS : 0));
  expect(afterHours(jumps).nowMs).toBe(NOW_MS + 1000 * HOUR_MS);
});

test("accepts a time server's gradual correction", () => {
  const correctedMs = afterHours(new Array<number>(100).fill(2000));
  expect(correctedMs.nowMs).toBe(correctedMs.wallMs);
});

test('the retention time is never ahead of the clock, and never faster except for one step after 23 even hours', () => {
  const random = createRandom(7);
  let time = START;
  for (let hour = 0; hour < 5000; hour++) {
    const jumpMs = random.next() < 0.05 ? (random.next() - 0.5) * 20 * YEAR_MS : 0;
    const next = afterHours([jumpMs], time);
    expect(next.nowMs).toBeLessThanOrEqual(next.wallMs);
    if (next.nowMs > time.nowMs + HOUR_MS) expect(next.evenMs).toBeGreaterThanOrEqual(23 * HOUR_MS);
    time = next;
  }
});

const clockAt = (wallMs: number) => ({ now: () => wallMs, monotonicMs: () => 0 });
const logger = createLogger('error', () => {});

test.each([
  ['ahead', 10 * YEAR_MS, 0],
  ['behind', -10 * YEAR_MS, -10 * YEAR_MS],
])(
  'a run that starts with a clock that is %s uses the earlier of the clock and the stored time',
  async (_, offMs, expectedMs) => {
    await using directory = temporaryDirectory();
    saveRetentionTime(directory.path, START, logger);
    const time = readRetentionTime(directory.path, clockAt(NOW_MS + offMs), () => null);
    expect([time.nowMs, time.evenMs]).toEqual([NOW_MS + expectedMs, 0]);
  },
);

test.each([
  ['the newest check', NOW_MS - DAY_MS, NOW_MS - DAY_MS],
  ['a check from the future', NOW_MS + DAY_MS, NOW_MS],
  ['no check', null, NOW_MS],
])('a first run, or one without a readable time, starts with %s', async (_, newestMs, expectedMs) => {
  await using directory = temporaryDirectory();
  expect(readRetentionTime(directory.path, clockAt(NOW_MS), () => newestMs).nowMs).toBe(expectedMs);
  writeFileSync(`${directory.path}/retention.clock`, 'no time');
  expect(readRetentionTime(directory.path, clockAt(NOW_MS), () => newestMs).nowMs).toBe(expectedMs);
});
