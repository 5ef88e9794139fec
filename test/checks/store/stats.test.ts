import { expect, test } from 'bun:test';
import { FormatRegistry, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { StatsSchema } from '#src/checks/record/stats.ts';
import {
  ANSWER_TIME_BUCKETS,
  answerTimeBound,
  answerTimeBucket,
  answerTimeQuantile,
} from '#src/checks/store/write/buckets.ts';
import { hostOf } from '#src/core/url/host.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { openLog } from './open-log.ts';
import { expectSound } from './sound.ts';

FormatRegistry.Set('date-time', (text) => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text));

const NOW_MS = Date.UTC(2026, 2, 15, 12, 30);
const HOUR_MS = 3_600_000;
const DECISIONS = ['allow', 'warn', 'block'] as const;
const clock = { now: () => NOW_MS, monotonicMs: () => 0 };

/** Checks spread over forty days before now and two after it, as after a jump of the clock. */
const recordAt = (i: number) =>
  sampleRecord({
    url: `https://www.shop${i % 13}.${['com', 'co.uk', 'github.io'][i % 3]}/${i}`,
    atMs: NOW_MS + 48 * HOUR_MS - ((i * 7919) % (42 * 24)) * HOUR_MS - (i % 60) * 1000,
    result: { decision: DECISIONS[i % 3] ?? 'allow', malicious_probability: (i % 101) / 100 },
    details: { analysis_time: 0.001 * 1.02 ** (i % 500) },
  });

test('counts equal a recount after adding and removing checks in any order', async () => {
  await using directory = temporaryDirectory();
  {
    await using log = await openLog(directory.path, { clock });
    for (let round = 0; round < 4; round++) {
      await Promise.all(Array.from({ length: 200 }, (_, i) => log.append(recordAt(round * 200 + i))));
      await log.purge('public', NOW_MS - (38 - round * 9) * 24 * HOUR_MS);
    }
  }
  expectSound(`${directory.path}/public.sqlite`);
});

test('the statistics have their documented shape and add up to the checks', async () => {
  await using directory = temporaryDirectory();
  await using log = await openLog(directory.path, { clock });
  const records = Array.from({ length: 600 }, (_, i) => recordAt(i));
  await Promise.all(records.map((record) => log.append(record)));
  const stats = await log.stats();
  expect([...TypeCompiler.Compile(Type.Omit(StatsSchema, ['retention'])).Errors(stats)]).toEqual([]);

  const dayBegin = Date.UTC(2026, 2, 15) - 29 * 24 * HOUR_MS;
  const shownUntil = (endMs: number, beginMs: number) =>
    records.filter(({ result }) => Date.parse(result.timestamp) >= beginMs && Date.parse(result.timestamp) < endMs);
  const inDays = shownUntil(dayBegin + 30 * 24 * HOUR_MS, dayBegin);
  const hourBegin = Date.UTC(2026, 2, 15, 12) - 23 * HOUR_MS;
  const inHours = shownUntil(hourBegin + 24 * HOUR_MS, hourBegin);
  for (const decision of DECISIONS) {
    const of = (list: typeof records) => list.filter(({ result }) => result.decision === decision).length;
    expect(stats.days.reduce((sum, day) => sum + day[decision], 0)).toBe(of(inDays));
    expect(stats.hours.reduce((sum, hour) => sum + hour[decision], 0)).toBe(of(inHours));
  }
  expect(stats.days.at(-1)?.start).toBe('2026-03-15T00:00:00.000Z');
  expect(stats.hours.at(-1)?.start).toBe('2026-03-15T12:00:00.000Z');
  expect(stats.probabilities.map(({ from, until }) => [from, until].map((p) => Math.round(p * 100)))).toEqual(
    Array.from({ length: 50 }, (_, i) => [2 * i, 2 * i + 2]),
  );
});

test('the most blocked names are listed first, and a private check changes nothing', async () => {
  await using directory = temporaryDirectory();
  await using log = await openLog(directory.path, { clock });
  const block = (url: string, visibility: 'public' | 'private' = 'public') =>
    log.append(sampleRecord({ url, visibility, atMs: NOW_MS, result: { decision: 'block' } }));
  for (const url of ['https://a.one.co.uk/', 'https://b.one.co.uk/', 'https://x.github.io/', 'http://192.0.2.1/'])
    await block(url);
  const before = await log.stats();
  expect(before.blocked_sites[0]).toEqual({ name: 'one.co.uk', checks: 2 });
  expect(before.blocked_suffixes).toEqual([
    { name: 'co.uk', checks: 2 },
    { name: 'github.io', checks: 1 },
  ]);
  await block('https://hidden.example/', 'private');
  expect({ ...(await log.stats()), disk_free_percent: 0 }).toEqual({ ...before, disk_free_percent: 0 });
});

test('a blocked redirector is counted under the link that decided, until its check is deleted', async () => {
  await using directory = temporaryDirectory();
  await using log = await openLog(directory.path, { clock });
  const decidingHost = hostOf('login.evil.co.uk');
  const result = { decision: 'block' } as const;
  await log.append(sampleRecord({ url: 'https://www.google.com/url?q=x', atMs: NOW_MS, result, decidingHost }));
  await log.append(sampleRecord({ url: 'https://own.example/', atMs: NOW_MS, result }));
  const named = async () => (await log.stats()).blocked_sites.map(({ name }) => name).toSorted();
  expect(await named()).toEqual(['evil.co.uk', 'own.example']);
  log.deletions.ask('public', { by: 'domain', wanted: 'google.com' });
  await log.deletions.finish('public');
  expect(await named()).toEqual(['own.example']);
  expect((await log.stats()).blocked_suffixes).toEqual([{ name: 'example', checks: 1 }]);
});

test('an empty log has empty statistics', async () => {
  await using directory = temporaryDirectory();
  await using log = await openLog(directory.path, { clock });
  const stats = await log.stats();
  expect(stats.answer_seconds.p50).toBeNull();
  expect(stats.hours).toHaveLength(24);
  expect(stats.disk_free_percent).toBeGreaterThanOrEqual(0);
});

test('each answer time is in its bucket, and quantiles are accurate to within a fifth', () => {
  const counts = new Array<number>(ANSWER_TIME_BUCKETS).fill(0);
  const times = Array.from({ length: 5000 }, (_, i) => 0.0015 * 1.002 ** i).filter((seconds) => seconds < 60);
  for (const seconds of times) {
    const bucket = answerTimeBucket(seconds);
    expect(seconds).toBeGreaterThanOrEqual(answerTimeBound(bucket) * (1 - 1e-9));
    expect(seconds).toBeLessThan(answerTimeBound(bucket + 1) * (1 + 1e-9));
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  for (const q of [0.01, 0.5, 0.9, 0.99]) {
    const exact = times[Math.floor(q * times.length)] ?? 0;
    const estimate = answerTimeQuantile(counts, q) ?? 0;
    expect(Math.abs(estimate / exact - 1)).toBeLessThan(0.2);
  }
  expect(answerTimeBucket(1e9)).toBe(ANSWER_TIME_BUCKETS - 1);
  expect(answerTimeBucket(0)).toBe(0);
});
