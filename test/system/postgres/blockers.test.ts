import { afterAll, describe, expect, test } from 'bun:test';
import { systemClock } from '#src/core/base/clock.ts';
import { onDatabase } from '#src/parts/postgres/examine-server.ts';
import { readNodes } from '#src/parts/postgres/nodes/read-nodes.ts';
import { migrateDatabase } from '#src/parts/postgres/schema/migrate-database.ts';
import { openDatabaseLog } from '#test/support/database-log.ts';
import { type Databases, makeDatabases, startPostgres } from '#test/support/postgres.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { until } from '#test/support/until.ts';
import { createNode, expectAllThere } from './busy-node.ts';
import { olderDatabase } from './older-database.ts';

const server = await startPostgres();
afterAll(() => server[Symbol.asyncDispose]());

const OPTIONS = { spoolRows: 100_000, timeoutMs: 2000 };

/** Runs a statement as the administrator. */
async function run(databases: Databases, visibility: 'public' | 'private', statement: string): Promise<unknown[]> {
  const url = { ...databases.url(visibility, 'owner'), user: 'admin' };
  return await onDatabase(url, async ({ sql }) => Array.from<unknown>(await sql.unsafe(statement)));
}

const NUMBERS = "select last_value::int8::text as last from pg_sequences where sequencename = 'nodes_id_seq'";

describe('numbers of nodes', () => {
  test('are assigned once per name, however often a node registers', async () => {
    const databases = await makeDatabases(server);
    for (let start = 0; start < 3; start++) {
      await using directory = temporaryDirectory();
      await using log = await openDatabaseLog(databases, directory.path, OPTIONS);
      using _announced = log.announce(() => ({ modelVersion: `model ${start}`, listsVersion: '' }));
      await until(async () => {
        const [node] = await onDatabase(databases.url('public', 'operator'), readNodes);
        return node?.model_version === `model ${start}`;
      });
    }
    expect(await run(databases, 'public', NUMBERS)).toEqual([{ last: '1' }]);
  });

  test('exceed two bytes without stopping a node', async () => {
    const databases = await makeDatabases(server);
    await run(databases, 'public', "select setval('nodes_id_seq', 32767)");
    for (const nodeName of ['node-1', 'node-2']) {
      await using directory = temporaryDirectory();
      await using log = await openDatabaseLog(databases, directory.path, { ...OPTIONS, nodeName });
      await log.append(sampleRecord({ atMs: Date.now(), result: { decision: 'block' } }));
      expect(await log.health()).toMatchObject({ problem: null, notices: [] });
    }
    expect(await run(databases, 'public', 'select id from nodes order by id')).toEqual([
      { id: 32_768 },
      { id: 32_769 },
    ]);
  });

  test('that are exhausted lose no check: it is spooled, reported, and stored later', async () => {
    await using directory = temporaryDirectory();
    const databases = await makeDatabases(server);
    await run(databases, 'public', "select setval('nodes_id_seq', 2147483647)");
    const lines: string[] = [];
    await using log = await openDatabaseLog(databases, directory.path, OPTIONS, lines);
    const node = createNode(log);
    await node.check(20);
    expect(node.refused).toEqual([]);
    expect(log.setAside('public')).toBe(0);
    expect((await log.health()).notices[0]?.text).toBe(
      'Checks are spooled on this node: the database does not take this node.',
    );
    expect(lines.map((line) => JSON.parse(line)).find(({ event }) => event === 'log.database_away')).toMatchObject({
      state: '2200H',
    });
    await run(databases, 'public', 'alter table nodes alter column id restart with 1');
    await node.untilHome();
    await expectAllThere(databases, node.acknowledged);
  });

  test('exhausted by older versions are repaired by the migration, with the counts', async () => {
    const database = await olderDatabase(server, 4);
    await onDatabase(database, async ({ sql }) => {
      await sql.unsafe(`insert into nodes (name, version, model_version, started_at, seen_at, ahead_ms)
        values ('old', '0', '', now(), now(), 0)`);
      await sql.unsafe('insert into counts values (0, 0, 0, 1, 7)');
      await sql.unsafe("select setval('nodes_id_seq', 32767)");
      await migrateDatabase(sql, 'public', 0);
      await sql.unsafe(`insert into nodes (name, version, model_version, started_at, seen_at, ahead_ms)
        values ('new', '0', '', now(), now(), 0)`);
      expect(Array.from(await sql.unsafe('select name, id from nodes order by id'))).toEqual([
        { name: 'old', id: 1 },
        { name: 'new', id: 2 },
      ]);
      expect(Array.from(await sql.unsafe('select node, checks::int from counts'))).toEqual([{ node: 1, checks: 7 }]);
    });
  });
});

describe('a database that refuses every check', () => {
  test('loses no spooled check, and makes a node without a spool unready', async () => {
    const databases = await makeDatabases(server);
    await run(databases, 'public', 'alter table checks add constraint nothing check (false) not valid');
    await using waiting = temporaryDirectory();
    await using refusing = temporaryDirectory();
    await using spooled = await openDatabaseLog(databases, waiting.path, OPTIONS);
    await using without = await openDatabaseLog(databases, refusing.path, { ...OPTIONS, spoolRows: 0, nodeName: 'b' });
    const node = createNode(spooled);
    await node.check(20);
    expect([node.refused, spooled.setAside('public'), spooled.waiting('public')]).toEqual([[], 0, 20]);
    await expect(without.append(sampleRecord())).rejects.toMatchObject({ code: 'log_unavailable' });
    expect((await without.health()).problem).toBe('The public log cannot be written: the database does not take it.');
    await run(databases, 'public', 'alter table checks drop constraint nothing');
    await node.untilHome();
    await expectAllThere(databases, node.acknowledged);
    await until(async () => (await without.health()).problem === null);
  });
});

