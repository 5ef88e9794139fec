import { expect, test } from 'bun:test';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { lurecheck } from '#test/support/executable.ts';
import { makeDatabases, type PostgresServer, postgresUser, startPostgres } from '#test/support/postgres.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { until } from '#test/support/until.ts';

/** Starts PgBouncer (Debian's package of that name) in transaction mode in front of a server; `more` are added settings. */
async function startPooler(server: PostgresServer, more: string): Promise<{ path: string } & AsyncDisposable> {
  if (Bun.which('pgbouncer') === null) throw new Error('pgbouncer is needed: apt-get install pgbouncer');
  const path = await mkdtemp('/tmp/lurecheck-pgbouncer-');
  const users = ['lurecheck_node', 'lurecheck_private_node'].map((name) => `"${name}" ""\n`).join('');
  await Bun.write(`${path}/users`, users);
  const settings = [
    `[databases]\n* = host=${server.path}\n[pgbouncer]\npool_mode = transaction\nlisten_addr =\nlisten_port = 5432`,
    `unix_socket_dir = ${path}\nauth_type = trust\nauth_file = ${path}/users\n${more}\n`,
  ].join('\n');
  await Bun.write(`${path}/pgbouncer.ini`, settings);
  const user = postgresUser();
  if (user) await chown(path, user.uid, user.gid);
  const asUser = user ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups'] : [];
  const child = Bun.spawn([...asUser, 'pgbouncer', `${path}/pgbouncer.ini`], {
    cwd: path,
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  });
  let said = '';
  const drained = (async () => {
    for await (const chunk of child.stderr) said += Buffer.from(chunk).toString();
  })();
  await until(() => {
    if (child.exitCode !== null) throw new Error(`pgbouncer did not start: ${said}`);
    return said.includes('process up');
  });
  return {
    path,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await Promise.all([child.exited, drained]);
      await rm(path, { recursive: true, force: true });
    },
  };
}

test.each([
  ['as it is shipped', ''],
  ['where it ignores what a connection asks for', 'ignore_startup_parameters = statement_timeout,extra_float_digits'],
])('a PgBouncer in transaction mode is refused at the start with an instruction, %s', async (_, more) => {
  await using directory = temporaryDirectory();
  await using server = await startPostgres();
  const databases = await makeDatabases(server);
  await using pooler = await startPooler(server, more);
  const url = (visibility: 'public' | 'private', role: string) =>
    `postgres://${role}@/${databases[visibility]}?host=${pooler.path}`;
  const flags = [
    ...['--log-database', url('public', 'lurecheck_node')],
    ...['--log-database-private', url('private', 'lurecheck_private_node')],
  ];
  const { exitCode, stdout, stderr } = await lurecheck([
    ...['serve', '--data-dir', directory.path, '--listen', '127.0.0.1:0', '--network', 'none', ...flags],
  ]);
  expect([exitCode, stdout]).toEqual([1, '']);
  expect(stderr).toContain('a connection pooler is in front of the database: name the PostgreSQL server itself');
});
