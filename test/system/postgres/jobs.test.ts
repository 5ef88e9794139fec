import { afterAll, expect, test } from 'bun:test';
import { onDatabase } from '#src/parts/postgres/examine-server.ts';
import { leadJob, takeJob } from '#src/parts/postgres/jobs.ts';
import { startPostgres } from '#test/support/postgres.ts';
import { openFleet } from './shared-fleet.ts';

const server = await startPostgres();
afterAll(() => server[Symbol.asyncDispose]());

test('one of several concurrent nodes takes a job each time', async () => {
  await using fleet = await openFleet(server);
  const { url } = fleet.databases;
  const urls = { public: [url('public', 'node')], private: [url('private', 'node')] };
  const dataDir = fleet.folder();
  const due = Date.parse('2026-03-03T03:00:00Z');
  const ask = (dueAtMs: number) =>
    Promise.all(
      ['a', 'b', 'c', 'd'].map((begunBy) => takeJob({ urls, dataDir }, { name: 'rescore', dueAtMs, begunBy })),
    );
  const takers = async (dueAtMs: number) => (await ask(dueAtMs)).filter(Boolean).length;
  expect(await takers(due)).toBe(1);
  expect(await takers(due)).toBe(0);
  expect(await takers(due + 86_400_000)).toBe(1);
  expect(await takers(due)).toBe(0);
});

test('one node leads until it is silent for three minutes', async () => {
  await using fleet = await openFleet(server);
  const { url } = fleet.databases;
  const urls = { public: [url('public', 'node')], private: [url('private', 'node')] };
  const place = { urls, dataDir: fleet.folder() };
  const leaders = async (...names: string[]) => {
    const leading = await Promise.all(
      names.map(async (name) => ((await leadJob(place, 'list_sources', name)) ? [name] : [])),
    );
    return leading.flat();
  };
  const first = await leaders('a', 'b', 'c');
  expect(first).toHaveLength(1);
  expect(await leaders('a', 'b', 'c')).toEqual(first);
  const silentFor = (interval: string) =>
    onDatabase(url('public', 'owner'), ({ sql }) =>
      sql.unsafe("update jobs set due_at = now() - $1::interval where name = 'list_sources'", [interval]),
    );
  await silentFor('2 minutes');
  expect(await leaders('other')).toEqual([]);
  await silentFor('181 seconds');
  expect(await leaders('other')).toEqual(['other']);
  expect(await leaders(...first)).toEqual([]);
});
