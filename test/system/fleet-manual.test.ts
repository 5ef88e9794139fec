import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import { createCertificateAuthority } from '#test/support/certificate-authority.ts';
import { executable } from '#test/support/executable.ts';
import { freePort } from '#test/support/free-port.ts';
import { type PostgresServer, postgresUser, startPostgres } from '#test/support/postgres.ts';
import { type Service, startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { until } from '#test/support/until.ts';
import { withPlaces } from '#test/support/with-places.ts';

const SECTION = /^### Set up on Debian\n([\s\S]*?)^### Checks that/m.exec(
  await Bun.file('src/service/manual/fleet.md').text(),
)?.[1];
const BLOCKS = [...(SECTION ?? '').matchAll(/^```(?:sh|toml)\n([\s\S]*?)^```/gm)].map(([, block = '']) => block);
const CHECKS = 3;

/** What Debian's package lets in beside: its administrator by the socket, and roles of this machine by their passwords. */
const DEBIAN_HBA = 'local all,replication all trust\nhost all all 127.0.0.1/32 scram-sha-256\n';

/** The block of the manual that begins so, with the places of this machine in place of its own. */
function block(first: string, places: Readonly<Record<string, string>>): string {
  const found = BLOCKS.find((text) => text.startsWith(first));
  if (found === undefined) throw new Error(`the manual has no block that begins with ${first}`);
  return withPlaces(found, places);
}

/** Runs a block; throws an Error with what it said where it fails. */
async function run(script: string, cwd: string): Promise<string> {
  const path = [dirname(await executable()), process.env['PATH']].join(delimiter);
  const child = Bun.spawn(['bash', '-euo', 'pipefail', '-c', script], {
    cwd,
    stdout: 'pipe',
    stderr: 'pipe',
    env: { PATH: path },
  });
  const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (exitCode !== 0) throw new Error(`${exitCode}: ${stdout}${stderr}`);
  return stdout;
}

/** Starts what the third block has configured, over the configuration of Debian's package. */
async function startConfiguredRedis(config: string, folder: string): Promise<AsyncDisposable> {
  const own = ['daemonize no', 'supervised no', 'logfile ""', `dir ${folder}`, `pidfile ${folder}/redis.pid`];
  await Bun.write(config, `${await Bun.file(config).text()}\n${own.join('\n')}\n`);
  const child = Bun.spawn(['redis-server', config], { cwd: folder, stdin: 'ignore', stdout: 'pipe', stderr: 'ignore' });
  let said = '';
  const drained = (async () => {
    for await (const chunk of child.stdout) said += Buffer.from(chunk).toString();
  })();
  await until(() => {
    if (child.exitCode !== null) throw new Error(`redis-server did not start: ${said}`);
    return said.includes('Ready to accept connections');
  });
  return {
    async [Symbol.asyncDispose]() {
      child.kill();
      await Promise.all([child.exited, drained]);
    },
  };
}

