import { afterAll, expect, test } from 'bun:test';
import { onDatabase } from '#src/parts/postgres/examine-server.ts';
import { readNodes, removeNode } from '#src/parts/postgres/nodes/read-nodes.ts';
import { forgetNodes } from '#src/parts/postgres/schema/database-retention.ts';
import { openDatabaseLog } from '#test/support/database-log.ts';
import { makeDatabases, startPostgres } from '#test/support/postgres.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { until } from '#test/support/until.ts';

const server = await startPostgres();
afterAll(() => server[Symbol.asyncDispose]());

const PRINTS = { client_key: 'c', keys: 'k', brands: '', packs: '', settings: 's' };

test('reports a node that differs, and removes a stopped one on demand or after a week', async () => {
  const databases = await makeDatabases(server);
  const operator = databases.url('public', 'operator');
  const age = async (name: string, time: string) =>
    await onDatabase({ ...databases.url('public', 'owner'), user: 'admin' }, ({ sql }) =>
      sql.unsafe(`update nodes set seen_at = now() - interval '${time}' where name = $1`, [name]),
    );
  await using folders = new AsyncDisposableStack();
  for (const [at, keys] of ['k', 'other', 'k'].entries()) {
    const log = folders.use(
      await openDatabaseLog(databases, folders.use(temporaryDirectory()).path, { nodeName: `node-${at + 1}` }),
    );
    folders.use(log.announce(() => ({ modelVersion: 'm', listsVersion: '', prints: { ...PRINTS, keys } })));
  }
  await until(async () => (await onDatabase(operator, readNodes)).every(({ prints }) => prints['keys'] !== undefined));
  const differs = (await onDatabase(operator, readNodes)).map((node) => [node.name, node.differs]);
  expect(differs).toEqual([
    ['node-1', []],
    ['node-2', ['keys']],
    ['node-3', []],
  ]);
  expect(await onDatabase(operator, (connection) => removeNode(connection, 'node-2'))).toBe('alive');
  expect(await onDatabase(operator, (connection) => removeNode(connection, 'node-9'))).toBe('unknown');
  await folders.disposeAsync();
  await age('node-2', '2 minutes');
  expect(await onDatabase(operator, (connection) => removeNode(connection, 'node-2'))).toBe('removed');
  await age('node-1', '6 days 23 hours');
  await age('node-3', '7 days 1 minute');
  await forgetNodes({ urls: { public: [databases.url('public', 'node')], private: [] }, dataDir: '' });
  expect((await onDatabase(operator, readNodes)).map(({ name }) => name)).toEqual(['node-1']);
});
