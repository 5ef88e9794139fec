import { afterAll, expect, test } from 'bun:test';
import { StatsSchema } from '#src/checks/record/stats.ts';
import { showDatabaseUrl } from '#src/checks/store/database-url.ts';
import { ReadinessSchema } from '#src/service/server/health-routes.ts';
import { lurecheck } from '#test/support/executable.ts';
import { parseAs } from '#test/support/parse-as.ts';
import { type Databases, makeDatabases, startPostgres } from '#test/support/postgres.ts';
import { startRedis } from '#test/support/redis-server.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { until } from '#test/support/until.ts';

const server = await startPostgres();
afterAll(() => server[Symbol.asyncDispose]());

const shown = (databases: Databases, visibility: 'public' | 'private', role: 'node' | 'operator' | 'owner' = 'node') =>
  showDatabaseUrl(databases.url(visibility, role));

const flagsOf = (open: string, hidden: string) => ['--log-database', open, '--log-database-private', hidden];

const rightFlags = (databases: Databases) => flagsOf(shown(databases, 'public'), shown(databases, 'private'));

async function statement(databases: Databases, text: string): Promise<void> {
  await using admin = server.connect(databases.public);
  await admin.unsafe(text);
}

test('exchanged URLs stop the start with the names of both databases', async () => {
  await using directory = temporaryDirectory();
  const databases = await makeDatabases(server);
  const flags = flagsOf(shown(databases, 'private'), shown(databases, 'public'));
  const started = await lurecheck(['serve', '--data-dir', directory.path, '--listen', '127.0.0.1:0', ...flags]);
  expect([started.exitCode, started.stdout]).toEqual([1, '']);
  expect(started.stderr).toContain(`names the database "${databases.private}", which holds the private log`);
  expect(started.stderr).toContain(`"${databases.public}"`);
});

test('the owner sets the bounds of a log, each node reports them, and its own setting changes nothing', async () => {
  await using directory = temporaryDirectory();
  const databases = await makeDatabases(server);
  const run = (...args: string[]) =>
    lurecheck(['database', ...args, '--database', shown(databases, 'public', 'owner')]);
  expect((await run('status')).stdout).toContain('bounds   at most 90 days\n');
  expect(await run('set', 'retention_days=365', 'retention_bytes=5000000000')).toMatchObject({
    exitCode: 0,
    stdout: 'at most 365 days, 5000000000 bytes\n',
  });
  for (const wrong of [
    ['set'],
    ['set', 'retention_days=-1'],
    ['set', 'days=1'],
    ['set', 'retention_days=1e3'],
    ['migrate', 'x'],
  ])
    expect([wrong, (await run(...wrong)).exitCode]).toEqual([wrong, 2]);
  const asNode = await lurecheck(['database', 'set', 'retention_days=1', '--database', shown(databases, 'public')]);
  expect([asNode.exitCode, asNode.stderr]).toEqual([1, expect.stringContaining('permission denied')]);
  await using node = await startService(directory.path, [...rightFlags(databases), '--retention-days', '7']);
  const retention = async () => parseAs(StatsSchema, await (await fetch(`${node.url}/api/stats`)).json()).retention;
  await until(async () => (await retention())?.days !== null);
  expect(await retention()).toEqual({ days: 365, bytes: 5_000_000_000, rows: null });
});

