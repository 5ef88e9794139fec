import { afterAll, expect, test } from 'bun:test';
import { chmodSync, chownSync, writeFileSync } from 'node:fs';
import { type DatabaseUrl, readDatabaseUrl } from '#src/checks/store/database-url.ts';
import { DAY_MS } from '#src/core/base/clock.ts';
import { examineServerCertificate } from '#src/parts/fleet/examine-databases.ts';
import { onDatabase } from '#src/parts/postgres/examine-server.ts';
import { LateError, StandbyError } from '#src/parts/postgres/session/fault.ts';
import { createSession, type DatabaseConnection, withFailover } from '#src/parts/postgres/session/session.ts';
import { createCertificateAuthority } from '#test/support/certificate-authority.ts';
import { freePort } from '#test/support/free-port.ts';
import { postgresUser, startPostgres } from '#test/support/postgres.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { until } from '#test/support/until.ts';

const directory = temporaryDirectory();
const authority = createCertificateAuthority(Date.now());
const other = createCertificateAuthority(Date.now());
const issued = authority.issue({ subject: 'db.example', names: ['localhost'] });
const [caFile, otherFile] = [`${directory.path}/ca.pem`, `${directory.path}/other.pem`];
const [certificate, key] = [`${directory.path}/server.pem`, `${directory.path}/server.key`];
writeFileSync(caFile, authority.pem);
writeFileSync(otherFile, other.pem);
writeFileSync(certificate, issued.pem);
writeFileSync(key, issued.keyPem);
chmodSync(directory.path, 0o755);
chmodSync(key, 0o600);
const user = postgresUser();
if (user) for (const file of [certificate, key]) chownSync(file, user.uid, user.gid);

