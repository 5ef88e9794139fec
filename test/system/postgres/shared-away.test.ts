import { afterAll, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '#src/core/base/clock.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { followShared } from '#src/parts/fleet/shared/follow-shared.ts';
import { type LastSync, readLastSync } from '#src/parts/fleet/shared/last-sync.ts';
import { onFleet, syncShared } from '#src/parts/fleet/shared/sync-shared.ts';
import { SHARED_SETS } from '#src/parts/fleet/shared-sets.ts';
import { onDatabase } from '#src/parts/postgres/examine-server.ts';
import { openPostgresLog } from '#src/parts/postgres/postgres-log.ts';
import { lurecheck } from '#test/support/executable.ts';
import { startPostgres } from '#test/support/postgres.ts';
import { untilSeen } from '#test/support/until.ts';
import { openFleet } from './shared-fleet.ts';

const server = await startPostgres();
afterAll(() => server[Symbol.asyncDispose]());

const BRANDS = '{"version":1,"brands":[{"name":"Nordwerk","domains":["nordwerk.example"],"pages":[]}]}';

async function openPlace() {
  const fleet = await openFleet(server);
  const { url } = fleet.databases;
  const place = (dataDir: string) => ({
    ...{ dataDir, clientKey, changedBy: 'test' },
    urls: { public: [url('public', 'node')], private: [url('private', 'node')] },
  });
  const clientKey = randomBytes(32);
  return { ...fleet, place };
}

test('a node that cannot follow the fleet for a minute reports that until it can', async () => {
  await using fleet = await openPlace();
  const place = fleet.place(fleet.folder());
  const told: string[] = [];
  const logger = createLogger('info', (line) => told.push(line));
  const opening = { ...place, nodeName: 'one', timeoutMs: 1000, spoolRows: 0, clock: systemClock, logger };
  await using databases = await openPostgresLog({ ...opening, access: 'read' });
  await server.stop();
  let nowMs = 0;
  const clock = { monotonicMs: () => nowMs };
  const looked: string[] = [];
  const reload = (name: string) => Promise.resolve(looked.push(name));
  await using followed = await followShared([SHARED_SETS.brands], place, { databases, clock, logger, reload });
  expect(followed.notices()).toEqual([]);
  nowMs = 59_999;
  expect(followed.notices()).toEqual([]);
  nowMs = 60_000;
  expect(followed.notices()).toHaveLength(1);
  await server.start();
  await untilSeen('the end of the notice', () => followed.notices().length === 0);
  const events = told.map((line) => JSON.parse(line)).filter(({ event }) => event === 'fleet.not_read');
  expect(events).toMatchObject([
    { name: 'versions', problem: 'the database cannot be reached', state: expect.stringMatching(/^ERR_POSTGRES_/) },
  ]);
  const desk = fleet.place(fleet.folder());
  writeFileSync(join(desk.dataDir, 'brands.json'), BRANDS);
  await onFleet({ ...desk, clientKey: place.clientKey }, 'brands', (at) => syncShared(SHARED_SETS.brands, at));
  await untilSeen('the brands', () => looked.length > 0);
  expect(looked).toEqual(['brands']);
});

test('refuses a change based on a version that another node has replaced meanwhile', async () => {
  await using fleet = await openPlace();
  const [one, two] = [fleet.place(fleet.folder()), fleet.place(fleet.folder())];
  const sync = (place: typeof one, base?: LastSync | null) =>
    onFleet(place, 'brands', (at) => syncShared(SHARED_SETS.brands, at, base));
  const write = ({ dataDir }: typeof one, name: string) =>
    writeFileSync(join(dataDir, 'brands.json'), BRANDS.replace('Nordwerk', name));
  write(one, 'First');
  await sync(one);
  await sync(two);
  const base = readLastSync(one.dataDir)['brands'] ?? null;
  write(two, 'Second');
  await sync(two);
  // The service of this node takes it up while a command is about to write.
  await sync(one);
  write(one, 'Third');
  const { did, aside } = await sync(one, base);
  expect(did).toBe('adopted');
  const textIn = (folder: string) => readFileSync(join(folder, 'brands.json'), 'utf8');
  expect(textIn(aside ?? '')).toContain('Third');
  expect(textIn(one.dataDir)).toContain('Second');
  // Likewise without such a base, if the database is ahead.
  write(two, 'Fourth');
  await sync(two);
  write(one, 'Fifth');
  expect(await sync(one)).toMatchObject({ did: 'adopted', aside: join(one.dataDir, 'before-fleet/brands-3') });
  expect(await sync(one)).toEqual({ did: 'nothing', aside: null });
});

test('publishes no damaged file, and adopts no damaged content', async () => {
  await using fleet = await openPlace();
  const [one, two] = [fleet.place(fleet.folder()), fleet.place(fleet.folder())];
  const sync = (place: typeof one) => onFleet(place, 'brands', (at) => syncShared(SHARED_SETS.brands, at));
  writeFileSync(join(one.dataDir, 'brands.json'), 'garbage');
  await expect(sync(one)).rejects.toThrow('damaged');
  expect(await sync(two)).toEqual({ did: 'nothing', aside: null });
  writeFileSync(join(one.dataDir, 'brands.json'), BRANDS);
  expect(await sync(one)).toEqual({ did: 'published', aside: null });
  await onDatabase(fleet.databases.url('public', 'owner'), ({ sql }) =>
    sql.unsafe('update shared_documents set content = set_byte(content, 40, get_byte(content, 40) # 1)'),
  );
  await expect(sync(two)).rejects.toThrow('cannot be decrypted');
  expect(existsSync(join(two.dataDir, 'brands.json'))).toBe(false);
});

test('adopts no file with a damaged or missing part, and keeps the local one', async () => {
  await using fleet = await openPlace();
  const [one, two] = [fleet.place(fleet.folder()), fleet.place(fleet.folder())];
  const sync = (place: typeof one) => onFleet(place, 'lists', (at) => syncShared(SHARED_SETS.lists, at));
  const add = async (entry: string) => {
    const { exitCode, stderr } = await lurecheck(['lists', 'add', 'ours', entry, '--data-dir', one.dataDir]);
    if (exitCode !== 0) throw new Error(stderr);
    await sync(one);
  };
  const asOwner = (statement: string) =>
    onDatabase(fleet.databases.url('public', 'owner'), async ({ sql }) => void (await sql.unsafe(statement)));
  const state = () => readFileSync(join(two.dataDir, SHARED_SETS.lists.path), 'utf8');
  await add('first.example');
  await sync(two);
  const before = state();
  await add('second.example');
  await asOwner('create table backup as select * from shared_files');
  await asOwner('update shared_files set content = set_byte(content, 40, get_byte(content, 40) # 1)');
  await expect(sync(two)).rejects.toThrow('cannot be decrypted');
  await asOwner('delete from shared_files');
  await expect(sync(two)).rejects.toThrow('is missing in the database');
  expect(state()).toBe(before);
  await asOwner('insert into shared_files select * from backup');
  expect((await sync(two)).did).toBe('adopted');
  expect(state()).toBe(readFileSync(join(one.dataDir, SHARED_SETS.lists.path), 'utf8'));
});
