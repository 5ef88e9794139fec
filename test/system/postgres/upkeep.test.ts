import { afterAll, expect, test } from 'bun:test';
import { EVERY_CHECK } from '#src/checks/store/read/check-filter.ts';
import { DAY_MS, systemClock } from '#src/core/base/clock.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { startDatabaseRetention } from '#src/parts/postgres/schema/database-retention.ts';
import { DATABASE_ROLES } from '#src/parts/postgres/schema/migrate-database.ts';
import { openDatabaseLog } from '#test/support/database-log.ts';
import { type Databases, makeDatabases, startPostgres } from '#test/support/postgres.ts';
import { sampleMessage } from '#test/support/sample-message.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { until } from '#test/support/until.ts';

const server = await startPostgres();
afterAll(() => server[Symbol.asyncDispose]());

const FIRST_PAGE = { ...EVERY_CHECK, limit: 50, cursor: null };

/** More than one turn of folding takes, which is 2,000,000 rows, would take a test too long: fewer, in several steps. */
const BACKLOG_ROWS = 120_000;

function startUpkeep(databases: Databases, lines: string[] = []) {
  const urls = { public: [databases.url('public', 'node')], private: [databases.url('private', 'node')] };
  return startDatabaseRetention({ urls, dataDir: '', logger: createLogger('info', (line) => void lines.push(line)) });
}

const told = (lines: readonly string[], event: string) =>
  lines.map((line) => JSON.parse(line)).filter((line) => line.event === event);

test('a locked table of the statistics does not block the history, and a failure names the statistics', async () => {
  await using directory = temporaryDirectory();
  const databases = await makeDatabases(server);
  await using log = await openDatabaseLog(databases, directory.path);
  await log.append(sampleRecord({ atMs: systemClock.now() }));
  await using admin = server.connect(databases.public);
  const figures = await admin.begin(async (locked) => {
    await locked.unsafe('lock table blocked in access exclusive mode');
    const asked = Promise.allSettled([log.stats(), log.stats(), log.stats()]);
    for (let n = 0; n < 50; n++) {
      const [page, summary] = await Promise.all([log.page(FIRST_PAGE), log.summary(EVERY_CHECK)]);
      expect([page.items.length, summary.first_at]).toEqual([1, page.items[0]?.timestamp ?? '']);
    }
    return { asked };
  });
  expect((await figures.asked).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);

  const lines: string[] = [];
  await using anew = await openDatabaseLog(databases, `${directory.path}/anew`, {}, lines);
  await admin.unsafe(`revoke select on blocked_sums from ${DATABASE_ROLES.public.node}`);
  for (let n = 0; n < 2; n++)
    await expect(anew.stats()).rejects.toThrow('The statistics cannot be read at the moment.');
  expect(told(lines, 'log.not_read')).toMatchObject([{ what: 'statistics', state: '42501' }]);
  expect((await anew.page(FIRST_PAGE)).items).toHaveLength(1);
});

test('folds a backlog in steps: statistics answer meanwhile, a stop waits for one step, and a start continues', async () => {
  await using directory = temporaryDirectory();
  const databases = await makeDatabases(server);
  await using log = await openDatabaseLog(databases, directory.path);
  await using admin = server.connect(databases.public);
  const today = Math.floor(systemClock.now() / DAY_MS) * DAY_MS;
  await admin.unsafe(
    `insert into blocked select ${today} - (n % 30)::int8 * ${DAY_MS}, 0, 'n' || n || '.example', 1, 1 from generate_series(1, ${BACKLOG_ROWS}) n`,
  );
  const open = async () => {
    const [row]: { n: number }[] = await admin.unsafe('select count(*)::int as n from blocked where node <> 0');
    return row?.n ?? 0;
  };
  {
    await using _upkeep = startUpkeep(databases);
    await until(async () => (await open()) < BACKLOG_ROWS);
    expect((await log.stats()).blocked_sites).toHaveLength(10);
  }
  const left = await open();
  expect(left).toBeWithin(4001, BACKLOG_ROWS);
  await using _again = startUpkeep(databases);
  await until(async () => (await open()) <= 4000);
  const [sum]: { n: number }[] = await admin.unsafe(
    'select (select sum(checks) from blocked)::int as n, (select sum(checks) from blocked_sums)::int as folded',
  );
  expect(sum?.n).toBe(BACKLOG_ROWS);
});

test('logs the bounds of both databases at the start, and a failure once', async () => {
  const databases = await makeDatabases(server);
  const lines: string[] = [];
  await using admin = server.connect(databases.private);
  await admin.unsafe('revoke all on retention from public');
  await admin.unsafe(`revoke all on retention from ${DATABASE_ROLES.private.node}`);
  {
    await using upkeep = startUpkeep(databases, lines);
    await until(() => told(lines, 'log.purge_failed').length > 0);
    await upkeep.runNow();
    await upkeep.runNow();
  }
  expect(told(lines, 'log.bounds')).toMatchObject([
    { log: 'public', of: 'database', retention_days: 90, retention_bytes: 0, retention_rows: 0 },
  ]);
  expect(told(lines, 'log.purge_failed')).toMatchObject([{ visibility: 'private', state: '42501' }]);
});

test('messages beyond the days of a database are dropped with its checks', async () => {
  await using directory = temporaryDirectory();
  const databases = await makeDatabases(server);
  await using log = await openDatabaseLog(databases, directory.path);
  const messages = [40, 20, 1].map((days) => sampleMessage({ atMs: systemClock.now() - days * DAY_MS }));
  for (const message of messages) await log.messages.append(message);
  await using admin = server.connect(databases.public);
  await admin.unsafe('update retention set days = 30');
  await using upkeep = startUpkeep(databases);
  await upkeep.runNow();
  const page = await log.messages.page(
    { decision: null, fromMs: null, untilMs: null, limit: 9, cursor: null },
    'public',
  );
  expect(page.items.map((item) => item.request_id)).toEqual(
    messages
      .slice(1)
      .map((message) => message.request_id)
      .toReversed(),
  );
});
