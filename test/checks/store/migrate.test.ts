import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { is } from 'drizzle-orm';
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { MIGRATIONS } from '#src/checks/store/file/migrate.ts';
import * as schema from '#src/checks/store/file/schema.ts';
import { requestIdBytes } from '#src/core/base/request-id.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { filesOf } from './files-of.ts';
import { expectNothingToGenerate } from './nothing-to-generate.ts';
import { LATER_MIGRATIONS, openPublic } from './older-schema.ts';
import { openLog } from './open-log.ts';

const FOLDER = `${import.meta.dir}/../../../drizzle/sql`;

test('the list of migrations matches the folder, in order', () => {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.sql'));
  expect(MIGRATIONS.map(({ name }) => `${name}.sql`)).toEqual(files.toSorted());
  for (const { name, sql } of MIGRATIONS) expect(sql).toBe(readFileSync(`${FOLDER}/${name}.sql`, 'utf8'));
});

test('the schema in TypeScript equals the schema that the SQL creates', async () => {
  await using directory = temporaryDirectory();
  using file = openPublic(directory.path);
  const tables = Object.values(schema).flatMap((value) => (is(value, SQLiteTable) ? [getTableConfig(value)] : []));
  const made = file.database
    .query<{ name: string }, []>("select name from sqlite_schema where type = 'table' and name <> 'schema_steps'")
    .all();
  expect(made.map(({ name }) => name).toSorted()).toEqual(tables.map(({ name }) => name).toSorted());
  for (const { name, columns, indexes, primaryKeys } of tables) {
    const rows = file.database
      .query<{ name: string; type: string; notnull: number; pk: number }, []>(`pragma table_info(${name})`)
      .all();
    const keys = primaryKeys[0]?.columns.map((column) => column.name) ?? [];
    expect(rows.map((row) => [row.name, row.type.toLowerCase(), row.notnull === 1, row.pk])).toEqual(
      columns.map((column) => [
        column.name,
        column.getSQLType(),
        column.notNull,
        column.primary ? 1 : keys.indexOf(column.name) + 1,
      ]),
    );
    const madeIndexes = file.database
      .query<{ name: string; origin: string }, []>(`pragma index_list(${name})`)
      .all()
      .filter(({ origin }) => origin === 'c');
    const unique = columns.filter((column) => column.isUnique).map((column) => column.uniqueName ?? '');
    expect(madeIndexes.map((row) => row.name).toSorted()).toEqual(
      [...indexes.map((index) => index.config.name), ...unique].toSorted(),
    );
  }
});

test('drizzle-kit has nothing to generate', async () => {
  await expectNothingToGenerate('file/schema.ts', 'sql');
});

test('upgrades an older file with its checks, after a backup', async () => {
  await using directory = temporaryDirectory();
  const record = sampleRecord();
  {
    await using log = await openLog(directory.path);
    await log.append(record);
  }
  {
    using file = openPublic(directory.path, LATER_MIGRATIONS);
    expect(file.database.query('select request_id, note from checks').all()).toEqual([
      { request_id: Uint8Array.from(requestIdBytes(record.result.request_id)), note: 'note 1' },
    ]);
  }
  using copy = new Database(`${directory.path}/public.sqlite.schema-${MIGRATIONS.length}.backup`, { readonly: true });
  expect(copy.query('select request_id from checks').all()).toEqual([
    { request_id: Uint8Array.from(requestIdBytes(record.result.request_id)) },
  ]);
  expect(copy.query('pragma user_version').get()).toEqual({ user_version: MIGRATIONS.length });
});

test('a second start changes nothing', async () => {
  await using directory = temporaryDirectory();
  openPublic(directory.path)[Symbol.dispose]();
  const before = filesOf(directory.path).get('public.sqlite');
  openPublic(directory.path)[Symbol.dispose]();
  expect(filesOf(directory.path).get('public.sqlite')).toEqual(before);
  expect(readdirSync(directory.path).filter((name) => name.endsWith('.backup'))).toEqual([]);
});

test('a failed step leaves the file unchanged', async () => {
  await using directory = temporaryDirectory();
  openPublic(directory.path)[Symbol.dispose]();
  const broken = [
    ...LATER_MIGRATIONS,
    { name: 'broken', sql: 'create table late (a text);--> statement-breakpoint\nnot sql' },
  ];
  expect(() => openPublic(directory.path, broken)).toThrow();
  using file = openPublic(directory.path);
  expect(file.database.query('pragma user_version').get()).toEqual({ user_version: MIGRATIONS.length });
  expect(file.database.query("select name from sqlite_schema where name in ('late', 'notes')").all()).toEqual([]);
});