test('the commands of the manual set up a fleet with TLS throughout', async () => {
  await using directory = temporaryDirectory();
  const at = (name: string) => join(directory.path, name);
  const authority = createCertificateAuthority(Date.now());
  for (const name of ['db', 'redis']) {
    const { pem, keyPem } = authority.issue({ subject: 'localhost', names: ['localhost', '127.0.0.1'] });
    await Bun.write(at(`${name}.crt`), pem);
    await Bun.write(at(`${name}.key`), keyPem);
    await Bun.write(at(`${name}-ca.pem`), authority.pem);
  }

  const [port, limiterPort] = [String(await freePort()), String(await freePort())];
  await using server: PostgresServer = await startPostgres({ listen_addresses: '127.0.0.1', port });
  const isRoot = postgresUser() !== null;
  const psql = { 'runuser -u postgres -- env -C / psql': `psql -h ${server.path} -p ${port} -U admin -d postgres` };
  await Bun.write(`${server.path}/data/pg_hba.conf`, DEBIAN_HBA);
  const database = block('# 1. ', {
    ...psql,
    '/etc/postgresql/15/main': `${server.path}/data`,
    '/etc/postgresql/tls': `${server.path}/tls`,
    '192.0.2.0/24': '127.0.0.0/8',
    'systemctl restart postgresql': '',
    ...(isRoot ? {} : { '-o postgres -g postgres ': '' }),
  });
  await run(database, directory.path);
  await server.stop();
  await server.start();

  const urls = at('urls');
  await run(
    block('# 2. ', {
      ...psql,
      '/root/lurecheck-urls': urls,
      'db.example': `localhost:${port}`,
      '/etc/lurecheck': directory.path,
    }),
    directory.path,
  );

  const config = at('redis.conf');
  if (existsSync('/etc/redis/redis.conf') && isRoot) await copyFile('/etc/redis/redis.conf', config);
  await run(
    block('# 3. ', {
      '-o redis -g redis ': '',
      '/etc/redis/redis.conf': config,
      ' /etc/redis\n': ' tls\n',
      '/etc/redis/': at('tls/'),
      'bind *': 'bind 127.0.0.1',
      'redis.example:6380': `localhost:${limiterPort}`,
      'tls-port 6380': `tls-port ${limiterPort}`,
      '/etc/lurecheck': directory.path,
      '/root/': `${directory.path}/`,
      'systemctl restart redis-server': '',
      'umask 077\n': 'umask 077\nmkdir tls\n',
    }),
    directory.path,
  );
  await using _redis = await startConfiguredRedis(config, directory.path);

  await run(
    'head -c 32 /dev/urandom > client.key; cp urls/node.url urls/private-node.url .; chmod 0400 *.url',
    directory.path,
  );
  await run(block('# 4. ', {}), urls);

  const settingsOf = async (name: string) => {
    await mkdir(at(name));
    const file = at(`${name}.toml`);
    const places = { '/var/lib/lurecheck': at(name), '192.0.2.1:8080': '127.0.0.1:0', '"one"': `"${name}"` };
    await Bun.write(file, `${block('data_dir', { ...places, '/etc/lurecheck': directory.path })}network = "none"\n`);
    await chmod(file, 0o600);
    return file;
  };
  const files = [await settingsOf('one'), await settingsOf('two')];
  const doctor = await run(block('# 5. ', { '/etc/lurecheck/lurecheck.toml': files[0] ?? '' }), directory.path);
  for (const part of ['database_public', 'database_private', 'limiter', 'spool'])
    expect(doctor).toMatch(`ok      ${part}`);
  expect(doctor).not.toMatch(/^fault/m);

  const limit = ['--rate-limit', String(CHECKS), '--trusted-proxy', '127.0.0.1/32'];
  await using one = await startService(at('one'), ['--config', files[0] ?? '', ...limit]);
  await using two = await startService(at('two'), ['--config', files[1] ?? '', ...limit]);
  const statuses: number[] = [];
  for (let n = 0; n < CHECKS; n++) {
    for (const node of [one, two]) statuses.push((await node.check(`http://example.com/${n}`, n === 0)).status);
  }
  // One limit over both.
  expect(statuses.filter((status) => status === 200)).toHaveLength(CHECKS);
  const idsAt = async (node: Service) => (await node.history()).items.map(({ request_id }) => request_id);
  expect(await idsAt(one)).toHaveLength(1);
  expect(await idsAt(two)).toEqual(await idsAt(one));

  const shown = await run(block('# 6. ', {}), urls);
  for (const name of ['one', 'two']) expect(shown).toContain(name);
  await run(block('# 7. ', {}), urls);
  expect([await restored(server, at('urls/lurecheck.dump')), await restored(server, at('urls/private.dump'))]).toEqual([
    1, 2,
  ]);

  const archive = { '/srv/pg': `${server.path}/archive` };
  const own: Readonly<Record<string, string>> = isRoot ? {} : { '-o postgres -g postgres ': '' };
  await run(block('# 8. ', { ...archive, ...psql, ...own, 'systemctl restart postgresql': '' }), directory.path);
  await server.stop();
  await server.start();
  const asPostgres = isRoot ? 'runuser -u postgres -- ' : '';
  const basebackup = `${asPostgres}pg_basebackup -h ${server.path} -p ${port} -U admin`;
  await run(block('# 9. ', { 'runuser -u postgres -- pg_basebackup': basebackup, ...archive }), server.path);
  await checkAndStore(one, server, 'http://example.com/before');
  await using admin = server.connect();
  const [moment]: { at: string }[] = await admin.unsafe('select clock_timestamp()::text as at');
  await checkAndStore(one, server, 'http://example.com/after');
  const urlsAt = async (node: Service) => (await node.history()).items.map(({ url }) => url);
  expect(await urlsAt(two)).toHaveLength(3);
  await server.stop();
  const restore = block('# 10. ', {
    main: 'data',
    ...archive,
    '/var/lib/postgresql/15': server.path,
    '2026-01-31 12:00:00+00': moment?.at ?? '',
    'systemctl stop postgresql': '',
    'systemctl start postgresql': '',
  });
  await run(restore, server.path);
  await server.start();
  // Nodes go on by themselves, at the moment that was named.
  await checkAndStore(one, server, 'http://example.com/later');
  expect(await urlsAt(two)).toEqual(['http://example.com/later', 'http://example.com/before', 'http://example.com/1']);
});

/** Checks as another client than before, and waits until the check is in the database. */
async function checkAndStore(node: Service, server: PostgresServer, url: string): Promise<void> {
  const { status } = await fetch(`${node.url}/api/check-url`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': '198.51.100.1' },
    body: JSON.stringify({ url }),
  });
  expect(status).toBe(200);
  await using sql = server.connect('lurecheck');
  await until(async () => (await sql.unsafe('select 1 from checks where url = $1', [url])).length === 1);
}

/** How many checks a dump holds once it is restored into an empty database. */
async function restored(server: PostgresServer, dump: string): Promise<number> {
  const name = basename(dump, '.dump');
  await using admin = server.connect();
  await admin.unsafe(`create database restored_${name} owner lurecheck_owner`);
  const port = /port=(\d+)/.exec(server.url('admin', 'x'))?.[1];
  await run(`pg_restore -h ${server.path} -p ${port} -U admin -d restored_${name} ${dump}`, dirname(dump));
  await using database = server.connect(`restored_${name}`);
  const [row]: { checks: number }[] = await database.unsafe('select count(*)::int as checks from checks');
  return row?.checks ?? 0;
}
