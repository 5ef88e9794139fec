import { afterAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StatsSchema } from '#src/checks/record/stats.ts';
import { showDatabaseUrl } from '#src/checks/store/database-url.ts';
import { VERSION } from '#src/core/base/version.ts';
import { onDatabase } from '#src/parts/postgres/examine-server.ts';
import { DATABASE_STEPS } from '#src/parts/postgres/schema/schema-steps.ts';
import { lurecheck } from '#test/support/executable.ts';
import { freePort } from '#test/support/free-port.ts';
import { parseAs } from '#test/support/parse-as.ts';
import { type Databases, makeDatabases, startPostgres } from '#test/support/postgres.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { until } from '#test/support/until.ts';

const port = await freePort();
const server = await startPostgres({ listen_addresses: '127.0.0.1', port: String(port) });
afterAll(() => server[Symbol.asyncDispose]());

/** The flags by which a role finds the databases; the password is of no account to this server, but must stay secret. */
function flagsFor(databases: Databases, role: 'node' | 'operator'): string[] {
  return (['public', 'private'] as const).flatMap((visibility) => [
    visibility === 'public' ? '--log-database' : '--log-database-private',
    withPassword(databases, visibility, role),
  ]);
}

function withPassword(
  databases: Databases,
  visibility: 'public' | 'private',
  role: 'node' | 'operator' | 'owner',
): string {
  const url = databases.url(visibility, role);
  return showDatabaseUrl({ ...url, password: 'x' }).replace(':***@', ':swordfish@');
}

test('two nodes share history and statistics, and each can be replaced', async () => {
  await using folders = new AsyncDisposableStack();
  const databases = await makeDatabases(server);
  const folder = () => folders.use(temporaryDirectory()).path;
  const flags = flagsFor(databases, 'node');
  const nodesOf = async (): Promise<{ readonly waiting: number }[]> => {
    const operator = withPassword(databases, 'public', 'operator');
    return JSON.parse((await lurecheck(['nodes', '--format', 'json', '--database', operator])).stdout);
  };
  const firstFolder = folder();
  await using first = await startService(firstFolder, [...flags, '--node-name', 'one']);
  const [shown, hidden] = [
    await first.result('https://a.example/'),
    await first.result('https://hidden.example/', true),
  ];
  {
    const list = join(folder(), 'list');
    await Bun.write(list, 'evil.example\n');
    // A node may not read the private database, whichever key is shown.
    const keyed = ['key', 'create', 'soc', '--scope', 'history.private', '--data-dir', firstFolder];
    const headers = { authorization: `Bearer ${(await lurecheck(keyed)).stdout.trim()}` };
    const refused = await fetch(`${first.url}/api/history/private`, { headers });
    expect([refused.status, await refused.json()]).toEqual([404, expect.objectContaining({ code: 'switched_off' })]);
    await using second = await startService(folder(), [
      ...[...flags, '--node-name', 'two', '--block-list', list, '--admin-listen', '127.0.0.1:0'],
    ]);
    const other = await second.result('https://b.example/');
    for (const node of [first, second]) {
      expect((await node.history()).items.map((item) => item.request_id).toSorted()).toEqual(
        [shown.request_id, other.request_id].toSorted(),
      );
    }
    // They are of one version and judge by one model, but not by the same lists.
    const fleet = { nodes: 2, versions: 1, models: 1, lists: 2 };
    const metricsOf = async () => await (await fetch(`${second.events()[0]?.['admin_url']}/metrics`)).text();
    await until(async () => (await metricsOf()).includes('lurecheck_fleet{of="lists"} 2\n'));
    const { fleet: told } = parseAs(StatsSchema, await (await fetch(`${second.url}/api/stats`)).json());
    expect(told).toEqual(fleet);
    const metrics = await metricsOf();
    for (const [of, count] of Object.entries(fleet))
      expect(metrics).toContain(`lurecheck_fleet{of="${of}"} ${count}\n`);
    // A busy node may report a check as waiting which it was about to deliver.
    await until(async () => (await nodesOf()).every(({ waiting }) => waiting === 0));
    expect(await second.stop()).toBe(0);
    expect(second.output.stdout + second.output.stderr).not.toContain('swordfish');
  }
  // Those of the databases, whatever the settings of the node say.
  const bounds = first.events().filter(({ event }) => event === 'log.bounds');
  expect(bounds).toMatchObject(
    ['public', 'private'].map((log) => ({ log, of: 'database', retention_days: 90, retention_bytes: 0 })),
  );
  expect(await nodesOf()).toMatchObject([
    { name: 'one', version: VERSION, lists_version: '', waiting: 0 },
    { name: 'two', version: VERSION, lists_version: expect.stringMatching(/^[\da-f]{12}$/), waiting: 0 },
  ]);
  const read = async (...more: string[]) =>
    await lurecheck(['log', '--format', 'json', ...flagsFor(databases, 'operator'), ...more]);
  expect(JSON.parse((await read('--id', hidden.request_id, '--private')).stdout)).toEqual(hidden);
  expect(JSON.parse((await read()).stdout)).toHaveLength(2);
  expect(await read('--id', hidden.request_id)).toMatchObject({ exitCode: 1, stdout: '' });
  // What is judged again is what the databases have, and what people say is about that.
  const everything = join(folder(), 'everything.txt');
  await Bun.write(everything, 'a.example\nb.example\n');
  const again = ['rescore', '--format', 'json', '--block-list', everything, '--data-dir', folder()];
  const rescored = JSON.parse((await lurecheck([...again, ...flagsFor(databases, 'operator')])).stdout);
  expect([rescored.judged, rescored.unread]).toEqual([2, 0]);
  expect(rescored.changed.map(({ now }: { now: { decision: string } }) => now.decision)).toEqual(['block', 'block']);
  // The node's own role cannot.
  const asNode = await lurecheck(['log', '--private', ...flags]);
  expect(asNode).toMatchObject({ exitCode: 1, stdout: '' });
  expect(asNode.stderr).toBe('lurecheck: The log cannot be read: the role of this service lacks a right.\n');
  const record = ['check', '--network', 'none', '--record', 'public', '--data-dir', folder(), ...flags];
  const checked = await lurecheck([...record, 'https://c.example/']);
  expect(checked.exitCode).toBe(0);
  expect((await first.history()).items).toHaveLength(3);
});

