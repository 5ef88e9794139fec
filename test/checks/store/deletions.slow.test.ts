import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import type { CheckRecord } from '#src/checks/record/check-record.ts';
import { BLOCK_CHECKS } from '#src/checks/store/domains/block.ts';
import type { LocalLog } from '#src/checks/store/local-log.ts';
import { EVERY_CHECK } from '#src/checks/store/read/check-filter.ts';
import { requestIdBytes } from '#src/core/base/request-id.ts';
import { VISIBILITIES, type Visibility } from '#src/core/base/visibility.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { filesWith, filesWithAny, logsWith } from './files-of.ts';
import { openLog } from './open-log.ts';
import { expectSound } from './sound.ts';

const START_MS = Date.UTC(2026, 0, 1);
const WORD = 'zx81qqtrace';

/** Logs `count` checks, a millisecond apart, each third of them of a host under the word. */
async function fill(log: LocalLog, visibility: Visibility, count: number, from = 0): Promise<CheckRecord[]> {
  const records = Array.from({ length: count }, (_, i) =>
    sampleRecord({
      visibility,
      url: i % 3 === 0 ? `https://h${i % 50}.${WORD}.example/${WORD}/` : `https://h${i % 50}.kept.example/`,
      atMs: START_MS + from + i,
      result: { decision: i % 2 === 0 ? 'block' : 'allow' },
      details: { page: { title: 'a title '.repeat(i % 60), forms: [] } },
    }),
  );
  await Promise.all(records.map((record) => log.append(record)));
  return records;
}

async function hostsIn(log: LocalLog, visibility: Visibility): Promise<string[]> {
  return (await Array.fromAsync(log.read(visibility, EVERY_CHECK))).map(({ result }) => new URL(result.url).hostname);
}

async function expectBothSound(directory: string): Promise<void> {
  for (const visibility of VISIBILITIES) expectSound(`${directory}/${visibility}.sqlite`);
  await using log = await openLog(directory);
  expect(log.notices()).toEqual([]);
}

test.each(VISIBILITIES)(
  'deleting a domain removes it and its hosts from the %s log and every file',
  async (visibility) => {
    await using directory = temporaryDirectory();
    {
      await using log = await openLog(directory.path);
      for (const each of VISIBILITIES) await fill(log, each, 600);
      expect(logsWith(directory.path, WORD)).toEqual(['private.sqlite', 'public.sqlite']);
      const meant = { by: 'domain', wanted: `${WORD}.example` } as const;
      expect(log.deletions.count(visibility, meant)).toBe(200);
      const id = log.deletions.ask(visibility, meant);
      expect(log.deletions.find(visibility, id)).toMatchObject({ ...meant, removed: 0, doneAtMs: null });
      expect(await log.deletions.finish(visibility)).toMatchObject([{ id, removed: 200, wanted: null }]);
      expect(log.deletions.count(visibility, meant)).toBe(0);
      const other = visibility === 'public' ? 'private' : 'public';
      expect([await hostsIn(log, visibility), await hostsIn(log, other)].map(({ length }) => length)).toEqual([
        400, 600,
      ]);
      expect(filesWith(directory.path, WORD).filter((name) => name.startsWith(visibility))).toEqual([]);
    }
    await expectBothSound(directory.path);
  },
);

test('deleting a check by id removes its counts', async () => {
  await using directory = temporaryDirectory();
  {
    await using log = await openLog(directory.path);
    const [first, second] = await fill(log, 'public', 2);
    const wanted = first?.result.request_id ?? '';
    log.deletions.ask('public', { by: 'id', wanted });
    expect(await log.deletions.finish('public')).toMatchObject([{ removed: 1 }]);
    expect(await log.find('public', wanted)).toBeNull();
    expect((await log.page({ ...EVERY_CHECK, limit: 9, cursor: null })).items.map((item) => item.request_id)).toEqual([
      second?.result.request_id ?? '',
    ]);
    expect(filesWith(directory.path, WORD)).toEqual([]);
  }
  await expectBothSound(directory.path);
});

