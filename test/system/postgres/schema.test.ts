import { afterAll, describe, expect, test } from 'bun:test';
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core';
import { type DatabaseUrl, readDatabaseUrl } from '#src/checks/store/database-url.ts';
import { EVERY_CHECK } from '#src/checks/store/read/check-filter.ts';
import { onDatabase, readDatabaseStatus } from '#src/parts/postgres/examine-server.ts';
import { migrateDatabase } from '#src/parts/postgres/schema/migrate-database.ts';
import { checkSchema, DATABASE_STEPS, readSchema } from '#src/parts/postgres/schema/schema-steps.ts';
import * as tables from '#src/parts/postgres/schema/tables.ts';
import { openDatabaseLog } from '#test/support/database-log.ts';
import { makeDatabases, startPostgres } from '#test/support/postgres.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { ask } from './ask.ts';

const server = await startPostgres();
afterAll(() => server[Symbol.asyncDispose]());

describe('the schema', () => {
  test('has the columns that the program uses', async () => {
    const databases = await makeDatabases(server);
    const known = Object.values(tables)
      .filter((table): table is typeof tables.pgChecks => typeof table === 'object' && 'getSQL' in table)
      .map((table: PgTable) => getTableConfig(table));
    expect(known.map(({ name }) => name).toSorted()).toEqual([
      'blocked',
      'blocked_sums',
      'checks',
      'counts',
      'deletions',
      'feedback',
      'in_force',
      'installation',
      'jobs',
      'messages',
      'nodes',
      'retention',
      'shared_documents',
      'shared_files',
      'timelines',
      'undelivered',
    ]);
    for (const { name, columns } of known) {
      const rows = await ask(
        databases.url('public', 'owner'),
        `select column_name as name, data_type as type, is_nullable = 'NO' as "notNull" from information_schema.columns
         where table_name = '${name}' order by ordinal_position`,
      );
      expect([name, rows]).toEqual([
        name,
        columns.map((column) => ({ name: column.name, type: column.getSQLType(), notNull: column.notNull })),
      ]);
    }
  });

  test('is created once by concurrent migrations', async () => {
    await using admin = server.connect();
    await admin.unsafe('create database at_once');
    const url = asUrl(server.url('admin', 'at_once'));
    const made = await Promise.all(
      Array.from({ length: 5 }, () => onDatabase(url, ({ sql }) => migrateDatabase(sql, 'public', 0))),
    );
    const all = DATABASE_STEPS.length;
    expect(made.map(({ from }) => from).toSorted()).toEqual([0, all, all, all, all]);
    expect(await onDatabase(url, readDatabaseStatus)).toMatchObject({ schema: all, problem: null });
  });

  test('that is newer is accepted only if it declares compatibility', async () => {
    const databases = await makeDatabases(server);
    const owner = databases.url('public', 'owner');
    const all = DATABASE_STEPS.length;
    const added = { name: 'more', sql: 'alter table checks add column more int4', worksFrom: 1 };
    const changed = { name: 'less', sql: 'alter table checks drop column more', worksFrom: all + 2 };
    const migrate = (steps: typeof DATABASE_STEPS) =>
      onDatabase(owner, ({ sql }) => migrateDatabase(sql, 'public', 0, steps));
    await using directory = temporaryDirectory();
    await using log = await openDatabaseLog(databases, directory.path);
    expect(await migrate([...DATABASE_STEPS, added])).toEqual({ from: all, to: all + 1 });
    // A node of the older version goes on, and one may start.
    await log.append(sampleRecord());
    {
      await using beside = await openDatabaseLog(databases, directory.path, { access: 'read' });
      expect((await beside.page({ ...EVERY_CHECK, limit: 50, cursor: null })).items).toHaveLength(1);
    }
    // The older program's migration leaves it as it is.
    expect(await migrate(DATABASE_STEPS)).toEqual({ from: all + 1, to: all + 1 });
    expect(await migrate([...DATABASE_STEPS, added, changed])).toEqual({ from: all + 1, to: all + 2 });
    const refused = {
      code: 'newer_version',
      message: expect.stringContaining(`supports schema ${all + 2}; this version supports ${all}`),
    };
    await expect(openDatabaseLog(databases, directory.path, { access: 'read' })).rejects.toMatchObject(refused);
    await expect(migrate(DATABASE_STEPS)).rejects.toMatchObject(refused);
    expect(await onDatabase(owner, readDatabaseStatus)).toMatchObject({ schema: all + 2, problem: refused.message });
  });

  test('that is missing or unknown is refused with an instruction', async () => {
    await using admin = server.connect();
    await admin.unsafe('create database bare');
    const state = await onDatabase(asUrl(server.url('admin', 'bare')), ({ sql }) => readSchema(sql));
    expect(() => checkSchema(state)).toThrow('lurecheck database migrate');
    const databases = await makeDatabases(server);
    await ask(databases.url('public', 'owner'), "update schema_steps set sha256 = 'x'");
    await using directory = temporaryDirectory();
    await expect(openDatabaseLog(databases, directory.path)).rejects.toMatchObject({ code: 'unknown_history' });
  });

  test('a migration that lacks roles changes nothing, and reports the command to run', async () => {
    await using other = await startPostgres();
    const url = asUrl(other.url('admin', 'postgres'));
    const migrating = onDatabase(url, ({ sql }) => migrateDatabase(sql, 'private', 0));
    await expect(migrating).rejects.toThrow("create role lurecheck_private_node login password '…';");
    expect(await onDatabase(url, ({ sql }) => readSchema(sql))).toMatchObject({ version: 0 });
  });
});

function asUrl(text: string): DatabaseUrl {
  const url = readDatabaseUrl(text);
  if (typeof url === 'string') throw new Error(url);
  return url;
}
