import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import { DATABASE_ROLES } from '#src/parts/postgres/schema/migrate-database.ts';
import { ReadinessSchema } from '#src/service/server/health-routes.ts';
import { lurecheck } from '#test/support/executable.ts';
import { parseAs } from '#test/support/parse-as.ts';
import { type Databases, makeDatabases, type PostgresServer, startPostgres } from '#test/support/postgres.ts';
import { type Service, startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { openedUnixConnections } from '#test/support/unix-connections.ts';

const server = await startPostgres();
afterAll(() => server[Symbol.asyncDispose]());

function flagsOf(databases: Databases, at: PostgresServer = server): string[] {
  return (['public', 'private'] as const).flatMap((visibility) => [
    visibility === 'public' ? '--log-database' : '--log-database-private',
    at.url(DATABASE_ROLES[visibility].node, databases[visibility]),
  ]);
}

/** What a node answers, ready or not. */
const AnswerSchema = Type.Partial(Type.Pick(ReadinessSchema, ['notices', 'parts']));

async function readiness({ url }: Service) {
  const response = await fetch(`${url}/readyz?verbose`);
  const { notices = [], parts = [] } = parseAs(AnswerSchema, await response.json());
  const part = (name: string) => parts.find((one) => one.name === name)?.state;
  return { status: response.status, notices, log: part('public_log'), limiter: part('limiter') };
}

test('the first answer of /readyz reports a database and a limiter that do not answer, before any check', async () => {
  await using directory = temporaryDirectory();
  await using away = await startPostgres();
  const databases = await makeDatabases(away);
  await away.stop();
  await Bun.write(join(directory.path, 'key'), new Uint8Array(32));
  const limiter = [
    '--limiter',
    `redis+unix://${directory.path}/none.sock`,
    '--client-key-file',
    `${directory.path}/key`,
  ];
  const flags = [...flagsOf(databases, away), ...limiter, '--rate-limit', '20'];
  {
    await using node = await startService(join(directory.path, 'one'), flags);
    expect(await readiness(node)).toEqual({
      status: 200,
      notices: [
        'Checks are spooled on this node: the database cannot be reached.',
        'The shared limiter is unavailable: this node counts its clients alone.',
      ],
      log: 'degraded',
      limiter: 'degraded',
    });
    expect(node.events().find(({ event }) => event === 'log.database_away')).toMatchObject({
      state: expect.stringMatching(/^ERR_POSTGRES_/),
    });
  }
  await using node = await startService(join(directory.path, 'two'), [...flags, '--log-spool', 'false']);
  expect(await readiness(node)).toMatchObject({ status: 503, log: 'failed' });
});

test('a node whose client key is not that of the fleet is not ready', async () => {
  await using directory = temporaryDirectory();
  const databases = await makeDatabases(server);
  const at = (name: string) => join(directory.path, name);
  await Bun.write(at('key'), new Uint8Array(32).fill(1));
  await Bun.write(at('other'), new Uint8Array(32).fill(2));
  const flagsWith = (key: string) => [...flagsOf(databases), '--client-key-file', at(key)];
  const added = await lurecheck(['lists', 'add', 'ours', 'a.example', '--data-dir', at('desk'), ...flagsWith('key')]);
  expect(added).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('all nodes of the fleet use it') });
  await using good = await startService(at('one'), [...flagsWith('key'), '--node-name', 'one']);
  await using bad = await startService(at('two'), [...flagsWith('other'), '--node-name', 'two']);
  expect((await readiness(good)).status).toBe(200);
  const answer = await fetch(`${bad.url}/readyz`);
  expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('client_key_file differs')]);
});

test('a node stops without waiting for a database that hangs', async () => {
  await using directory = temporaryDirectory();
  await using hanging = await startPostgres();
  const databases = await makeDatabases(hanging);
  await Bun.write(join(directory.path, 'key'), new Uint8Array(32));
  const flags = [...flagsOf(databases, hanging), '--client-key-file', join(directory.path, 'key')];
  hanging.signal('SIGSTOP');
  await using node = await startService(join(directory.path, 'node'), flags);
  expect((await node.check('http://example.com/')).status).toBe(200);
  expect(await node.stop()).toBe(0);
  const given = node.events().filter(({ event }) => event === 'log.purge_failed');
  // The driver would give up after a minute, with a state of its own.
  expect(given.map(({ state }) => state)).not.toContain('ERR_POSTGRES_CONNECTION_TIMEOUT');
});

test('a node under load opens at most six connections: four public, one private, and one for upkeep and shared state', async () => {
  await using directory = temporaryDirectory();
  const key = join(directory.path, 'key');
  await Bun.write(key, new Uint8Array(32));
  const databases = await makeDatabases(server);
  await using admin = server.connect();
  const most = { opened: 0, public: 0, private: 0 };
  let isOver = false;
  // The node's own sockets: the process of a connection that the node has closed may stay a while in `pg_stat_activity`.
  const count = async (pid: number) => {
    while (!isOver) {
      most.opened = Math.max(most.opened, openedUnixConnections(pid));
      const rows: { name: string; n: number }[] = await admin.unsafe(
        "select datname as name, count(*)::int as n from pg_stat_activity where application_name = 'lurecheck' group by 1",
      );
      const countOf = (name: string) => rows.find((row) => row.name === name)?.n ?? 0;
      for (const name of ['public', 'private'] as const) most[name] = Math.max(most[name], countOf(databases[name]));
    }
  };
  const dataDir = join(directory.path, 'node');
  await using node = await startService(dataDir, [
    ...flagsOf(databases),
    '--client-key-file',
    key,
    '--trusted-proxy',
    '127.0.0.1/32',
  ]);
  const counting = count(node.pid);
  try {
    const give = (client: number, url: string) =>
      fetch(`${node.url}/api/feedback`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': `192.0.2.${client}` },
        body: JSON.stringify({ url, verdict: 'malicious' }),
      });
    const paths = ['/api/history', '/api/stats', '/api/history?domain=example.com', '/readyz'];
    const clients = Array.from({ length: 16 }, async (_, client) => {
      for (let n = 0; n < 25; n++) {
        const checked = await node.check(`http://example.com/${client}/${n}`, client % 2 === 0);
        const read = await fetch(`${node.url}${paths[n % paths.length]}`);
        expect([checked.status, read.status]).toEqual([200, 200]);
        await read.arrayBuffer();
        if (n % 5 === 0) expect((await give(client, `http://example.com/${client}/${n}`)).status).toBe(202);
        if (client > 0 || n % 8 !== 0) continue;
        // Without the database's flags: the service publishes it.
        const added = await lurecheck(['lists', 'add', 'ours', `n${n}.example`, '--data-dir', dataDir]);
        expect([added.exitCode, added.stderr]).toEqual([0, expect.stringContaining('ours is changed')]);
      }
    });
    await Promise.all(clients);
  } finally {
    isOver = true;
    await counting;
  }
  expect(most.opened).toBeWithin(5, 7);
  expect(most.public).toBeGreaterThanOrEqual(4);
  expect(most.private).toBeGreaterThanOrEqual(1);
});
