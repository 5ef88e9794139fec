import { afterAll, expect, test } from 'bun:test';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onDatabase } from '#src/parts/postgres/examine-server.ts';
import { lurecheck } from '#test/support/executable.ts';
import { startPostgres } from '#test/support/postgres.ts';
import { startService } from '#test/support/service.ts';
import { until } from '#test/support/until.ts';
import { openFleet } from './shared-fleet.ts';

const server = await startPostgres();
afterAll(() => server[Symbol.asyncDispose]());

test('a command reports that another process changes the keys, if that process does not end', async () => {
  await using fleet = await openFleet(server);
  const { folder, flagsOf } = fleet;
  const [one, two] = [folder(), folder()];
  const create = (name: string, dataDir: string) =>
    lurecheck(['key', 'create', name, '--data-dir', dataDir, ...flagsOf('node')]);
  expect((await create('a', one)).exitCode).toBe(0);
  // The draft by which a process holds the file.
  writeFileSync(join(two, 'keys.json.new'), '');
  expect(await create('b', two)).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: 'lurecheck: another process changes the keys; try again\n',
  });
});

test('keys belong to the fleet, and stay usable while the database is unavailable', async () => {
  await using fleet = await openFleet(server);
  const { databases, folder, flagsOf } = fleet;
  const key = (action: string, name: string, dataDir: string, flags: readonly string[]) =>
    lurecheck(['key', action, name, '--data-dir', dataDir, ...flags]);
  const statusAt = async ({ url }: { readonly url: string }, secret: string) => {
    const headers = { authorization: `Bearer ${secret.trim()}` };
    return (await fetch(`${url}/api/history?limit=1`, { headers })).status;
  };
  const [one, two, desk] = [folder(), folder(), folder()];
  // What a node had before it joined.
  const former = await key('create', 'former', one, []);
  const own = await key('create', 'own', two, []);
  const start = (dataDir: string, name: string) =>
    startService(dataDir, [...flagsOf('node'), '--node-name', name, '--no-public-history']);
  await using first = await start(one, 'one');
  const reads = ['--scope', 'history'];
  await until(async () =>
    (await lurecheck(['key', 'list', '--data-dir', desk, ...flagsOf('operator')])).stdout.includes('former'),
  );
  await using second = await start(two, 'two');
  await until(() => existsSync(join(two, 'before-fleet/keys-1/keys.json')));
  expect(await statusAt(second, own.stdout)).toBe(401);
  // From the operator's machine, and from two nodes at once.
  const made = await Promise.all([
    key('create', 'a', desk, [...flagsOf('operator'), ...reads]),
    key('create', 'b', one, [...flagsOf('node'), ...reads]),
    key('create', 'c', two, [...flagsOf('node'), ...reads]),
  ]);
  expect(made.filter(({ exitCode }) => exitCode !== 0)).toEqual([]);
  for (const node of [first, second]) {
    for (const { stdout } of made) await until(async () => (await statusAt(node, stdout)) === 200);
  }
  expect((await key('revoke', 'a', two, flagsOf('node'))).exitCode).toBe(0);
  await until(async () => (await statusAt(first, made[0].stdout)) === 401);
  expect(await statusAt(first, former.stdout)).toBe(403);
  // Nothing in the database says what the keys are.
  const rows = await onDatabase(databases.url('public', 'operator'), async ({ sql }) =>
    Array.from<{ content: Uint8Array; changed_by: string }>(await sql.unsafe('select * from shared_documents')),
  );
  expect(rows.map(({ changed_by }) => changed_by)).toHaveLength(1);
  expect(Buffer.from(rows[0]?.content ?? []).toString('latin1')).not.toContain('secret_sha256');
  await server.stop('SIGKILL');
  const refused = await key('create', 'd', one, flagsOf('node'));
  expect([refused.exitCode === 0, refused.stdout]).toEqual([false, '']);
  expect(refused.stderr).toStartWith('lurecheck: the database that holds the keys of all nodes cannot be used: ');
  expect((await lurecheck(['key', 'list', '--data-dir', two, ...flagsOf('node')])).stdout).toContain('former');
});
