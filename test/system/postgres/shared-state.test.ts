import { afterAll, expect, test } from 'bun:test';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onDatabase } from '#src/parts/postgres/examine-server.ts';
import { lurecheck } from '#test/support/executable.ts';
import { packDesk, STRICT } from '#test/support/pack-desk.ts';
import { startPostgres } from '#test/support/postgres.ts';
import { type Service, startService } from '#test/support/service.ts';
import { untilSeen } from '#test/support/until.ts';
import { openFleet } from './shared-fleet.ts';

const server = await startPostgres();
afterAll(() => server[Symbol.asyncDispose]());

const decisionAt = async (node: Service, host: string) => (await node.result(`https://${host}/`)).decision;
const modelAt = async (node: Service) => (await node.result('https://a.example/')).analysis_details.model_version;

test('lists, brands, packs and the model belong to the fleet, and survive without its database', async () => {
  await using fleet = await openFleet(server);
  const { flagsOf, databases } = fleet;
  const run = async (dataDir: string, role: 'node' | 'operator' | null, ...words: string[]) => {
    const flags = role === null ? [] : flagsOf(role);
    const { exitCode, stdout, stderr } = await lurecheck([...words, '--data-dir', dataDir, ...flags]);
    if (exitCode !== 0) throw new Error(`${words.join(' ')}: ${stderr}`);
    return stdout;
  };
  const start = (dataDir: string, name: string) => startService(dataDir, [...flagsOf('node'), '--node-name', name]);
  const asOwner = (statement: string) =>
    onDatabase(databases.url('public', 'owner'), async ({ sql }) => Array.from<object>(await sql.unsafe(statement)));
  const [one, two, three, desk] = [fleet.folder(), fleet.folder(), fleet.folder(), fleet.folder()];
  // What the nodes had before: the first one's is that of the fleet.
  await run(one, null, 'lists', 'add', 'ours', 'seeded.example');
  await run(two, null, 'lists', 'add', 'theirs', 'other.example');
  await using first = await start(one, 'one');
  await using second = await start(two, 'two');
  const everywhere = (host: string, isBlocked = true) =>
    untilSeen(`${isBlocked ? '' : 'not '}blocked: ${host}`, async () => {
      const decisions = await Promise.all([first, second].map((node) => decisionAt(node, host)));
      return decisions.every((one) => (one === 'block') === isBlocked);
    });
  // A start awaits the fleet: its first answer goes by its lists.
  expect(await decisionAt(second, 'seeded.example')).toBe('block');
  expect(await decisionAt(second, 'other.example')).not.toBe('block');
  expect(await run(join(two, 'before-fleet/lists-1'), null, 'lists', 'show', 'theirs')).toContain('other.example');

  const listed = join(fleet.folder(), 'many.txt');
  writeFileSync(listed, Array.from({ length: 60_000 }, (_, at) => `n${at}-${Bun.hash(`${at}`)}.example\n`).join(''));
  await run(desk, 'operator', 'lists', 'import', 'many', listed, '--yes');
  await everywhere(`n59999-${Bun.hash('59999')}.example`);
  await run(two, 'node', 'lists', 'remove', 'many');
  await everywhere(`n59999-${Bun.hash('59999')}.example`, false);
  await run(desk, 'operator', 'lists', 'rollback');
  await everywhere(`n59999-${Bun.hash('59999')}.example`);

  await run(two, 'node', 'brand', 'add', 'Nordwerk', '--domain', 'nordwerk.example');
  await untilSeen('the brand', async () => (await run(one, null, 'brand', 'list')).includes('Nordwerk'));

  const publisher = packDesk(fleet.folder());
  const acme = publisher.keyFile('acme');
  const pack = await publisher.build({}, { 'lists/block/acme.txt': 'packed.example\n' });
  await run(
    one,
    'node',
    'pack',
    'trust',
    join(pack, '..', 'acme.pem'),
    '--fingerprint',
    acme.fingerprint.slice(0, 20),
    '--name',
    'acme',
  );
  await run(desk, 'operator', 'pack', 'install', pack, '--yes');
  await everywhere('packed.example');
  expect(await run(two, null, 'pack', 'keys')).toContain(acme.fingerprint);

  const model = join(fleet.folder(), 'strict');
  mkdirSync(model);
  for (const [path, content] of Object.entries(STRICT)) writeFileSync(join(model, path.slice(6)), content);
  await run(one, 'node', 'model', 'use', model);
  await untilSeen('the model', async () => (await modelAt(second)).startsWith('strict-'));

  const outcome = { finished_at: '2026-03-03T03:05:00.000Z', judged: 7, changes: [], graver: [] };
  writeFileSync(join(one, 'rescored.json'), JSON.stringify(outcome));
  await untilSeen('the outcome of a night', async () =>
    (await (await fetch(`${second.url}/api/stats`)).text()).includes('"judged":7'),
  );

  // The content is not to be read in the database.
  const rows = await asOwner('select content from shared_documents union all select content from shared_files');
  expect(JSON.stringify(rows)).not.toContain(Buffer.from('seeded.example').toString('hex'));
  expect(rows.length).toBeGreaterThan(6);

  // What no document names goes after a day, and nothing else.
  await asOwner("insert into shared_files (id, part, content) values ('stray', 0, '')");
  await asOwner("update shared_files set touched_at = now() - interval '25 hours'");
  await asOwner('select forget_shared_files()');
  expect(await asOwner("select from shared_files where id = 'stray'")).toEqual([]);
  expect(await run(fleet.folder(), 'operator', 'lists', 'show', 'many')).toContain('60000');

  // Without its database, each node goes on, and what is changed there is published later.
  await server.stop();
  await expect(run(desk, 'operator', 'lists', 'add', 'ours', 'lost.example')).rejects.toThrow('cannot be used');
  expect(await decisionAt(second, 'packed.example')).toBe('block');
  await run(one, null, 'lists', 'add', 'ours', 'meanwhile.example');
  await using third = await start(three, 'three');
  await server.start();
  await everywhere('meanwhile.example');
  await untilSeen('the third node', async () => (await decisionAt(third, 'meanwhile.example')) === 'block');

  // A database that was restored from a backup gets what the nodes have.
  await asOwner("create table backup as select * from shared_documents where name = 'lists'");
  await run(desk, 'operator', 'lists', 'add', 'ours', 'newest.example');
  await everywhere('newest.example');
  await asOwner(
    'update shared_documents d set version = b.version, content = b.content, print = b.print, files = b.files from backup b where d.name = b.name',
  );
  await untilSeen('the newer lists', async () => {
    const newer = await asOwner(
      'select from shared_documents d join backup b using (name) where d.version > b.version',
    );
    return newer.length > 0;
  });
  await untilSeen('the newest', async () => (await decisionAt(third, 'newest.example')) === 'block');
  await everywhere('newest.example');
  expect(existsSync(join(two, 'before-fleet/lists-2'))).toBe(false);
  const events = [first, second, third].flatMap((node) => node.events().map(({ event }) => event));
  expect(events).toContain('fleet.database_older');
});
