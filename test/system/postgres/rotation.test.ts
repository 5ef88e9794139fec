import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { RedisClient } from 'bun';
import { freePort } from '#test/support/free-port.ts';
import { makeDatabases, startPostgres } from '#test/support/postgres.ts';
import { startRedis } from '#test/support/redis-server.ts';
import { reload } from '#test/support/reload.ts';
import { type Service, startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { until } from '#test/support/until.ts';

const port = String(await freePort());
const server = await startPostgres({ listen_addresses: '127.0.0.1', port });
afterAll(() => server[Symbol.asyncDispose]());

const NODES = ['lurecheck_node', 'lurecheck_private_node'] as const;
const KINDS = ['settings.rotated', 'settings.rotation_failed', 'log.database_away', 'limiter.shared', 'limiter.local'];

/** The latest events of a rotation, without their time. */
const eventsOf = (service: Service) => service.events().filter(({ event }) => KINDS.includes(event));

test('SIGHUP replaces passwords of databases and limiter, refuses no check, and keeps what works', async () => {
  await using directory = temporaryDirectory();
  const at = (name: string) => join(directory.path, name);
  const databases = await makeDatabases(server);
  await using redis = await startRedis(['--requirepass', 'first']);
  await using admin = server.connect();
  const setPasswords = async (password: string) => {
    for (const role of NODES) await admin.unsafe(`alter role ${role} password '${password}'`);
  };
  await setPasswords('first');
  await Bun.write(`${server.path}/data/pg_hba.conf`, 'local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n');
  await admin.unsafe('select pg_reload_conf()');
  const write = async (password: string, ofLimiter = password) => {
    const url = (role: string, database: string) => `postgres://${role}:${password}@127.0.0.1:${port}/${database}`;
    await Bun.write(at('node.url'), url(NODES[0], databases.public));
    await Bun.write(at('private.url'), url(NODES[1], databases.private));
    await Bun.write(at('limiter.url'), `redis+unix://:${ofLimiter}@localhost${redis.socket}`);
  };
  await write('first');
  await Bun.write(at('client.key'), new Uint8Array(32).fill(7));
  const settings = ['--log-database', `file:${at('node.url')}`, '--log-database-private', `file:${at('private.url')}`];
  const limiter = ['--limiter', `file:${at('limiter.url')}`, '--client-key-file', at('client.key')];
  await using service = await startService(directory.path, [...settings, ...limiter, '--rate-limit', '100000']);
  const connectedSince = async (since: unknown) =>
    await admin.unsafe(
      'select count(*)::int as all, count(*) filter (where backend_start < $1)::int as former from pg_stat_activity where usename = any($2::text[])',
      [since, `{${NODES.join(',')}}`],
    );
  const conditions = async () => {
    const answer = (await (await fetch(`${service.url}/readyz?verbose`)).json()) as { conditions: { code: string }[] };
    return answer.conditions.map(({ code }) => code);
  };
  let isDone = false;
  const statuses: number[] = [];
  const traffic = (async () => {
    for (let n = 0; !isDone; n++) statuses.push((await service.check(`http://example.com/${n}`, n % 2 === 0)).status);
  })();
  await service.history();

  await setPasswords('second');
  const client = new RedisClient(`redis+unix://:first@localhost${redis.socket}`);
  await client.send('CONFIG', ['SET', 'requirepass', 'second']);
  client.close();
  await write('second');
  const [now] = await admin.unsafe('select clock_timestamp() as now');
  expect(await reload(service)).toEqual({ level: 'info', event: 'settings.reread' });
  expect(eventsOf(service).filter(({ event }) => event === 'settings.rotated')).toMatchObject([
    { setting: expect.any(String) },
    { setting: expect.any(String) },
  ]);
  expect(service.output.stdout).not.toContain('settings.need_restart');
  // Former connections end with their work.
  await until(async () => (await connectedSince(now?.now))[0]?.former === 0);

  await write('wrong');
  await reload(service);
  expect(await conditions()).toContain('rotation_failed');
  const before = statuses.length;
  await until(() => statuses.length > before + 20);
  const failed = eventsOf(service).filter(({ event }) => event === 'settings.rotation_failed');
  expect(failed.map(({ setting }) => setting).toSorted()).toEqual(['limiter', 'log_database']);
  expect(failed[0]).not.toMatchObject({ problem: expect.stringContaining('wrong') });

  // What is in use again ends the trial.
  await write('second');
  await reload(service);
  expect(await conditions()).toEqual([]);
  isDone = true;
  await traffic;
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(service.output.stdout).not.toContain('log.database_away');
  await using reader = server.connect(databases.public);
  const [stored] = await reader.unsafe("select count(*)::int as checks from checks where url like '%example.com/%'");
  expect(stored?.checks).toBe(Math.floor(statuses.length / 2));
});
