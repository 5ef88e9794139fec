import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import type { CheckRecord } from '#src/record/check-record.ts';
import { onDatabase } from '#src/store/postgres/database-status.ts';
import type { ScanLog } from '#src/store/scan-log.ts';
import { openDatabaseLog } from '#test/support/database-log.ts';
import { type Databases, makeDatabases, type PostgresServer, startPostgres } from '#test/support/postgres.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const TIMEOUT_MS = 500;
const CONCURRENCY = 20;

/** A node, and what it said that it keeps. */
function createNode(log: ScanLog) {
  const acknowledged: string[] = [];
  const refused: unknown[] = [];
  let next = 0;
  const record = (visibility: CheckRecord['visibility']) =>
    sampleRecord({
      visibility,
      url: `https://n${next++}.example.com/`,
      atMs: Date.now(),
      result: { decision: 'block' },
    });

  async function one(visibility: CheckRecord['visibility']): Promise<void> {
    const kept = record(visibility);
    try {
      await log.append(kept);
      if (visibility === 'public') acknowledged.push(kept.result.request_id);
    } catch (error) {
      refused.push(error);
    }
  }

  return {
    acknowledged,
    refused,
    /** So many public checks, a fifth as many private ones beside them, some at a time. */
    async check(count: number): Promise<void> {
      let left = count;
      const work = async () => {
        while (left-- > 0) {
          await one('public');
          if (left % 5 === 0) await one('private');
        }
      };
      await Promise.all(Array.from({ length: CONCURRENCY }, work));
    },
    /** Until nothing waits on the node and the database takes what comes. */
    async untilHome(): Promise<void> {
      for (;;) {
        const { problem, notices } = await log.health();
        if (problem === null && notices.length === 0) return;
        await Bun.sleep(10);
      }
    },
  };
}

async function expectAllThere(databases: Databases, acknowledged: readonly string[]): Promise<void> {
  await onDatabase(databases.url('public', 'owner'), async ({ sql }) => {
    const rows: { id: string }[] = await sql.unsafe('select request_id::text as id from checks');
    expect(rows.map(({ id }) => id).toSorted()).toEqual(acknowledged.toSorted());
    const [sums] = await sql.unsafe(`select (select sum(checks)::int from counts where measure = 0) as counted,
      (select sum(checks)::int from blocked where kind = 1) as blocked,
      (select count(distinct request_id)::int from check_domains) as found`);
    const all = acknowledged.length;
    expect(sums).toEqual({ counted: all, blocked: all, found: all });
  });
}

/** What may happen to a server, and how it comes back. */
const MISHAPS: readonly (readonly [
  string,
  (server: PostgresServer) => Promise<void>,
  (server: PostgresServer) => Promise<void>,
])[] = [
  ['is restarted', (server) => server.stop(), (server) => server.start()],
  ['hangs', async (server) => server.signal('SIGSTOP'), async (server) => server.signal('SIGCONT')],
  ['is killed', (server) => server.stop('SIGKILL'), (server) => server.start()],
];

test.each(MISHAPS)(
  'while the database %s every check is answered, and each is there once in the end',
  async (_, harm, mend) => {
    await using server = await startPostgres();
    await using directory = temporaryDirectory();
    const databases = await makeDatabases(server);
    const lines: string[] = [];
    const options = { spoolRows: 100_000, timeoutMs: TIMEOUT_MS };
    const hidden = new Set<string>();
    {
      await using log = await openDatabaseLog(databases, directory.path, options, lines);
      const node = createNode(log);
      await node.check(100);
      for (let round = 0; round < 2; round++) {
        const during = node.check(200);
        await harm(server);
        await during;
        await node.check(100);
        expect((await log.health()).notices).toEqual([
          expect.stringMatching(/^Checks are kept on this node for now: the database .*\.$/),
          expect.stringMatching(/^\d+ public checks of this node are not in the database yet\.$/),
        ]);
        const back = node.check(200);
        await mend(server);
        await back;
        await node.untilHome();
      }
      expect(node.refused).toEqual([]);
      await expectAllThere(databases, node.acknowledged);
      for (const id of node.acknowledged) hidden.add(id);
      await waitUntilEmpty(`${directory.path}/private.spool`);
    }
    const events = new Set(lines.map((line) => JSON.parse(line).event));
    expect(events).toContain('log.database_away');
    expect(events).toContain('log.database_back');
    expect(lines.join('')).not.toContain('example.com');
    // What has arrived leaves no trace on the node.
    for (const name of readdirSync(directory.path)) {
      expect([name, readFileSync(`${directory.path}/${name}`).includes('example.com')]).toEqual([name, false]);
    }
  },
  120_000,
);

