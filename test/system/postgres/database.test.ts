import { afterAll, describe, expect, test } from 'bun:test';
import { EVERY_CHECK } from '#src/checks/store/read/check-filter.ts';
import { DAY_MS, systemClock } from '#src/core/base/clock.ts';
import { createRequestId } from '#src/core/base/request-id.ts';
import { openDatabaseDeletions } from '#src/parts/postgres/database-deletions.ts';
import { onDatabase, readDatabaseStatus } from '#src/parts/postgres/examine-server.ts';
import { readNodes } from '#src/parts/postgres/nodes/read-nodes.ts';
import { foldBlocked, readBlockedNames } from '#src/parts/postgres/read/blocked-names.ts';
import { dropExpiredDays, setRetention } from '#src/parts/postgres/schema/database-retention.ts';
import { openDatabaseLog } from '#test/support/database-log.ts';
import { type Databases, makeDatabases, startPostgres } from '#test/support/postgres.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { until } from '#test/support/until.ts';
import { ask } from './ask.ts';

const server = await startPostgres();
afterAll(() => server[Symbol.asyncDispose]());

const FIRST_PAGE = { ...EVERY_CHECK, limit: 50, cursor: null };

const REFUSED = '42501';

describe('rights', () => {
  test('a node can add private checks, but not read, change or remove one', async () => {
    await using directory = temporaryDirectory();
    const databases = await makeDatabases(server);
    await using log = await openDatabaseLog(databases, directory.path);
    await log.append(sampleRecord({ visibility: 'private', atMs: Date.now() }));
    const node = databases.url('private', 'node');
    for (const statement of [
      'select * from checks',
      'select * from checks_other',
      'insert into checks select * from checks returning url',
      "update checks set url = ''",
      'delete from checks',
      'truncate checks',
      'select * from in_force',
      'select * from undelivered',
      'create table mine (x int)',
      'drop table checks',
    ]) {
      expect([statement, await ask(node, statement)]).toEqual([statement, REFUSED]);
    }
    expect(await ask(databases.url('private', 'operator'), 'select count(*)::int as n from checks')).toEqual([
      { n: 1 },
    ]);
  });

  test('no node changes the tables of the public log or uses other rights', async () => {
    const databases = await makeDatabases(server);
    const node = databases.url('public', 'node');
    for (const statement of [
      'delete from checks',
      "update checks set url = ''",
      'delete from counts',
      'drop table checks',
      'create table mine (x int)',
      'insert into schema_steps values (9)',
      "select setval('checks_logged', 1)",
      'select make_partitions()',
      'update retention set days = 1',
      "insert into installation (role) values ('private')",
    ]) {
      expect([statement, await ask(node, statement)]).toEqual([statement, REFUSED]);
    }
    for (const statement of ['delete from checks', 'select maintain_checks()', 'insert into nodes (name) values (1)']) {
      expect(await ask(databases.url('public', 'operator'), statement)).toBe(REFUSED);
    }
    expect(await ask(databases.url('private', 'node'), 'select * from counts')).toBe(REFUSED);
  });

  test('functions ignore tables that a node created to shadow others', async () => {
    const databases = await makeDatabases(server);
    const found = await onDatabase(databases.url('public', 'node'), async ({ sql }) => {
      await sql.unsafe('create temporary table checks_other (request_id uuid)').simple();
      await sql.unsafe("insert into pg_temp.checks_other values ('00000000-0000-0000-0000-000000000000')");
      await sql.unsafe('select maintain_checks()');
      return Array.from(await sql.unsafe('select count(*)::int as n from pg_temp.checks_other'));
    });
    expect(found).toEqual([{ n: 1 }]);
  });
});