test('a node killed while its database is unavailable loses nothing', async () => {
  await using directory = temporaryDirectory();
  await using own = await startPostgres();
  const databases = await makeDatabases(own);
  const flags = [...flagsFor(databases, 'node'), '--admin-listen', '127.0.0.1:0'];
  const ids: string[] = [];
  {
    await using node = await startService(directory.path, flags);
    ids.push((await node.result('https://a.example/')).request_id);
    await until(async () => (await node.history()).items.length === 1);
    await own.stop('SIGKILL');
    for (let i = 0; i < 20; i++) ids.push((await node.result(`https://n${i}.example/`)).request_id);
    const ready = await fetch(`${node.url}/readyz`);
    expect([ready.status, JSON.stringify(await ready.json())]).toEqual([
      200,
      expect.stringContaining('20 public checks'),
    ]);
    expect((await fetch(`${node.url}/api/history`)).status).toBe(503);
    const metrics = await (await fetch(`${node.events()[0]?.['admin_url']}/metrics`)).text();
    expect(metrics).toContain('lurecheck_spool_rows{log="public"} 20\n');
    expect(metrics).toContain('lurecheck_log_database_up{log="public"} 0\n');
    expect(metrics).toContain('lurecheck_log_database_up{log="private"} 1\n');
    await node.kill();
  }
  await own.start();
  await using node = await startService(directory.path, flags);
  while ((await (await fetch(`${node.url}/readyz`)).text()).includes('not in the database')) await Bun.sleep(20);
  expect((await node.history()).items.map((item) => item.request_id).toSorted()).toEqual(ids.toSorted());
});

test("no check reaches a database's port, even if its address is allowed", async () => {
  await using directory = temporaryDirectory();
  const databases = await makeDatabases(server);
  const over = (visibility: 'public' | 'private') => {
    const { user, database } = databases.url(visibility, 'node');
    return `postgres://${user}@localhost:${port}/${database}`;
  };
  const args = ['--log-database', over('public'), '--log-database-private', over('private')];
  const reaching = ['--network', 'full', '--egress-allow', '127.0.0.0/8', '--egress-port', String(port)];
  await using node = await startService(directory.path, [...args, ...reaching, '--probe-off', 'registration']);
  const { analysis_details: details } = await node.result(`http://127.0.0.1:${port}/`);
  expect(details.unavailable).toContainEqual({ component: 'page', reason: 'refused_by_policy' });
});