async function waitUntilEmpty(path: string): Promise<void> {
  using spool = new Database(path, { readonly: true });
  while (spool.query<{ n: number }, []>('select count(*) as n from waiting').get()?.n !== 0) await Bun.sleep(10);
}

test('what waits survives a restart of the node, and one that finds no database starts', async () => {
  await using server = await startPostgres();
  await using directory = temporaryDirectory();
  const databases = await makeDatabases(server);
  const options = { spoolRows: 100_000, timeoutMs: TIMEOUT_MS };
  await server.stop();
  const acknowledged: string[] = [];
  for (let start = 0; start < 2; start++) {
    await using log = await openDatabaseLog(databases, directory.path, options);
    const node = createNode(log);
    await node.check(100);
    acknowledged.push(...node.acknowledged);
    expect(node.refused).toEqual([]);
  }
  await server.start();
  await using log = await openDatabaseLog(databases, directory.path, options);
  await createNode(log).untilHome();
  await expectAllThere(databases, acknowledged);
});

test('without a spool, or with a full one, checks are refused and the node says so', async () => {
  await using server = await startPostgres();
  const databases = await makeDatabases(server);
  await server.stop();
  for (const [spoolRows, kept] of [
    [0, 0],
    [50, 50],
  ] as const) {
    await using directory = temporaryDirectory();
    await using log = await openDatabaseLog(databases, directory.path, { spoolRows, timeoutMs: TIMEOUT_MS });
    for (let i = 0; i < kept; i++) await log.append(sampleRecord());
    await expect(log.append(sampleRecord())).rejects.toMatchObject({
      code: 'log_unavailable',
      message: expect.stringContaining('so it is not answered: the database'),
    });
    expect(await log.health()).toMatchObject({ problem: expect.stringContaining('The public log cannot be written') });
    await expect(
      log.page({ decision: null, domain: null, fromMs: null, untilMs: null, limit: 1, cursor: null }),
    ).rejects.toMatchObject({ code: 'log_unavailable' });
  }
});

test('a check that the database does not take is refused alone, and one that waited is set aside', async () => {
  await using server = await startPostgres();
  await using directory = temporaryDirectory();
  const databases = await makeDatabases(server);
  const owner = databases.url('public', 'owner');
  await onDatabase(owner, ({ sql }) =>
    sql.unsafe("alter table checks add constraint not_this check (url not like '%bad%')"),
  );
  const lines: string[] = [];
  await using log = await openDatabaseLog(databases, directory.path, { spoolRows: 1000, timeoutMs: TIMEOUT_MS }, lines);
  const good = Array.from({ length: 30 }, () => sampleRecord());
  const bad = sampleRecord({ url: 'https://example.com/bad' });
  const outcomes = await Promise.allSettled(
    [...good.slice(0, 10), bad, ...good.slice(10, 20)].map((one) => log.append(one)),
  );
  expect(outcomes.map(({ status }, i) => (status === 'rejected' ? i : -1)).filter((i) => i >= 0)).toEqual([10]);
  await server.stop();
  for (const one of [sampleRecord({ url: 'https://example.com/bad/2' }), ...good.slice(20)]) await log.append(one);
  await server.start();
  await createNode(log).untilHome();
  await expectRows(databases, 30);
  expect(lines.map((line) => JSON.parse(line).event)).toContain('log.spooled_check_set_aside');
  expect(lines.join('')).not.toContain('/bad');
});

async function expectRows(databases: Databases, count: number): Promise<void> {
  const rows = await onDatabase(databases.url('public', 'owner'), ({ sql }) => sql.unsafe('select 1 from checks'));
  expect(rows).toHaveLength(count);
}