describe('retention', () => {
  const daysAgo = (days: number) => sampleRecord({ atMs: Date.now() - days * DAY_MS, result: { decision: 'block' } });

  test('drops whole past days with their counts, but never the last', async () => {
    await using directory = temporaryDirectory();
    const databases = await makeDatabases(server);
    await using log = await openDatabaseLog(databases, directory.path);
    await makeDaysBefore(databases, 10);
    const records = [400, 9, 5, 1.5, 0].map(daysAgo);
    for (const record of records) await log.append(record);
    const keep = async (days: number) => await keepIn(databases, days);
    expect(await keep(0)).toBe(0);
    expect((await log.page(FIRST_PAGE)).items).toHaveLength(5);
    expect(await keep(6)).toBe(4);
    expect(await remaining(databases)).toEqual({ checks: 3, counts: 9, blocked: 6, other: 0 });
    // However wrong a setting is, the last day stays.
    await keep(1);
    expect(await ask(databases.url('public', 'owner'), 'update retention set days = -5')).toBe('23514');
    expect((await log.page(FIRST_PAGE)).items.map((item) => item.request_id)).toContain(
      records.at(-1)?.result.request_id ?? '',
    );
  });

  test('creates partitions for a week, and finds checks of any other day too', async () => {
    await using directory = temporaryDirectory();
    const databases = await makeDatabases(server);
    await using log = await openDatabaseLog(databases, directory.path);
    const status = await onDatabase(databases.url('public', 'owner'), readDatabaseStatus);
    const day = (ms: number) => new Date(ms).toISOString().slice(0, 10).replaceAll('-', '');
    expect(status.days?.to).toBe(day(Date.now() + 7 * DAY_MS));
    for (const days of [-8, -30]) await log.append(daysAgo(days));
    // Checks that came before the partition of their day move into it.
    await ask(databases.url('public', 'owner'), `drop table checks_${day(Date.now() + 7 * DAY_MS)}`);
    await log.append(daysAgo(-7));
    expect(await keepIn(databases, 30)).toBe(0);
    expect((await log.page({ ...FIRST_PAGE, domain: 'example.com' })).items).toHaveLength(3);
    const moved = `select count(*)::int as n from checks_${day(Date.now() + 7 * DAY_MS)}`;
    expect(await ask(databases.url('public', 'owner'), moved)).toEqual([{ n: 1 }]);
  });

  test('drops the oldest days by rows and bytes, never today and yesterday', async () => {
    await using directory = temporaryDirectory();
    const databases = await makeDatabases(server);
    await using log = await openDatabaseLog(databases, directory.path);
    await makeDaysBefore(databases, 6);
    for (const days of [6, 5, 4, 3, 2, 1, 0]) for (let i = 0; i < 10; i++) await log.append(daysAgo(days));
    const owner = databases.url('public', 'owner');
    const set = (bounds: Map<'retention_rows' | 'retention_bytes', number>) =>
      onDatabase(owner, (connection) => setRetention(connection, bounds));
    const keep = () => dropByNode(databases);
    await set(new Map([['retention_rows', 45]]));
    expect(await keep()).toBe(3);
    expect(await remaining(databases)).toMatchObject({ checks: 40, counts: 120, other: 0 });
    await set(new Map([['retention_bytes', 1000]]));
    expect(await keep()).toBe(2);
    expect(await remaining(databases)).toMatchObject({ checks: 20 });
  });

  test('concurrent nodes drop each day once', async () => {
    const databases = await makeDatabases(server);
    await makeDaysBefore(databases, 5);
    const dropped = await Promise.all(Array.from({ length: 4 }, () => keepIn(databases, 2)));
    expect(dropped.reduce((sum, days) => sum + days, 0)).toBeLessThanOrEqual(3);
    await keepIn(databases, 2);
    expect(await onDatabase(databases.url('public', 'owner'), readDatabaseStatus)).toMatchObject({
      days: { from: new Date(Date.now() - 2 * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '') },
    });
  });
});

