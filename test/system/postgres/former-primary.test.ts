import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { createLogger } from '#src/core/base/logger.ts';
import { openDatabaseDeletions } from '#src/parts/postgres/database-deletions.ts';
import { onDatabase, readDatabaseStatus, usableDatabase } from '#src/parts/postgres/examine-server.ts';
import { startDatabaseRetention } from '#src/parts/postgres/schema/database-retention.ts';
import { onPublicPrimary } from '#src/parts/postgres/session/public-primary.ts';
import { openDatabaseLog } from '#test/support/database-log.ts';
import { makeDatabases, type PostgresServer, startPostgres } from '#test/support/postgres.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { until } from '#test/support/until.ts';

const NOTICE = 'A former primary answers beside the server that took its place: fence it off, or make it a standby.';

test('a former primary that returns is neither read nor written, and is reported', async () => {
  await using folders = new AsyncDisposableStack();
  const folder = () => folders.use(temporaryDirectory()).path;
  await using former = await startPostgres();
  const databases = await makeDatabases(former);
  await using standby = await startPostgres({}, former);
  {
    // Once it is back, it has no standby, and a commit that waits for one would wait for ever.
    await using admin = former.connect();
    await admin.unsafe("alter system set synchronous_standby_names = '*'");
    await admin.unsafe('select pg_reload_conf()');
  }
  const at = (visibility: 'public' | 'private', server: PostgresServer) => ({
    ...databases.url(visibility, 'node'),
    host: server.path,
  });
  const both = (visibility: 'public' | 'private') => [at(visibility, former), at(visibility, standby)];
  const urls = { public: both('public'), private: both('private') };
  const alone = { public: [at('public', former)], private: [at('private', former)] };
  const options = { urls, spoolRows: 1000, timeoutMs: 3000 };
  const idsAt = (server: PostgresServer) =>
    onDatabase({ ...at('public', server), user: 'admin' }, async ({ sql }) => {
      const rows: { id: string }[] = await sql.unsafe('select request_id::text as id from checks order by 1');
      return rows.map(({ id }) => id);
    });
  const old = folder();
  {
    await using log = await openDatabaseLog(databases, old, options);
    await log.append(sampleRecord());
  }
  const before = await idsAt(former);
  await former.stop('SIGKILL');
  await using admin = standby.connect();
  await admin.unsafe('select pg_promote()');
  const kept = [...before];
  const lines: string[] = [];
  {
    await using log = await openDatabaseLog(databases, old, options, lines);
    const keep = async () => {
      const record = sampleRecord({ atMs: Date.now() });
      await log.append(record);
      kept.push(record.result.request_id);
    };
    await keep();
    using _announced = log.announce(() => ({ modelVersion: '', listsVersion: '' }));
    await until(async () => (await log.health()).notices.length === 0);
    // It is back, as after a reboot, and named first.
    await former.start();
    await keep();
    await until(async () => (await log.health()).notices.some(({ text }) => text === NOTICE));
    await keep();
    // Marked, it is refused by commands that know no other server.
    for (const visibility of ['public', 'private'] as const) {
      const url = { ...at(visibility, former), user: 'lurecheck_owner' };
      await until(async () => (await onDatabase(url, readDatabaseStatus)).problem?.includes('former primary') === true);
      await expect(onDatabase(url, ({ sql }) => sql.unsafe('select 1'), usableDatabase)).rejects.toThrow(
        'former primary',
      );
      await using deletions = openDatabaseDeletions(visibility, [url]);
      await expect(deletions.remove({ by: 'domain', wanted: 'x.example' }, Buffer.alloc(32), 0)).rejects.toThrow(
        'former primary',
      );
      await expect(deletions.count({ by: 'domain', wanted: 'x.example' })).rejects.toThrow('former primary');
    }
    const operator = { public: [{ ...at('public', former), user: 'lurecheck_operator' }], private: [] };
    const place = { urls: operator, dataDir: folder() };
    await expect(onPublicPrimary(place, () => Promise.resolve())).rejects.toThrow('former primary');
    // Once it is fenced off, nobody is told of it any more.
    await former.stop();
    await until(async () => (await log.health()).notices.length === 0);
    await former.start();
  }
  const reported = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'log.database_outdated');
  expect(reported[0]).toMatchObject({ timeline: 1, newest: 2 });
  expect(Object.values(JSON.parse(readFileSync(`${old}/timelines.json`, 'utf8')))).toEqual([2]);
  // A node that knows nothing of it asks the other server; the one that has seen it needs nobody.
  const record = sampleRecord({ atMs: Date.now() });
  {
    await using log = await openDatabaseLog(databases, folder(), { ...options, nodeName: 'fresh' });
    await log.append(record);
    kept.push(record.result.request_id);
    await until(() => log.waiting('public') === 0);
  }
  // Days are made and dropped at the new primary, not at the one that is named first.
  const bounds = async (server: PostgresServer, days: number) =>
    onDatabase({ ...at('public', server), user: 'admin' }, ({ sql }) =>
      sql.unsafe(`set synchronous_commit = local; update retention set days = ${days}`),
    );
  await bounds(former, 800);
  await bounds(standby, 900);
  {
    const logger = createLogger('error', () => {});
    await using upkeep = startDatabaseRetention({ urls, dataDir: old, logger });
    await until(() => upkeep.bounds() !== null);
    expect(upkeep.bounds()?.days).toBe(900);
  }
  await standby.stop();
  {
    await using log = await openDatabaseLog(databases, old, { ...options, urls: alone });
    const waiting = sampleRecord({ atMs: Date.now() });
    await log.append(waiting);
    expect(log.waiting('public')).toBe(1);
    expect((await log.health()).notices[0]?.text).toContain('the database is a former primary');
    await expect(
      log.page({ decision: null, domain: null, fromMs: null, untilMs: null, limit: 1, cursor: null }),
    ).rejects.toMatchObject({ code: 'log_unavailable' });
    kept.push(waiting.result.request_id);
  }
  expect(await idsAt(former)).toEqual(before);
  await standby.start();
  {
    await using log = await openDatabaseLog(databases, old, options);
    await until(() => log.waiting('public') === 0);
  }
  expect((await idsAt(standby)).toSorted()).toEqual(kept.toSorted());
});