test('the operator lists, retries and drops refused checks while the service runs', async () => {
  await using directory = temporaryDirectory();
  const databases = await makeDatabases(server);
  const flags = [...rightFlags(databases), '--admin-listen', '127.0.0.1:0'];
  const spool = (...args: string[]) => lurecheck(['spool', ...args, '--data-dir', directory.path]);
  const kept: string[] = [];
  {
    await using other = await startPostgres();
    const away = flagsOf(
      shown(databases, 'public').replaceAll(server.path, other.path),
      shown(databases, 'private').replaceAll(server.path, other.path),
    );
    await using node = await startService(directory.path, away);
    for (const url of ['https://bad.example/', 'https://good.example/']) kept.push((await node.result(url)).request_id);
  }
  await statement(databases, "alter table checks add constraint not_this check (url not like '%bad%')");
  await using node = await startService(directory.path, flags);
  const notices = async () => parseAs(ReadinessSchema, await (await fetch(`${node.url}/readyz`)).json()).notices;
  const refused = 'The database refused 1 answered public check of this node: lurecheck nodes spool list.';
  await until(async () => (await notices()).includes(refused));
  expect((await node.history()).items.map((item) => item.request_id)).toEqual([kept[1] ?? '']);
  const ready = node.events().find(({ event }) => event === 'server.listening');
  const metrics = await (await fetch(`${ready?.['admin_url']}/metrics`)).text();
  expect(metrics).toContain('lurecheck_spool_set_aside_rows{log="public"} 1\n');
  const listed = await spool('list');
  expect(listed.stdout).toContain(`${kept[0]}  public  `);
  expect(listed.stdout).toEndWith(
    'refused with 23514\n0 public checks and 0 private checks waiting for the databases, 1 set aside\n',
  );
  expect(JSON.parse((await spool('list', '--format', 'json')).stdout)).toMatchObject({
    waiting: { public: 0, private: 0 },
    set_aside: [{ request_id: kept[0], log: 'public', state: '23514' }],
  });
  const doctor = await lurecheck([
    'doctor',
    '--network',
    'none',
    '--data-dir',
    directory.path,
    ...rightFlags(databases),
  ]);
  expect(doctor.stdout).toMatch(/^advice {2}spool: 0 checks in the spool wait .* 1 were refused/m);
  expect((await spool('drop', kept[1] ?? '', '--yes')).exitCode).toBe(1);
  await statement(databases, 'alter table checks drop constraint not_this');
  expect(await spool('retry')).toMatchObject({ exitCode: 0, stdout: '1 check queued for retry\n' });
  await until(async () => (await notices()).length === 0);
  expect((await node.history()).items.map((item) => item.request_id).toSorted()).toEqual(kept.toSorted());
  for (const wrong of [[], ['drop', 'x'], ['list', kept[0] ?? '']]) expect((await spool(...wrong)).exitCode).toBe(2);
});

test('doctor examines the databases and the limiter', async () => {
  await using directory = temporaryDirectory();
  await using redis = await startRedis();
  const databases = await makeDatabases(server);
  const key = `${directory.path}/client.key`;
  await Bun.write(key, crypto.getRandomValues(new Uint8Array(32)));
  const examine = async (open: string, hidden: string, ...limiters: readonly string[]) => {
    const limits = [...limiters.flatMap((limiter) => ['--limiter', limiter]), '--client-key-file', key];
    return await lurecheck([
      'doctor',
      '--network',
      'none',
      '--data-dir',
      directory.path,
      ...flagsOf(open, hidden),
      ...limits,
    ]);
  };
  const [open, hidden] = [shown(databases, 'public'), shown(databases, 'private')];
  const well = await examine(open, hidden, redis.url);
  for (const line of [
    /^ok {6}database_public: .* the primary of the public log, on timeline 1/m,
    /^ok {6}limiter:/m,
    /^ok {6}spool:/m,
  ])
    expect(well.stdout).toMatch(line);
  expect(well.exitCode).toBe(0);
  expect(well.stdout).not.toContain('The role');
  const owner = await examine(shown(databases, 'public', 'owner'), shown(databases, 'private', 'owner'), redis.url);
  for (const line of [
    /^advice {2}database_public: The role lurecheck_owner can delete checks\./m,
    /^advice {2}database_private: The role lurecheck_owner can read private checks and delete checks\./m,
  ])
    expect(owner.stdout).toMatch(line);
  const operator = await examine(shown(databases, 'public', 'operator'), hidden, redis.url);
  expect([operator.exitCode, operator.stdout]).toEqual([
    1,
    expect.stringMatching(/^fault {3}database_public: The role lurecheck_operator cannot store checks/m),
  ]);
  await using other = await startRedis();
  const split = await examine(open, hidden, redis.url, other.url);
  expect([split.exitCode, split.stdout]).toEqual([
    1,
    expect.stringMatching(/^fault {3}limiter: Two servers of the limiter accept writes/m),
  ]);
  const wrong = await examine(hidden, `postgres://nobody@/none?host=${server.path}`, 'redis://127.0.0.1:1');
  expect(wrong.exitCode).toBe(1);
  for (const line of [
    /^fault {3}database_public: .* holds the private log/m,
    /^fault {3}database_private: .*\(28000\)/m,
    /^fault {3}limiter: The limiter cannot be used: it cannot be reached/m,
  ])
    expect(wrong.stdout).toMatch(line);
  const brand = ['brand', 'add', 'Nordwerk', '--domain', 'nordwerk.example', '--data-dir', directory.path];
  expect((await lurecheck([...brand, ...flagsOf(open, hidden), '--client-key-file', key])).exitCode).toBe(0);
  expect((await examine(open, hidden, redis.url)).exitCode).toBe(0);
  await Bun.write(key, crypto.getRandomValues(new Uint8Array(32)));
  const stranger = await examine(open, hidden, redis.url);
  expect([stranger.exitCode, stranger.stdout]).toEqual([
    1,
    expect.stringMatching(
      /^fault {3}database_public: .* The brands in the database cannot be decrypted: client_key_file/m,
    ),
  ]);
});