test.each([
  [6, 'ahead of'],
  [-6, 'behind'],
])('a node whose clock is %i minutes off refuses checks with the reason, also the first one', async (minutes, side) => {
  await using directory = temporaryDirectory();
  const databases = await makeDatabases(server);
  const clock = { ...systemClock, now: () => Date.now() + minutes * 60_000 };
  await using log = await openDatabaseLog(databases, directory.path, { ...OPTIONS, clock, maxOffsetMs: 300_000 });
  for (const visibility of ['public', 'private'] as const)
    await expect(log.append(sampleRecord({ visibility }))).rejects.toThrow(
      `the clock of this node is 6 minutes ${side} that`,
    );
  expect((await log.health()).problem).toContain('the clock of this node is 6 minutes');
  expect([log.waiting('public'), await run(databases, 'public', 'select 1 from checks')]).toEqual([0, []]);
});

describe('the databases of both logs', () => {
  test('fail the start by name if they are exchanged', async () => {
    await using directory = temporaryDirectory();
    const databases = await makeDatabases(server);
    const nodes = { public: databases.url('private', 'node'), private: databases.url('public', 'node') };
    const urls = { public: [nodes.public], private: [nodes.private] };
    const expected = `log_database names the database "${databases.private}", which holds the private log, not the public log (log_database_private names "${databases.public}"). Correct the URLs.`;
    await expect(openDatabaseLog(databases, directory.path, { urls })).rejects.toThrow(expected);
    const operator = { public: [databases.url('private', 'operator')], private: [databases.url('public', 'operator')] };
    await expect(openDatabaseLog(databases, directory.path, { urls: operator, access: 'read' })).rejects.toThrow(
      expected,
    );
    // One of them alone, and as the server that is tried second.
    for (const wrong of [
      { public: urls.public, private: [databases.url('private', 'node')] },
      { public: [databases.url('public', 'node'), ...urls.public], private: [databases.url('private', 'node')] },
      { public: [databases.url('public', 'node')], private: urls.private },
    ])
      await expect(openDatabaseLog(databases, directory.path, { urls: wrong })).rejects.toMatchObject({
        code: 'wrong_database',
      });
    expect(await run(databases, 'public', 'select 1 from checks')).toEqual([]);
  });

  test('are examined at each connection, even if the driver reconnects by itself', async () => {
    await using directory = temporaryDirectory();
    const databases = await makeDatabases(server);
    await using log = await openDatabaseLog(databases, directory.path, OPTIONS);
    await log.append(sampleRecord());
    await run(databases, 'public', "update installation set role = 'private'");
    await run(
      databases,
      'public',
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${databases.public}' and application_name = 'lurecheck' and pid <> pg_backend_pid()`,
    );
    await log.append(sampleRecord());
    await until(async () => (await log.health()).notices.length > 0);
    expect(await run(databases, 'public', 'select 1 from checks')).toHaveLength(1);
    await run(databases, 'public', "update installation set role = 'public'");
    await createNode(log).untilHome();
    expect(await run(databases, 'public', 'select 1 from checks')).toHaveLength(2);
  });

  test('of two installations are refused, until their owner joins them', async () => {
    const [one, other] = [await makeDatabases(server), await makeDatabases(server)];
    for (const databases of [one, other]) {
      await using directory = temporaryDirectory();
      await using _log = await openDatabaseLog(databases, directory.path);
    }
    const urls = { public: [one.url('public', 'node')], private: [other.url('private', 'node')] };
    await using directory = temporaryDirectory();
    const [{ id }] = (await run(one, 'public', 'select id::text from installation')) as [{ id: string }];
    await expect(openDatabaseLog(one, directory.path, { urls })).rejects.toThrow(
      `The databases "${one.public}" and "${other.private}" belong to different installations: ${id} and `,
    );
    await onDatabase(other.url('private', 'owner'), ({ sql }) => migrateDatabase(sql, 'private', 0, undefined, id));
    await using log = await openDatabaseLog(one, directory.path, { urls });
    await log.append(sampleRecord({ visibility: 'private' }));
  });

  test('without a role are assigned that of the log that they contain, and a different flag is refused', async () => {
    const databases = await makeDatabases(server);
    for (const visibility of ['public', 'private'] as const) {
      const other = visibility === 'public' ? 'private' : 'public';
      // As an older version left it.
      await run(databases, visibility, 'delete from installation');
      const owner = databases.url(visibility, 'owner');
      const migrating = onDatabase(owner, ({ sql }) => migrateDatabase(sql, other, 0));
      await expect(migrating).rejects.toThrow(`holds the ${visibility} log, not the ${other} log`);
      await onDatabase(owner, ({ sql }) => migrateDatabase(sql, visibility, 0));
      expect(await run(databases, visibility, 'select role from installation')).toEqual([{ role: visibility }]);
    }
  });
});