test('no message or log contains a password, whatever fails', async () => {
  await using directory = temporaryDirectory();
  const databases = await makeDatabases(server);
  const [url, hidden] = (['public', 'private'] as const).map((one) => withPassword(databases, one, 'node'));
  const file = `${directory.path}/url`;
  writeFileSync(file, `${url}\n`);
  const shown = await lurecheck([
    'config',
    'show',
    '--log-database',
    `file:${file}`,
    '--log-database-private',
    hidden ?? '',
  ]);
  expect(shown.stdout).toContain(`postgres://lurecheck_node:***@`);
  const wrong = [
    ['serve', '--log-database', `${url}`],
    ['serve', '--log-database', `${url}`, '--log-database-private', `${url}`],
    [
      'serve',
      '--log-database',
      'postgres://node:swordfish@db.example/x?sslmode=require',
      '--log-database-private',
      `${hidden}`,
    ],
    ['database', 'migrate', '--database', 'postgres://node:swordfish@db.example/x?sslmode=disable'],
    ['database', 'migrate', '--database', `${url}`],
    ['database', 'status', '--database', `postgres://nobody:swordfish@127.0.0.1:${port}/postgres`],
    ['database', 'status', '--database', 'postgres://nobody:swordfish@127.0.0.1:1/postgres'],
    [
      'log',
      '--log-database',
      'postgres://a:swordfish@127.0.0.1:1/x',
      '--log-database-private',
      'postgres://a:swordfish@127.0.0.1:1/y',
    ],
  ];
  const outcomes = await Promise.all(
    wrong.map(
      async (args) =>
        await lurecheck([...args, ...(args[0] === 'serve' ? ['--data-dir', directory.path] : [])], {
          environment: { LURECHECK_LOG_LEVEL: 'debug' },
        }),
    ),
  );
  expect(outcomes.map(({ exitCode }) => exitCode)).toEqual([2, 2, 2, 2, 1, 1, 1, 1]);
  for (const { stdout, stderr } of [shown, ...outcomes]) expect(stdout + stderr).not.toContain('swordfish');
  for (const { stderr } of outcomes) expect(stderr).toStartWith('lurecheck: ');
});

test('the owner creates the tables with a command, and reads their status', async () => {
  await using admin = server.connect();
  await makeDatabases(server);
  await admin.unsafe('create database by_hand owner lurecheck_owner');
  const url = `postgres://lurecheck_owner@127.0.0.1:${port}/by_hand`;
  const run = (...args: string[]) => lurecheck(['database', ...args, '--database', url]);
  const all = DATABASE_STEPS.length;
  expect(await run('status')).toMatchObject({
    exitCode: 1,
    stdout: expect.stringContaining('lurecheck database migrate'),
  });
  expect(await run('migrate')).toMatchObject({ exitCode: 0, stdout: `public log: schema 0 → ${all}\n`, stderr: '' });
  expect(await run('migrate')).toMatchObject({ exitCode: 0, stdout: `public log: schema ${all}, unchanged\n` });
  const status = await run('status', '--format', 'json');
  expect(JSON.parse(status.stdout)).toMatchObject({ schema: all, problem: null, days: { from: expect.any(String) } });
  const partitions = await onDatabase(
    {
      user: 'lurecheck_owner',
      password: null,
      database: 'by_hand',
      host: '127.0.0.1',
      port,
      tls: 'plain',
      authorityFile: null,
    },
    async ({ sql }) => Array.from(await sql.unsafe("select 1 from pg_inherits where inhparent = 'checks'::regclass")),
  );
  expect(partitions).toHaveLength(10);
});

test("log copy copies a host's history into the databases, each check once", async () => {
  await using directory = temporaryDirectory();
  const databases = await makeDatabases(server);
  const flags = flagsFor(databases, 'node');
  const copy = () => lurecheck(['log', 'copy', '--to-database', '--data-dir', directory.path, ...flags]);
  const results = [];
  {
    await using node = await startService(directory.path);
    for (let i = 0; i < 5; i++) results.push(await node.result(`https://n${i}.example/`));
    results.push(await node.result('https://hidden.example/', true));
    // Beside the server, which goes on with its files.
    expect(await copy()).toEqual({ exitCode: 0, stdout: told(5, 1), stderr: '' });
    results.push(await node.result('https://later.example/'));
  }
  for (let i = 0; i < 2; i++) expect(await copy()).toEqual({ exitCode: 0, stdout: told(6, 1), stderr: '' });
  for (const one of results) {
    const where = one.url.includes('hidden') ? ['--private'] : [];
    const found = await lurecheck([
      'log',
      '--format',
      'json',
      '--id',
      one.request_id,
      ...where,
      ...flagsFor(databases, 'operator'),
    ]);
    expect(JSON.parse(found.stdout)).toEqual(one);
  }
  await using node = await startService(`${directory.path}/other`, flags);
  const stats = parseAs(StatsSchema, await (await fetch(`${node.url}/api/stats`)).json());
  expect(stats.days.reduce((sum, { allow, warn, block }) => sum + allow + warn + block, 0)).toBe(6);
});

const told = (open: number, hidden: number) =>
  `${open} checks of the public log in its database\n${hidden} check of the private log in its database\n`;

test('log copy with one or no database names the missing setting', async () => {
  for (const args of [
    ['copy'],
    ['--to-database'],
    ['copy', 'this', '--to-database'],
    ['other'],
    ['copy', '--to-database'],
  ]) {
    expect([args, (await lurecheck(['log', ...args])).exitCode]).toEqual([args, 2]);
  }
});
