import { expect, test } from 'bun:test';
import { onDatabase } from '#src/parts/postgres/examine-server.ts';
import { openDatabaseLog } from '#test/support/database-log.ts';
import { makeDatabases, startPostgres } from '#test/support/postgres.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

test('skips a standby until it is promoted, which then has every check once', async () => {
  await using primary = await startPostgres();
  await using directory = temporaryDirectory();
  const databases = await makeDatabases(primary);
  await using standby = await startPostgres({}, primary);
  // What the primary has answered must be on the standby as well.
  await onDatabase({ ...databases.url('public', 'owner'), user: 'admin' }, async ({ sql }) => {
    await sql.unsafe("alter system set synchronous_standby_names = '*'");
    await sql.unsafe('select pg_reload_conf()');
  });
  const both = (visibility: 'public' | 'private') => {
    const url = databases.url(visibility, 'node');
    // The standby is named first: it answers, and takes nothing.
    return [{ ...url, host: standby.path }, url];
  };
  const urls = { public: both('public'), private: both('private') };
  const acknowledged: string[] = [];
  {
    await using log = await openDatabaseLog(databases, directory.path, { urls, spoolRows: 100_000, timeoutMs: 1000 });
    const check = async (count: number) => {
      for (let i = 0; i < count; i++) {
        const record = sampleRecord({ atMs: Date.now() });
        await log.append(record);
        acknowledged.push(record.result.request_id);
      }
    };
    await check(50);
    const during = check(200);
    await primary.stop('SIGKILL');
    await during;
    await standby.connect().unsafe('select pg_promote()');
    await check(50);
    while ((await log.health()).notices.length > 0) await Bun.sleep(20);
  }
  const promoted = { ...databases.url('public', 'owner'), host: standby.path };
  const rows: { id: string }[] = await onDatabase(promoted, ({ sql }) =>
    sql.unsafe('select request_id::text as id from checks'),
  );
  expect(rows.map(({ id }) => id).toSorted()).toEqual(acknowledged.toSorted());
  const [sums] = await onDatabase(promoted, ({ sql }) =>
    sql.unsafe('select sum(checks)::int as counted from counts where measure = 0'),
  );
  expect(sums).toEqual({ counted: 300 });
});
