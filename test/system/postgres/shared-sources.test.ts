import { afterAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onDatabase } from '#src/parts/postgres/examine-server.ts';
import { lurecheck } from '#test/support/executable.ts';
import { startPostgres } from '#test/support/postgres.ts';
import { reload } from '#test/support/reload.ts';
import { type Service, startService } from '#test/support/service.ts';
import { untilSeen } from '#test/support/until.ts';
import { openFleet } from './shared-fleet.ts';

const server = await startPostgres();
afterAll(() => server[Symbol.asyncDispose]());

const importsOf = (node: Service) => node.events().filter(({ event }) => event === 'lists.source_imported').length;

test('one of the nodes with a list source imports it for all, and another node takes over if that one is silent', async () => {
  await using fleet = await openFleet(server);
  const file = join(fleet.folder(), 'feed.txt');
  writeFileSync(file, 'first.example\n');
  const start = (name: string) =>
    startService(fleet.folder(), [...fleet.flagsOf('node'), '--node-name', name, '--list-sources', `feed=${file}`]);
  await using one = await start('one');
  await using two = await start('two');
  const blocked = async (host: string, nodes: readonly Service[]) => {
    for (const node of nodes)
      await untilSeen(host, async () => (await node.result(`http://${host}/`)).decision === 'block');
  };
  const reloadBoth = () => Promise.all([one, two].map(reload));
  await blocked('first.example', [one, two]);
  await reloadBoth();
  expect([importsOf(one), importsOf(two)]).toEqual([1, 0]);
  writeFileSync(file, 'second.example\n');
  await reloadBoth();
  await blocked('second.example', [one, two]);
  expect([importsOf(one), importsOf(two)]).toEqual([2, 0]);
  const history = await lurecheck(['lists', 'history', '--data-dir', fleet.folder(), ...fleet.flagsOf('operator')]);
  expect(history.stdout.trim().split('\n')).toHaveLength(2);
  expect([one, two].flatMap((node) => node.events()).filter(({ event }) => event === 'fleet.set_aside')).toEqual([]);

  await one.kill();
  writeFileSync(file, 'third.example\n');
  await reload(two);
  expect(importsOf(two)).toBe(0);
  await onDatabase(fleet.databases.url('public', 'owner'), ({ sql }) =>
    sql.unsafe("update jobs set due_at = now() - interval '4 minutes' where name = 'list_sources'"),
  );
  await reload(two);
  await blocked('third.example', [two]);
  expect(importsOf(two)).toBe(1);
});
