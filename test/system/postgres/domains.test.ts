import { afterAll, expect, test } from 'bun:test';
import { EVERY_CHECK } from '#src/checks/store/read/check-filter.ts';
import type { ScanLog } from '#src/checks/store/scan-log.ts';
import { createRequestId } from '#src/core/base/request-id.ts';
import { openDatabaseDeletions } from '#src/parts/postgres/database-deletions.ts';
import { onDatabase } from '#src/parts/postgres/examine-server.ts';
import { migrateDatabase } from '#src/parts/postgres/schema/migrate-database.ts';
import { domainColumn } from '#src/parts/postgres/schema/tables.ts';
import { openDatabaseLog } from '#test/support/database-log.ts';
import { makeDatabases, startPostgres } from '#test/support/postgres.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { ask } from './ask.ts';
import { olderDatabase } from './older-database.ts';

const server = await startPostgres();
afterAll(() => server[Symbol.asyncDispose]());

const recordOf = (host: string) => sampleRecord({ url: `https://${host}/`, atMs: Date.now() });

async function hostsOf(log: ScanLog, domain: string): Promise<string[]> {
  const { items } = await log.page({ ...EVERY_CHECK, domain, limit: 50, cursor: null });
  return items.map(({ url }) => new URL(url).hostname).toSorted();
}

/** Two names of two labels with one hash. */
function collidingNames(): readonly [string, string] {
  const seen = new Map<number, string>();
  for (let i = 0; ; i++) {
    const name = `n${i}.example`;
    const { hash } = domainColumn(name);
    const other = seen.get(hash);
    if (other !== undefined) return [other, name];
    seen.set(hash, name);
  }
}

test('a host with the hash of another is neither found, counted nor deleted with it', async () => {
  await using directory = temporaryDirectory();
  const databases = await makeDatabases(server);
  await using log = await openDatabaseLog(databases, directory.path);
  const [one, other] = collidingNames();
  for (const host of [one, `www.${one}`, other]) await log.append(recordOf(host));
  expect(await hostsOf(log, one)).toEqual([one, `www.${one}`].toSorted());
  await using deletions = openDatabaseDeletions('public', [databases.url('public', 'owner')]);
  const meant = { by: 'domain', wanted: one } as const;
  expect(await deletions.count(meant)).toBe(2);
  expect((await deletions.remove(meant, Buffer.alloc(32), Date.now())).deletion.removed).toBe(2);
  expect(await hostsOf(log, 'example')).toEqual([other]);
});

test.each([
  ['a.b.c.d.e.f.g.h.example', ['example', 'd.e.f.g.h.example', 'a.b.c.d.e.f.g.h.example']],
  ['192.0.2.7', ['192.0.2.7']],
  ['[2001:db8::7]', ['[2001:db8::7]']],
])('%s is found by its indexed names', async (host, names) => {
  await using directory = temporaryDirectory();
  const databases = await makeDatabases(server);
  await using log = await openDatabaseLog(databases, directory.path);
  await log.append(recordOf(host));
  await log.append(recordOf('other.test'));
  for (const name of names) expect([name, await hostsOf(log, name)]).toEqual([name, [host]]);
});

test('a migration keeps the names of stored checks', async () => {
  const older = await olderDatabase(server, 13);
  const id = createRequestId(Date.now());
  const names = ['www.a.example', 'a.example', 'example'];
  await onDatabase(older, async ({ sql }) => {
    await sql.unsafe('select maintain_checks()');
    await sql.unsafe(
      `insert into checks (request_id, decision, probability, answer_time_bucket, url, in_force, record)
       values ($1, 0, 0, 0, 'https://www.a.example/', '', '')`,
      [id],
    );
    for (const name of names) await sql.unsafe('insert into check_domains values ($1, 0, $2)', [name, id]);
    await migrateDatabase(sql, 'public', 0);
  });
  for (const name of names) {
    const { column, hash } = domainColumn(name);
    expect(await ask(older, `select request_id::text as id from checks where ${column.name} = ${hash}`)).toEqual([
      { id },
    ]);
  }
});

test('the names of a check take at most 200 bytes of its tables', async () => {
  await using directory = temporaryDirectory();
  const databases = await makeDatabases(server);
  await using log = await openDatabaseLog(databases, directory.path);
  // Without the first page of each index, which every partition has.
  const checks = 3000;
  await Promise.all(Array.from({ length: checks }, (_, i) => log.append(recordOf(`www.site${i}.example`))));
  const owner = databases.url('public', 'owner');
  const [row] = (await ask(
    owner,
    `select sum(pg_relation_size(indexrelid) - 8192)::float8 as bytes from pg_index join pg_class on pg_class.oid = indexrelid
     where relname ~ 'domain_\\d'`,
  )) as { bytes: number }[];
  expect((row?.bytes ?? 0) / checks).toBeLessThan(200);
});