test('refuses a file of a newer version without changing it', async () => {
  await using directory = temporaryDirectory();
  openPublic(directory.path, LATER_MIGRATIONS)[Symbol.dispose]();
  const before = filesOf(directory.path);
  expect(() => openPublic(directory.path)).toThrow('newer version');
  expect(filesOf(directory.path).get('public.sqlite')).toEqual(before.get('public.sqlite'));
});

test('refuses a file with unknown steps without changing it', async () => {
  await using directory = temporaryDirectory();
  openPublic(directory.path, [{ name: '0000_checks', sql: 'create table checks (a text)' }])[Symbol.dispose]();
  const before = filesOf(directory.path).get('public.sqlite');
  expect(() => openPublic(directory.path)).toThrow('no release of lurecheck');
  expect(filesOf(directory.path).get('public.sqlite')).toEqual(before);
});

test('refuses a database of another program without changing it', async () => {
  await using directory = temporaryDirectory();
  const path = `${directory.path}/public.sqlite`;
  new Database(path, { create: true }).run('create table theirs (a text)');
  const before = filesOf(directory.path).get('public.sqlite');
  await expect(openLog(directory.path)).rejects.toMatchObject({ code: 'unknown_history' });
  expect(filesOf(directory.path).get('public.sqlite')).toEqual(before);
});

test('a command beside the server does not upgrade a file under it', async () => {
  await using directory = temporaryDirectory();
  openPublic(directory.path)[Symbol.dispose]();
  expect(() => openPublic(directory.path, LATER_MIGRATIONS, false)).toThrow('older version');
});

test('the server quarantines a file that is not a database, a command refuses it', async () => {
  await using directory = temporaryDirectory();
  const path = `${directory.path}/public.sqlite`;
  const garbage = Buffer.alloc(8192, 'no database');
  writeFileSync(path, garbage);
  await expect(openLog(directory.path, { access: 'read' })).rejects.toMatchObject({ code: 'not_a_database' });
  await expect(openLog(directory.path, { access: 'append' })).rejects.toMatchObject({ code: 'not_a_database' });
  expect(readFileSync(path)).toEqual(garbage);
  await using log = await openLog(directory.path);
  await log.append(sampleRecord());
  const aside = readdirSync(directory.path).filter((name) => /^public\.sqlite\.damaged-\w+$/.test(name));
  expect(aside).toHaveLength(1);
  expect(readFileSync(`${directory.path}/${aside[0]}`)).toEqual(garbage);
  expect(existsSync(path)).toBe(true);
});

test('an empty file is an empty log', async () => {
  await using directory = temporaryDirectory();
  writeFileSync(`${directory.path}/public.sqlite`, '');
  await using log = await openLog(directory.path);
  await log.append(sampleRecord());
});

test('the next start completes a killed upgrade, with every check', async () => {
  await using directory = temporaryDirectory();
  const rows = 20_000;
  {
    using file = openPublic(directory.path);
    file.database.run(`insert into checks (id, request_id, decision, probability, answer_time_bucket, client_hash, is_undelivered, host, url,
        in_force, record)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < ${rows})
      select i, randomblob(16), 0, 0.5, 0, null, 0, null, 'https://example.com/', 1, zeroblob(1) from n`);
  }
  let killed = 0;
  for (let delayMs = 20; ; delayMs += 5) {
    const child = Bun.spawn([process.execPath, `${import.meta.dir}/older-schema.ts`, directory.path], {
      stderr: 'inherit',
    });
    await Promise.race([child.exited, Bun.sleep(delayMs)]);
    child.kill('SIGKILL');
    await child.exited;
    if (child.exitCode === 0) break;
    killed++;
  }
  expect(killed).toBeGreaterThan(3);
  using file = openPublic(directory.path, LATER_MIGRATIONS);
  expect(file.database.query("select count(*) as checks from checks where note like 'note %'").get()).toEqual({
    checks: rows,
  });
  expect(file.database.query('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' });
  using copy = new Database(`${directory.path}/public.sqlite.schema-${MIGRATIONS.length}.backup`, { readonly: true });
  expect(copy.query('select count(*) as checks from checks').get()).toEqual({ checks: rows });
});