test('concurrent nodes store and count each check once, even one that both got', async () => {
  await using directories = new AsyncDisposableStack();
  const databases = await makeDatabases(server);
  const nodes = await Promise.all(
    ['a', 'b', 'c'].map(async (nodeName) =>
      directories.use(await openDatabaseLog(databases, directories.use(temporaryDirectory()).path, { nodeName })),
    ),
  );
  const shared = Array.from({ length: 50 }, (_, i) => blockedRecord(i));
  await Promise.all(
    nodes.map(async (node, n) => {
      const own = Array.from({ length: 150 }, (_, i) => blockedRecord(1000 * (n + 1) + i));
      await Promise.all([...own, ...shared].map((record) => node.append(record)));
    }),
  );
  const [first] = nodes;
  const stats = await first?.stats();
  expect(stats?.days.reduce((sum, { block }) => sum + block, 0)).toBe(500);
  expect(stats?.blocked_suffixes).toEqual([{ name: 'com', checks: 500 }]);
  const day = await first?.activity('public');
  const inHours = day?.hours.reduce((sum, { block }) => sum + block, 0);
  const onSites = [...(day?.blocked.values() ?? [])].reduce((sum, checks) => sum + checks, 0);
  expect([inHours, onSites, await first?.activity('private')]).toEqual([500, 500, null]);
  const told = await ask(databases.url('public', 'owner'), 'select name, version from nodes order by name');
  expect(told).toMatchObject([{ name: 'a' }, { name: 'b' }, { name: 'c' }]);
});

test('reports a node whose clock is wrong', async () => {
  await using directory = temporaryDirectory();
  const databases = await makeDatabases(server);
  const lines: string[] = [];
  const clock = { ...systemClock, now: () => Date.now() + DAY_MS };
  await using log = await openDatabaseLog(databases, directory.path, { clock }, lines);
  using _announced = log.announce(() => ({ modelVersion: 'test', listsVersion: '' }));
  await until(() => lines.some((line) => line.includes('node.clock_differs')));
  const [node] = await onDatabase(databases.url('public', 'operator'), readNodes);
  expect(node?.ahead_seconds).toBeWithin(DAY_MS / 1000 - 60, DAY_MS / 1000 + 60);
});

test('a node whose clock alone is wrong refuses checks, and nodes spool if only the clock of the database is', async () => {
  await using directory = temporaryDirectory();
  const databases = await makeDatabases(server);
  const clock = { ...systemClock, now: () => Date.now() + DAY_MS };
  const open = (nodeName: string) =>
    openDatabaseLog(databases, `${directory.path}/${nodeName}`, {
      nodeName,
      clock,
      maxOffsetMs: 300_000,
      spoolRows: 10,
    });
  await using alone = await open('a');
  await until(async () => (await alone.health()).problem !== null);
  expect((await alone.health()).problem).toBe(
    'The public log cannot be written: the clock of this node is 1440 minutes ahead of that of the database.',
  );
  await expect(alone.append(sampleRecord())).rejects.toMatchObject({ code: 'log_unavailable' });
  await using second = await open('b');
  await second.append(sampleRecord());
  expect([second.waiting('public'), (await second.health()).notices[0]?.text]).toEqual([
    1,
    'Checks are spooled on this node: the clock of the database is 1440 minutes behind that of the nodes.',
  ]);
});

/** What a node drops once the owner has set so many days. */
async function keepIn(databases: Databases, days: number): Promise<number> {
  await onDatabase(databases.url('public', 'owner'), (connection) =>
    setRetention(connection, new Map([['retention_days', days]])),
  );
  return await dropByNode(databases);
}

/** Number of days that a node dropped. */
async function dropByNode(databases: Databases): Promise<number> {
  const urls = { public: [databases.url('public', 'node')], private: [] };
  return (await dropExpiredDays('public', { urls, dataDir: '' })).removed;
}

