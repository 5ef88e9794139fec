import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { onDatabase } from '#src/parts/postgres/examine-server.ts';
import { changeSpools, listSpools } from '#src/parts/postgres/manage-spools.ts';
import { openDatabaseLog } from '#test/support/database-log.ts';
import { type Databases, makeDatabases, type PostgresServer, startPostgres } from '#test/support/postgres.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { until } from '#test/support/until.ts';
import { runOnSmallDisk } from '../small-disk.ts';
import { createNode, expectAllThere } from './busy-node.ts';

const TIMEOUT_MS = 500;

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
  'while the database %s every check is answered, and each is stored once in the end',
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
        const { noticesOf } = await log.health();
        const spooled = expect.stringMatching(/^Checks are spooled on this node: the database .*\.$/);
        expect([noticesOf.public, noticesOf.private].map((some) => some.map(({ text }) => text))).toEqual([
          [spooled, expect.stringMatching(/^\d+ public checks? of this node (?:is|are) not in the database yet\.$/)],
          [spooled, 'Private checks of this node are not in the database yet.'],
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
);

test("answers every check while the database's disk is full, and stores each once", async () => {
  expect(await runOnSmallDisk('postgres/full-disk-inside.ts', '160m')).toEqual({
    refused: 0,
    whileFull: [
      "Checks are spooled on this node: the database's disk is full.",
      expect.stringMatching(/^\d+ public checks? of this node (?:is|are) not in the database yet\.$/),
      'Private checks of this node are not in the database yet.',
    ],
  });
});

test("refuses checks while the node's disk is full and the database unavailable, and loses no answered one", async () => {
  expect(await runOnSmallDisk('postgres/full-node-disk-inside.ts', '24m')).toEqual({
    codes: ['log_unavailable'],
    problem: 'The public log cannot be written: the database is unavailable, and the disk of this node is full.',
    kept: true,
    refusedOnceThereIsRoom: 0,
  });
});

async function waitUntilEmpty(path: string): Promise<void> {
  using spool = new Database(path, { readonly: true });
  while (spool.query<{ n: number }, []>('select count(*) as n from waiting').get()?.n !== 0) await Bun.sleep(10);
}

test('the spool survives a restart, and a node without a database starts', async () => {
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

test('refuses checks without a spool or with a full one, and reports that', async () => {
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

test('refuses only the check that the database refuses, and sets a spooled one aside', async () => {
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
  await until(() => log.waiting('public') === 0);
  await expectRows(databases, 30);
  const said = 'The database refused 1 answered public check of this node: lurecheck nodes spool list.';
  expect(await log.health()).toMatchObject({ problem: null, notices: [{ text: said }] });
  expect(lines.map((line) => JSON.parse(line).event)).toContain('log.spooled_check_set_aside');
  expect(lines.join('')).not.toContain('/bad');
  // The operator sees it, and once the database takes it, it comes home beside the running service.
  const [aside] = listSpools(directory.path).set_aside;
  expect(aside).toMatchObject({ log: 'public', state: '23514' });
  expect(changeSpools(directory.path, 'retry', null)).toBe(1);
  await until(() => listSpools(directory.path).set_aside.length === 1 && log.setAside('public') === 1);
  await onDatabase(owner, ({ sql }) => sql.unsafe('alter table checks drop constraint not_this'));
  expect(changeSpools(directory.path, 'retry', [aside?.request_id ?? ''])).toBe(1);
  await createNode(log).untilHome();
  await expectRows(databases, 31);
  expect([changeSpools(directory.path, 'drop', null), log.setAside('public')]).toEqual([0, 0]);
});

async function expectRows(databases: Databases, count: number): Promise<void> {
  const rows = await onDatabase(databases.url('public', 'owner'), ({ sql }) => sql.unsafe('select 1 from checks'));
  expect(rows).toHaveLength(count);
}
