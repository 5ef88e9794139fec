import { expect, test } from 'bun:test';
import { rm, writeFile } from 'node:fs/promises';
import type { LocalLog } from '#src/checks/store/local-log.ts';
import { EVERY_CHECK } from '#src/checks/store/read/check-filter.ts';
import { startRetention } from '#src/checks/store/upkeep/retention.ts';
import { DAY_MS, HOUR_MS } from '#src/core/base/clock.ts';
import { createLogger } from '#src/core/base/logger.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { openLog } from './open-log.ts';

const NOW_MS = Date.UTC(2026, 0, 31);
const YEAR_MS = 365 * DAY_MS;
const VISIBILITIES = ['public', 'private'] as const;

/** A box whose checks stay for 30 days, and whose clock is set by hand. */
function createBox() {
  const directory = temporaryDirectory();
  const lines: string[] = [];
  const logger = createLogger('info', (line) => lines.push(line));
  const clock = { wallMs: NOW_MS, now: () => clock.wallMs, monotonicMs: () => 0 };

  /** One run of the server, from its start to the end of its first purge. */
  async function run(work: (log: LocalLog) => Promise<void>, days = 30): Promise<void> {
    await using log = await openLog(directory.path, { clock });
    await work(log);
    const purged = Promise.withResolvers<void>();
    const ends = new Set<Visibility>(days === 0 ? VISIBILITIES : []);
    const purge: LocalLog['purge'] = async (visibility, beforeMs) => {
      try {
        return await log.purge(visibility, beforeMs);
      } finally {
        if (ends.add(visibility).size === 2) purged.resolve();
      }
    };
    if (ends.size === 2) purged.resolve();
    using _ = startRetention({ purge, newestMs: log.newestMs }, { days, dataDir: directory.path, clock, logger });
    await purged.promise;
  }

  return {
    clock,
    lines,
    run,
    /** Logs one check in both logs, as the clock shows. */
    async check(log: LocalLog, path: string): Promise<void> {
      const record = (visibility: Visibility) =>
        sampleRecord({ visibility, atMs: clock.wallMs, url: `https://example.com/${path}` });
      await Promise.all(VISIBILITIES.map((visibility) => log.append(record(visibility))));
    },
    /** The paths of what is in both logs, in the order in which it was dated. */
    async kept(): Promise<string[]> {
      await using log = await openLog(directory.path, { access: 'read' });
      const pathsOf = async (visibility: Visibility) => {
        const entries = await Array.fromAsync(log.read(visibility, EVERY_CHECK));
        const paths = entries.map(({ result }) => new URL(result.url).pathname.slice(1));
        return paths.toReversed().join(' ');
      };
      const [open, hidden] = [await pathsOf('public'), await pathsOf('private')];
      expect(hidden).toBe(open);
      return open.split(' ').filter((path) => path !== '');
    },
    /** As a program left the box that kept no time. */
    forgetTime: () => rm(`${directory.path}/retention.clock`),
    /** As if the clock had run evenly for a day. */
    trustClock: () => writeFile(`${directory.path}/retention.clock`, new Date(clock.wallMs).toISOString()),
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}

/** A box that was used once a day for 40 days, and runs on. */
async function usedBox(): Promise<ReturnType<typeof createBox>> {
  const box = createBox();
  await box.run(async (log) => {
    for (let day = 40; day >= 0; day--) {
      box.clock.wallMs = NOW_MS - day * DAY_MS;
      await box.check(log, `day-${day}`);
    }
  }, 0);
  return box;
}

const nothing = () => Promise.resolve();
const thirtyDays = Array.from({ length: 31 }, (_, i) => `day-${30 - i}`);

test('removes checks older than the configured days from both logs', async () => {
  await using box = await usedBox();
  await box.run(nothing);
  expect(await box.kept()).toEqual(thirtyDays);
  const told = box.lines.map((line) => JSON.parse(line)).toSorted((a, b) => (a.visibility < b.visibility ? -1 : 1));
  expect(told).toMatchObject([
    { event: 'log.purged', visibility: 'private', removed: 10 },
    { event: 'log.purged', visibility: 'public', removed: 10 },
  ]);
});

test('removes nothing with 0 days', async () => {
  await using box = await usedBox();
  await box.run(nothing, 0);
  expect(await box.kept()).toHaveLength(41);
});

test.each([DAY_MS, 10 * DAY_MS, 10 * YEAR_MS])(
  'a start whose clock is %d ms ahead removes no further checks',
  async (aheadMs) => {
    await using box = await usedBox();
    await box.run(nothing);
    for (let start = 0; start < 3; start++) {
      box.clock.wallMs = NOW_MS + aheadMs;
      await box.run((log) => box.check(log, 'ahead'));
    }
    expect(await box.kept()).toEqual([...thirtyDays, 'ahead', 'ahead', 'ahead']);
    box.clock.wallMs = NOW_MS + HOUR_MS;
    await box.run((log) => box.check(log, 'again'));
    expect(await box.kept()).toEqual([...thirtyDays, 'again', 'ahead', 'ahead', 'ahead']);
  },
);

test('the first start with retention and a clock that is ahead removes no check early', async () => {
  await using box = await usedBox();
  await box.forgetTime();
  box.clock.wallMs = NOW_MS + 10 * YEAR_MS;
  await box.run(nothing);
  expect(await box.kept()).toEqual(thirtyDays);
});

test('a check dated by a clock that is behind is retained as long as the checks logged around it', async () => {
  await using box = await usedBox();
  box.clock.wallMs = NOW_MS - 10 * YEAR_MS;
  await box.run((log) => box.check(log, 'behind'));
  box.clock.wallMs = NOW_MS + HOUR_MS;
  await box.run((log) => box.check(log, 'after'));
  expect(await box.kept()).toContain('behind');
  for (const [day, kept] of [
    [20, true],
    [31, false],
  ] as const) {
    box.clock.wallMs = NOW_MS + day * DAY_MS;
    await box.trustClock();
    await box.run((log) => box.check(log, `later-${day}`));
    expect((await box.kept()).includes('behind')).toBe(kept);
  }
});

test('a check dated by a clock that is ahead is removed with the checks logged around it', async () => {
  await using box = await usedBox();
  box.clock.wallMs = NOW_MS + 10 * YEAR_MS;
  await box.run((log) => box.check(log, 'ahead'));
  box.clock.wallMs = NOW_MS + HOUR_MS;
  await box.run((log) => box.check(log, 'after'));
  box.clock.wallMs = NOW_MS + 31 * DAY_MS;
  await box.trustClock();
  await box.run((log) => box.check(log, 'later'));
  expect(await box.kept()).toEqual(['later']);
});

test('a log that cannot be purged does not block the purge of the other', async () => {
  await using directory = temporaryDirectory();
  const asked: string[] = [];
  const lines: string[] = [];
  const both = Promise.withResolvers<void>();
  const purge = (visibility: Visibility) => {
    if (asked.push(visibility) === 2) both.resolve();
    return visibility === 'public' ? Promise.reject(new Error('no space')) : Promise.resolve(3);
  };
  const logger = createLogger('info', (line) => lines.push(line));
  const clock = { now: () => NOW_MS, monotonicMs: () => 0 };
  const log = { purge, newestMs: () => null };
  using _ = startRetention(log, { days: 30, dataDir: directory.path, clock, logger });
  await both.promise;
  expect([asked, lines[0]]).toEqual([['public', 'private'], expect.stringContaining('log.purge_failed')]);
});

test('logs how many checks a purge removed, and nothing if there were none', async () => {
  await using box = createBox();
  await box.run((log) => box.check(log, 'a'));
  await box.trustClock();
  expect(box.lines.filter((line) => line.includes('log.purged'))).toEqual([]);
  box.clock.wallMs += 31 * DAY_MS;
  await box.trustClock();
  await box.run(() => Promise.resolve());
  const purged = box.lines.filter((line) => line.includes('log.purged'));
  expect(purged.map((line) => JSON.parse(line).removed)).toEqual([1, 1]);
});