test('the most blocked names are right after folding, deleting and dropping, and cheap to read', async () => {
  await using directory = temporaryDirectory();
  const databases = await makeDatabases(server);
  await using log = await openDatabaseLog(databases, directory.path);
  const owner = databases.url('public', 'owner');
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  // Three nodes, forty days, names that are the same on several of them.
  await ask(
    owner,
    `insert into blocked select ${today} - day::int8 * ${DAY_MS}, kind, 'n' || (name * (day % 7 + 1)) % 900 || '.example', node, 1 + name % 50
     from generate_series(0, 39) day, generate_series(0, 1) kind, generate_series(1, 250) name, generate_series(1, 3) node
     on conflict do nothing`,
  );
  const byDefinition = () =>
    ask(
      owner,
      'select name, sum(checks)::int as checks from blocked where kind = 0 group by name order by 2 desc, 1 desc limit 10',
    );
  const shown = (): Promise<unknown> => onDatabase(owner, async ({ db }) => (await readBlockedNames(db)).sites);
  const rows = async () =>
    (await ask(owner, 'select count(*)::int as n from blocked where node <> 0')) as [{ n: number }];
  const folded = await onDatabase(databases.url('public', 'node'), async (connection) => {
    for (let sum = 0; ; ) {
      const some = await foldBlocked(connection);
      if (some === 0) return sum;
      sum += some;
    }
  });
  expect(folded).toBeGreaterThan(40_000);
  expect((await rows())[0].n).toBeLessThanOrEqual(4000);
  expect(await shown()).toEqual(await byDefinition());
  for (let i = 0; i < 20; i++) {
    const url = `https://n${(i * 37) % 900}.example/`;
    await log.append(sampleRecord({ url, atMs: Date.now(), result: { decision: 'block' } }));
  }
  await ask(owner, `insert into blocked values (${today - 20 * DAY_MS}, 0, 'late.example', 5, 100000)`);
  expect(await shown()).toEqual(await byDefinition());
  await keepIn(databases, 15);
  expect(await shown()).not.toContainEqual({ name: 'late.example', checks: 100_000 });
  expect(await shown()).toEqual(await byDefinition());
  await using deletions = openDatabaseDeletions('public', [owner]);
  await deletions.remove({ by: 'domain', wanted: 'n37.example' }, Buffer.alloc(32), Date.now());
  expect(await shown()).toEqual(await byDefinition());
  const sums = 'select kind, name, checks::int from blocked_sums order by 1, 2';
  const defined =
    'select kind, name, sum(checks)::int as checks from blocked where node = 0 group by 1, 2 order by 1, 2';
  expect(await ask(owner, sums)).toEqual(await ask(owner, defined));
});

function blockedRecord(i: number) {
  return sampleRecord({ url: `https://n${i}.example.com/`, atMs: Date.now(), result: { decision: 'block' } });
}

/** The partitions of days before today, as a log has them that ran then. */
async function makeDaysBefore(databases: Databases, days: number): Promise<void> {
  for (let day = 2; day <= days; day++) {
    const startMs = Math.floor(Date.now() / DAY_MS - day) * DAY_MS;
    const name = new Date(startMs).toISOString().slice(0, 10).replaceAll('-', '');
    const [from, to] = [startMs, startMs + DAY_MS].map(
      (ms) => `${createRequestId(ms).slice(0, 13)}-0000-0000-000000000000`,
    );
    const made = await ask(
      databases.url('public', 'owner'),
      `create table checks_${name} partition of checks for values from ('${from}') to ('${to}')`,
    );
    expect(made).toEqual([]);
  }
}

async function remaining(databases: Databases): Promise<unknown> {
  const rows = await ask(
    databases.url('public', 'owner'),
    `select (select count(*) from checks)::int as checks, 
     (select sum(checks) from counts)::int as counts, (select sum(checks) from blocked)::int as blocked,
     (select count(*) from checks_other)::int as other`,
  );
  return Array.isArray(rows) ? rows[0] : rows;
}
