import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { HOUR_MS } from '#src/core/base/clock.ts';
import { createRequestId } from '#src/core/base/request-id.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { until } from '#test/support/until.ts';
import { openLog } from '../open-log.ts';

const NOW_MS = Date.UTC(2026, 2, 15, 12, 30);

function recordAt(hoursAgo: number, visibility: Visibility, site: string, decision: 'allow' | 'warn' | 'block') {
  const atMs = NOW_MS - hoursAgo * HOUR_MS;
  const result = { decision, request_id: createRequestId(atMs), timestamp: new Date(atMs).toISOString() };
  return sampleRecord({ url: `https://www.${site}/`, atMs, visibility, result });
}

test.each(['public', 'private'] as const)(
  'the last 24 hours of the %s log are counted by hour, and blocked by site',
  async (log) => {
    await using directory = temporaryDirectory();
    const clock = { nowMs: NOW_MS, now: () => clock.nowMs, monotonicMs: () => 0 };
    await using logs = await openLog(directory.path, { clock });
    const sums = async () => {
      const { hours = [], blocked = new Map() } = (await logs.activity(log)) ?? {};
      const counted = hours.map(({ allow, warn, block }) => [allow, warn, block].join(' '));
      return { counted, first: hours[0]?.start, blocked: Object.fromEntries(blocked) };
    };
    const none = Array.from({ length: 24 }, () => '0 0 0');
    await logs.append(recordAt(0, log, 'one.example', 'block'));
    await logs.append(recordAt(3, log, 'one.example', 'block'));
    await logs.append(recordAt(3, log, 'two.example', 'warn'));
    await logs.append(recordAt(23, log, 'three.co.uk', 'block'));
    await logs.append(recordAt(24, log, 'old.example', 'block'));
    const seen = none.with(23, '0 0 1').with(20, '0 1 1').with(0, '0 0 1');
    expect(await sums()).toEqual({
      counted: seen,
      first: '2026-03-14T13:00:00.000Z',
      blocked: { 'one.example': 2, 'three.co.uk': 1 },
    });
    // Counted again, of what is settled and what is not.
    await logs.append(recordAt(0, log, 'one.example', 'allow'));
    expect((await sums()).counted).toEqual(seen.with(23, '1 0 1'));
    // Erased, from the hours that were counted before, too.
    logs.deletions.ask(log, { by: 'domain', wanted: 'one.example' });
    await logs.deletions.finish(log);
    expect(await sums()).toMatchObject({
      counted: none.with(20, '0 1 0').with(0, '0 0 1'),
      blocked: { 'three.co.uk': 1 },
    });
    clock.nowMs += HOUR_MS;
    expect((await sums()).counted).toEqual(none.with(19, '0 1 0'));
  },
);

test('the hours of the private log that are over are stored, until checks of them are deleted', async () => {
  await using directory = temporaryDirectory();
  const clock = { nowMs: NOW_MS, now: () => clock.nowMs, monotonicMs: () => 0 };
  await using logs = await openLog(directory.path, { clock });
  using database = new Database(`${directory.path}/private.sqlite`, { readwrite: true });
  const stored = () =>
    database
      .query<{ hours: number; checks: number }, []>('select count(*) / 3 as hours, sum(checks) as checks from counts')
      .get();
  await logs.append(recordAt(2, 'private', 'one.example', 'block'));
  await logs.append(recordAt(5, 'private', 'two.example', 'allow'));
  await until(() => stored()?.hours === 23);
  expect(stored()).toEqual({ hours: 23, checks: 2 });
  logs.deletions.ask('private', { by: 'domain', wanted: 'one.example' });
  await logs.deletions.finish('private');
  expect(stored()).toEqual({ hours: 22, checks: 1 });
  // The next hour is stored with the first check after it, and those before the first are forgotten.
  clock.nowMs += HOUR_MS;
  await logs.append(recordAt(0, 'private', 'three.example', 'warn'));
  await until(() => stored()?.hours === 23);
  const { hours = [] } = (await logs.activity('private')) ?? {};
  expect(hours.map(({ allow, warn, block }) => allow + warn + block).join('')).toBe(`${'0'.repeat(17)}1000010`);
});

test('one log says nothing about the other', async () => {
  await using directory = temporaryDirectory();
  await using logs = await openLog(directory.path, { clock: { now: () => NOW_MS, monotonicMs: () => 0 } });
  await logs.append(recordAt(0, 'private', 'one.example', 'block'));
  const [open, secret] = await Promise.all([logs.activity('public'), logs.activity('private')]);
  expect([open?.hours.at(-1)?.block, open?.blocked.size, secret?.hours.at(-1)?.block]).toEqual([0, 0, 1]);
});