const port = await freePort();
const server = await startPostgres();
const withTls = await startPostgres({
  listen_addresses: '127.0.0.1,127.0.0.2',
  port: String(port),
  ssl: 'on',
  ssl_cert_file: certificate,
  ssl_key_file: key,
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await withTls[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
});

/** Whether the server is spoken to over TLS, or why it cannot be reached. */
async function reach(host: string, parameters: string): Promise<unknown> {
  const url = read(`postgres://admin:geheim@${host}:${port}/postgres${parameters}`);
  try {
    return await onDatabase(url, async ({ sql }) => {
      const rows: { ssl: boolean }[] = await sql.unsafe('select ssl from pg_stat_ssl where pid = pg_backend_pid()');
      return rows[0]?.ssl;
    });
  } catch (error) {
    expect(Bun.inspect(error)).not.toContain('geheim');
    return 'refused';
  }
}

test('a certificate is verified by its authority and its name', async () => {
  const asked = {
    'the authority and the name': await reach('localhost', `?sslmode=verify-full&sslrootcert=${caFile}`),
    'another authority': await reach('localhost', `?sslmode=verify-full&sslrootcert=${otherFile}`),
    'those of browsers': await reach('localhost', '?sslmode=verify-full'),
    'another name': await reach('127.0.0.1', `?sslmode=verify-full&sslrootcert=${caFile}`),
    nobody: await reach('localhost', '?sslmode=require-unverified'),
    'no certificate': await reach('localhost', ''),
  };
  expect(asked).toEqual({
    'the authority and the name': true,
    'another authority': 'refused',
    'those of browsers': 'refused',
    'another name': 'refused',
    nobody: true,
    'no certificate': false,
  });
});

test('a certificate that expires soon is reported by doctor', async () => {
  const server = { host: '127.0.0.1', port, protocol: 'postgres' } as const;
  const examined = () => examineServerCertificate('database_public', 'db.example', server);
  expect(await examined()).toEqual([]);
  const soon = authority.issue({ subject: 'db.example', names: ['localhost'], notAfterMs: Date.now() + 3.5 * DAY_MS });
  writeFileSync(certificate, soon.pem);
  writeFileSync(key, soon.keyPem);
  await onDatabase(read(withTls.url('admin', 'postgres')), ({ sql }) => sql.unsafe('select pg_reload_conf()'));
  await until(async () => (await examined()).length > 0);
  expect(await examined()).toEqual([
    expect.objectContaining({ text: 'The certificate of db.example expires in 3 days.' }),
  ]);
});

test('connects to the address that the name resolves to, and verifies the name', async () => {
  const where = { address: '127.0.0.1' };
  const told: string[] = [];
  const resolve = async () => {
    told.push(where.address);
    return [where.address];
  };
  const url = read(`postgres://admin@localhost:${port}/postgres?sslmode=verify-full&sslrootcert=${caFile}`);
  await using session = createSession({
    urls: [url],
    timeoutMs: 5000,
    max: 2,
    resolve,
    prepare: () => Promise.resolve(),
  });
  const ask = () => session.run(async ({ sql }) => (await sql.unsafe('select host(inet_server_addr()) as at'))[0].at);
  expect([await ask(), told]).toEqual(['127.0.0.1', ['127.0.0.1']]);
  // The server fails, and its name is given to another.
  where.address = '127.0.0.2';
  await expect(session.run(() => Promise.reject(new LateError('it does not answer')))).rejects.toThrow();
  const moved = await ask();
  expect([moved, told]).toEqual(['127.0.0.2', ['127.0.0.1', '127.0.0.2']]);
  await using nowhere = createSession({
    urls: [url],
    timeoutMs: 5000,
    max: 1,
    resolve: async () => [],
    prepare: async () => {},
  });
  await expect(nowhere.run(async () => {})).rejects.toThrow('no address');
});

test('abandons a hanging server, and finds a recovered one', async () => {
  const urls = [read(server.url('admin', 'postgres'))];
  const prepare = () => Promise.resolve();
  await using session = createSession({ urls, timeoutMs: 500, max: 1, prepare });
  const ask = () => session.run(({ sql }) => sql.unsafe('select 1'));
  await ask();
  server.signal('SIGSTOP');
  await expect(ask()).rejects.toBeInstanceOf(LateError);
  await expect(ask()).rejects.toThrow();
  server.signal('SIGCONT');
  for (let answered = false; !answered; ) {
    answered = await ask().then(
      () => true,
      () => false,
    );
  }
});

const SEVERAL = [
  read(`postgres://admin@/postgres?host=${directory.path}`),
  read(server.url('nobody', 'postgres')),
  read(server.url('admin', 'postgres')),
];

test('uses the first of several servers that answers', async () => {
  const prepare = () => Promise.resolve();
  await using session = createSession({ urls: SEVERAL, timeoutMs: 5000, max: 1, prepare });
  const answers: unknown[] = [];
  for (let i = 0; i < 4; i++) {
    answers.push(
      await session.run(async ({ sql }) => (await sql.unsafe('select 1 as one'))[0].one).catch(() => 'refused'),
    );
  }
  expect(answers).toEqual(['refused', 'refused', 1, 1]);
});

test('readers notice no unavailable server unless all are', async () => {
  const prepare = () => Promise.resolve();
  const over = (urls: readonly DatabaseUrl[]) =>
    withFailover(createSession({ urls, timeoutMs: 500, max: 1, prepare }), urls);
  const one = async ({ sql }: DatabaseConnection<unknown>) => (await sql.unsafe('select 1 as one'))[0].one;
  await using session = over(SEVERAL);
  expect(await session.run(one)).toBe(1);
  server.signal('SIGSTOP');
  await expect(session.run(one)).rejects.toThrow();
  server.signal('SIGCONT');
  expect(await session.run(one)).toBe(1);
  // What a server has against the question itself, the others would have too.
  await expect(session.run(({ sql }) => sql.unsafe('select nothing'))).rejects.toThrow('nothing');
});

test('finding that a server is a standby does not disconnect its readers', async () => {
  const urls = [read(server.url('admin', 'postgres'))];
  await using session = createSession({ urls, timeoutMs: 5000, max: 2, prepare: () => Promise.resolve() });
  const reading = session.run(async ({ sql }) => {
    await sql.unsafe('select pg_sleep(0.2)');
    return (await sql.unsafe('select 1 as one'))[0].one;
  });
  await expect(session.run(() => Promise.reject(new StandbyError('it takes nothing')))).rejects.toThrow('nothing');
  expect(await reading).toBe(1);
});

function read(text: string): DatabaseUrl {
  const url = readDatabaseUrl(text);
  if (typeof url === 'string') throw new Error(url);
  return url;
}
