import { afterAll, expect, test } from 'bun:test';
import { takeJob } from '#src/checks/store/postgres/postgres-log.ts';
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