test('deleting by time removes earlier checks in any log order, and keeps later ones', async () => {
  await using directory = temporaryDirectory();
  {
    await using log = await openLog(directory.path);
    await fill(log, 'private', 500, 1000);
    await fill(log, 'private', 500, 0);
    const moment = new Date(START_MS + 700).toISOString();
    log.deletions.ask('private', { by: 'before', wanted: moment });
    const during = log.deletions.finish('private');
    await fill(log, 'private', 100, 600);
    expect(await during).toMatchObject([{ removed: 500, wanted: moment }]);
    // What was logged after the word was given is not meant by it.
    expect(await hostsIn(log, 'private')).toHaveLength(600);
  }
  await expectBothSound(directory.path);
});

test('the domain index stays correct wherever checks are deleted', async () => {
  await using directory = temporaryDirectory();
  {
    await using log = await openLog(directory.path);
    const records = await fill(log, 'public', BLOCK_CHECKS + 10);
    const remove = async (...some: (CheckRecord | undefined)[]) => {
      for (const one of some) log.deletions.ask('public', { by: 'id', wanted: one?.result.request_id ?? '' });
      await log.deletions.finish('public');
      expectSound(`${directory.path}/public.sqlite`);
    };
    await remove(records[0], records[1000], records[BLOCK_CHECKS - 2], records[BLOCK_CHECKS - 1]);
    await remove(...records.slice(-12));
    // Ids go on behind those that are gone, over the end of a block that has lost its last checks.
    await fill(log, 'public', 5, 5000);
    await remove(records[BLOCK_CHECKS - 5]);
    await fill(log, 'public', 2 * BLOCK_CHECKS, 10_000);
    log.deletions.ask('public', { by: 'before', wanted: new Date(START_MS + 10_000).toISOString() });
    await log.deletions.finish('public');
    log.deletions.ask('public', { by: 'domain', wanted: 'example' });
    await log.deletions.finish('public');
    expect(await hostsIn(log, 'public')).toEqual([]);
    await fill(log, 'public', 2 * BLOCK_CHECKS, 20_000);
    expect(await hostsIn(log, 'public')).toHaveLength(2 * BLOCK_CHECKS);
  }
  await expectBothSound(directory.path);
});

test('the record of deletions is append-only, with number and time but without site or check', async () => {
  await using directory = temporaryDirectory();
  await using log = await openLog(directory.path, { clock: { now: () => START_MS, monotonicMs: () => 0 } });
  const [first] = await fill(log, 'private', 10);
  const words = [
    { by: 'domain', wanted: `${WORD}.example` },
    { by: 'id', wanted: first?.result.request_id ?? '' },
    { by: 'before', wanted: '2026-01-01T00:00:00.004Z' },
  ] as const;
  for (const meant of words) log.deletions.ask('private', meant);
  await log.deletions.finish('private');
  const line = (i: number, removed: number, wanted: string | null) => ({
    id: i + 1,
    askedAtMs: START_MS,
    by: words[i]?.by,
    wanted,
    wantedHash: log.deletions.hashOf(words[i]?.wanted ?? ''),
    newestId: 10,
    removed,
    doneAtMs: START_MS,
  });
  expect<unknown>(log.deletions.all('private')).toEqual([
    line(0, 4, null),
    line(1, 0, null),
    line(2, 2, '2026-01-01T00:00:00.004Z'),
  ]);
  expect(log.deletions.all('public')).toEqual([]);
  expect(filesWith(directory.path, WORD)).toEqual([]);
  expect(filesWithAny(directory.path, [Buffer.from(words[1].wanted), requestIdBytes(words[1].wanted)])).toEqual([]);
  using database = new Database(`${directory.path}/private.sqlite`);
  for (const change of ['delete from deletions', 'update deletions set removed = 0']) {
    expect(() => database.run(change)).toThrow('stays on record');
  }
});

test('a reader requests a deletion, and the server performs it', async () => {
  await using directory = temporaryDirectory();
  await using log = await openLog(directory.path);
  await fill(log, 'public', 30);
  await using beside = await openLog(directory.path, { access: 'read' });
  const id = beside.deletions.ask('public', { by: 'domain', wanted: 'kept.example' });
  await expect(beside.deletions.finish('public')).rejects.toThrow('Only the process that serves');
  await log.deletions.finish('public');
  expect(beside.deletions.find('public', id)).toMatchObject({ removed: 20, doneAtMs: expect.any(Number) });
  expect(await hostsIn(beside, 'public')).toHaveLength(10);
});
