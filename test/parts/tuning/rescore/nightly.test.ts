import { expect, test } from 'bun:test';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openLocalLog } from '#src/checks/store/local-log.ts';
import type { TimeOfDay } from '#src/checks/store/upkeep/run-every.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { startNightlyRescore } from '#src/parts/tuning/rescore/nightly.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { until } from '#test/support/until.ts';

const NIGHT = new Date(2026, 2, 3, 2, 59).getTime();

const THREE: TimeOfDay = { hour: 3, minute: 0 };

/** A log of public checks and a private one, beside nights in which everything is blocked. */
async function openNights(time: TimeOfDay | null = THREE, take?: (dueMs: number) => Promise<boolean>) {
  const directory = temporaryDirectory();
  const report: string[] = [];
  let looks = 0;
  const logger = createLogger('info', (line) => report.push(line));
  const clock = { nowMs: NIGHT, now: () => clock.nowMs, monotonicMs: () => performance.now() };
  const log = await openLocalLog({ dataDir: directory.path, access: 'serve', clock, logger });
  for (const [at, visibility] of (['public', 'private', 'public'] as const).entries()) {
    await log.append(sampleRecord({ url: `https://${visibility}-${at}.example/`, visibility, atMs: NIGHT - at - 1 }));
  }
  const start = async () =>
    await startNightlyRescore({
      at: () => {
        looks++;
        return time;
      },
      rescorer: async () => (kept) => ({
        was: { probability: kept.malicious_probability, decision: 'allow' },
        now: { probability: 0.99, decision: 'block' },
        because: 'lists',
        reason: null,
      }),
      log,
      take,
      dataDir: directory.path,
      clock,
      logger,
      everyMs: 1,
    });
  return {
    clock,
    log,
    report,
    start,
    /** Waits until the clock was looked at so many times more. */
    async looks(more: number) {
      const enough = looks + more;
      await until(() => looks >= enough);
    },
    path: join(directory.path, 'rescored.json'),
    async [Symbol.asyncDispose]() {
      await log[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
}

test('at the configured time, public checks are re-scored once, and private checks are not', async () => {
  await using world = await openNights();
  await using nights = await world.start();
  expect([nights.latest(), await nights.report()]).toEqual([null, null]);
  world.clock.nowMs = NIGHT + 61_000;
  await until(() => nights.latest() !== null);
  expect(nights.latest()).toMatchObject({ judged: 2, changes: [{ was: 'allow', now: 'block', checks: 2 }] });
  const report = await nights.report();
  expect(report?.graver.map(({ url }) => url)).toEqual(['https://public-0.example/', 'https://public-2.example/']);
  const lines = () => world.report.filter((line) => line.includes('rescore.done')).length;
  world.clock.nowMs += 3_600_000;
  await world.looks(3);
  expect(lines()).toBe(1);
  world.clock.nowMs += 24 * 3_600_000;
  await until(() => lines() === 2);
});

test('a run that another node has claimed is skipped, and the stored result of that node is read', async () => {
  const asked: number[] = [];
  await using world = await openNights(THREE, async (dueMs) => {
    asked.push(dueMs);
    return false;
  });
  await using nights = await world.start();
  world.clock.nowMs = NIGHT + 61_000;
  await until(() => asked.length > 0);
  await world.looks(3);
  // The time of day by the schedule, not by this clock: the same on all nodes.
  expect(asked).toEqual([NIGHT + 60_000]);
  expect(nights.latest()).toBeNull();
  writeFileSync(
    world.path,
    JSON.stringify({ finished_at: '2026-03-03T03:05:00.000Z', judged: 7, changes: [], graver: [] }),
  );
  await nights.reread();
  expect(nights.latest()).toMatchObject({ judged: 7 });
});

test('the result of a run survives a restart, and contains no checked URL', async () => {
  await using world = await openNights();
  {
    await using nights = await world.start();
    world.clock.nowMs = NIGHT + 61_000;
    await until(() => nights.latest() !== null && world.report.length > 0);
  }
  expect(readFileSync(world.path, 'utf8')).not.toContain('example');
  await using again = await world.start();
  expect((await again.report())?.graver).toHaveLength(2);
});

test('a damaged result file is ignored', async () => {
  await using world = await openNights();
  writeFileSync(world.path, '{"judged":-1}');
  await using nights = await world.start();
  expect(nights.latest()).toBeNull();
});

test('without a configured time, nothing runs and no result is stored', async () => {
  await using world = await openNights(null);
  {
    await using nights = await world.start();
    world.clock.nowMs = NIGHT + 61_000;
    await world.looks(3);
    expect(nights.latest()).toBeNull();
  }
  expect(existsSync(world.path)).toBe(false);
});
