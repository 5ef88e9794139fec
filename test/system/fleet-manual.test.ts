import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import { createCertificateAuthority } from '#test/support/certificate-authority.ts';
import { executable } from '#test/support/executable.ts';
import { freePort } from '#test/support/free-port.ts';
import { type PostgresServer, postgresPrograms, postgresUser, startPostgres } from '#test/support/postgres.ts';
import { reload } from '#test/support/reload.ts';
import { type Service, startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { until } from '#test/support/until.ts';
import { withPlaces } from '#test/support/with-places.ts';

const SECTION = /^### Set up on Debian\n([\s\S]*?)^## Shared limit/m.exec(
  await Bun.file('src/service/manual/fleet.md').text(),
)?.[1];
const BLOCKS = [...(SECTION ?? '').matchAll(/^```(?:sh|toml)\n([\s\S]*?)^```/gm)].map(([, block = '']) => block);
const CHECKS = 3;

/** Files that the text copies to each node, and what the operator's machine has beside the URLs of its roles. */
const FILES_OF = {
  node: namesIn(/^Copy ([\s\S]*?) to `\/etc\/lurecheck` of each node/m),
  operator: [
    ...namesIn(/On the operator's machine, keep ([\s\S]*?) in `\/etc\/lurecheck` too/),
    ...['owner.url', 'private-owner.url', 'operator.url', 'private-operator.url'],
  ],
};

function namesIn(sentence: RegExp): string[] {
  return [...(sentence.exec(SECTION ?? '')?.[1] ?? '').matchAll(/`([\w.-]+)`/g)].map(([, name = '']) => name);
}

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

/** A machine that has its own `/etc/lurecheck`, with those of the files in `from` that the text gives it. */
async function machineWith(files: readonly string[], from: string, path: string): Promise<string> {
  await mkdir(path);
  for (const name of files) {
    const source = Bun.file(join(from, name));
    if (name.endsWith('.url'))
      await Bun.write(join(path, name), (await source.text()).replaceAll('/etc/lurecheck', path));
    else await Bun.write(join(path, name), source);
    await chmod(join(path, name), 0o400);
  }
  return path;
}

test('the commands of the manual set up a fleet on two machines, with TLS throughout, a standby and a rotation', async () => {
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
      '/root/': `${directory.path}/`,
      'systemctl restart redis-server': '',
      'umask 077\n': 'umask 077\nmkdir tls\n',
    }),
    directory.path,
  );
  await using _redis = await startConfiguredRedis(config, directory.path);

  await run('head -c 32 /dev/urandom > client.key; cp urls/*.url .', directory.path);
  const operator = await machineWith(FILES_OF.operator, directory.path, at('operator'));
  const node = await machineWith(FILES_OF.node, directory.path, at('node'));
  await run(block('# 4. ', {}), operator);

  const settingsOf = async (name: string) => {
    await mkdir(at(name));
    const file = at(`${name}.toml`);
    const places = { '/var/lib/lurecheck': at(name), '192.0.2.1:8080': '127.0.0.1:0', '"one"': `"${name}"` };
    await Bun.write(file, `${block('data_dir', { ...places, '/etc/lurecheck': node })}network = "none"\n`);
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

  const shown = await run(block('# 6. ', {}), operator);
  for (const name of ['one', 'two']) expect(shown).toContain(name);
  await run(block('# 7. ', {}), operator);
  expect([
    await restored(server, join(operator, 'lurecheck.dump')),
    await restored(server, join(operator, 'private.dump')),
  ]).toEqual([1, 2]);

  const asPostgres = isRoot ? 'runuser -u postgres -- ' : '';
  const reloadServer = `psql -qh ${server.path} -p ${port} -U admin -d postgres -c 'select pg_reload_conf()'`;
  const ofPrimary = { ...psql, '/root/lurecheck-urls': urls };
  const mainOf = (path: string) => ({ '/etc/postgresql/15/main': path });
  await run(
    block('# 11. ', {
      ...ofPrimary,
      ...mainOf(`${server.path}/data`),
      '192.0.2.0/24': '127.0.0.0/8',
      'systemctl reload postgresql': reloadServer,
    }),
    directory.path,
  );
  await run(`cp ${server.path}/data/pg_hba.conf urls/standby.password .`, directory.path);
  await using standby = await startStandby(server, directory.path, port, asPostgres);
  await until(async () => (await standby.checks()) === 1);

  await run(block('# 13. ', ofPrimary), directory.path);
  const former = await Bun.file(join(node, 'node.url')).text();
  const rotated = (await Bun.file(join(urls, 'node.url')).text()).replaceAll('/etc/lurecheck', node);
  expect(rotated.replace(/:[0-9a-f]*@/, '@')).toBe(former.replace(/:[0-9a-f]*@/, '@'));
  await chmod(join(node, 'node.url'), 0o600);
  await Bun.write(join(node, 'node.url'), rotated);
  for (const service of [one, two]) {
    expect(await reload(service)).toEqual({ level: 'info', event: 'settings.reread' });
    expect(service.events().filter(({ event }) => event === 'settings.rotated')).toHaveLength(1);
  }

  const archive = { '/srv/pg': `${server.path}/archive` };
  const own: Readonly<Record<string, string>> = isRoot ? {} : { '-o postgres -g postgres ': '' };
  await run(block('# 8. ', { ...archive, ...psql, ...own, 'systemctl restart postgresql': '' }), directory.path);
  await server.stop();
  await server.start();
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

/** Makes a standby by the manual, in a folder of its own, and starts it. */
async function startStandby(primary: PostgresServer, from: string, port: string, asPostgres: string) {
  const folder = `${primary.path}/standby`;
  const [data, own] = [`${folder}/data`, asPostgres === '' ? { '-o postgres -g postgres ': '' } : {}];
  await run(`${asPostgres}mkdir -m 0700 ${folder} ${data}`, primary.path);
  const made = block('# 12. ', {
    'systemctl stop postgresql': '',
    'systemctl start postgresql': '',
    '/etc/postgresql/tls': `${folder}/tls`,
    '/etc/postgresql/15/main': folder,
    '/var/lib/postgresql/15/main': data,
    'runuser -u postgres -- pg_basebackup': `cd ${folder}; ${asPostgres}pg_basebackup`,
    'host=db.example': `host=localhost port=${port}`,
    ...own,
  });
  await run(made, from);
  const settings = {
    ...{ hba_file: `${folder}/pg_hba.conf`, unix_socket_directories: folder, listen_addresses: '', port },
    ...{ ssl_cert_file: `${folder}/tls/db.crt`, ssl_key_file: `${folder}/tls/db.key` },
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const user = asPostgres === '' ? [] : ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups'];
  const program = [...user, `${postgresPrograms()}/postgres`, '-D', data, ...flags];
  const child = Bun.spawn(program, { cwd: folder, stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' });
  return {
    /** Returns the number of checks that have arrived; null while it starts. */
    async checks(): Promise<number | null> {
      const statement = 'select count(*) from checks where pg_is_in_recovery()';
      const counted = run(`psql -Ath ${folder} -p ${port} -U admin -d lurecheck -c '${statement}'`, from);
      return await counted.then(Number, () => null);
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGINT');
      await child.exited;
    },
  };
}

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
