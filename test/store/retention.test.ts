import { expect, test } from 'bun:test';
import { DAY_MS } from '#src/base/clock.ts';
import { createLogger } from '#src/base/logger.ts';
import { startRetention } from '#src/store/upkeep/retention.ts';

const NOW_MS = Date.UTC(2026, 0, 31);
const clock = { now: () => NOW_MS, monotonicMs: () => 0 };

/** A log that notes what it is asked to remove, and fails for one of its files. */
function noteRemovals() {
  const asked: [string, number][] = [];
  const lines: string[] = [];
  const both = Promise.withResolvers<void>();
  const purge = (visibility: string, beforeMs: number) => {
    asked.push([visibility, beforeMs]);
    if (asked.length === 2) both.resolve();
    return visibility === 'public' ? Promise.reject(new Error('no space')) : Promise.resolve(3);
  };
  return { asked, lines, both: both.promise, purge, logger: createLogger('info', (line) => lines.push(line)) };
}

test('what is older than the days given is removed from both logs, also where one of them fails', async () => {
  const log = noteRemovals();
  using _retention = startRetention(log, { days: 30, clock, logger: log.logger });
  await log.both;
  expect(log.asked).toEqual([
    ['public', NOW_MS - 30 * DAY_MS],
    ['private', NOW_MS - 30 * DAY_MS],
  ]);
  expect(log.lines[0]).toContain('log.purge_failed');
});

test('with 0 days everything is kept', () => {
  const log = noteRemovals();
  using _retention = startRetention(log, { days: 0, clock, logger: log.logger });
  expect(log.asked).toEqual([]);
});
