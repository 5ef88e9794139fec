import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { closeSync, openSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { CheckRecord } from '#src/checks/record/check-record.ts';
import { openLogFile } from '#src/checks/store/file/log-file.ts';
import { EVERY_CHECK } from '#src/checks/store/read/check-filter.ts';
import { prepareDelete, type Removal } from '#src/checks/store/upkeep/delete-checks.ts';
import { eraseSteps, PAGES_PER_STEP, ROWS_PER_STEP } from '#src/checks/store/upkeep/eraser.ts';
import { removalUpTo } from '#src/checks/store/upkeep/maintenance.ts';
import { findResidue } from '#src/checks/store/upkeep/residue.ts';
import { prepareInsert } from '#src/checks/store/write/insert-checks.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { filesOf, filesWith } from './files-of.ts';
import { longUrls } from './long-urls.ts';
import { openLog } from './open-log.ts';
import { expectSound } from './sound.ts';

const DAY_MS = 24 * 3_600_000;
const START_MS = Date.UTC(2026, 0, 1);
const WORD = 'zx81qqtrace';

test.each(['public', 'private'] as const)('a purge leaves no trace of a %s check in any file', async (visibility) => {
  await using directory = temporaryDirectory();
  await using log = await openLog(directory.path);
  const padding = 'a long page title '.repeat(400);
  for (let round = 0; round < 20; round++) {
    await Promise.all(
      Array.from({ length: 100 }, (_, i) => {
        const number = round * 100 + i;
        return log.append(
          sampleRecord({
            visibility,
            url: `https://${WORD}${number % 37}.host${number}.example/${WORD}/`,
            atMs: START_MS + ((number * 7919) % 2000) * 60_000,
            details: { page: { title: `${WORD} ${padding.slice(0, (number * 31) % 7000)}`, forms: [] } },
            result: { decision: number % 3 === 0 ? 'block' : 'allow' },
          }),
        );
      }),
    );
  }
  const kept = sampleRecord({ visibility, atMs: START_MS + 10 * DAY_MS });
  await log.append(kept);
  expect(filesWith(directory.path, WORD)).not.toEqual([]);
  expect(await log.purge(visibility, START_MS + 5 * DAY_MS)).toBe(2000);
  expect((await Array.fromAsync(log.read(visibility, EVERY_CHECK))).map(({ result }) => result.request_id)).toEqual([
    kept.result.request_id,
  ]);
  expect(filesWith(directory.path, WORD)).toEqual([]);
});

test('a purge leaves no trace between the remaining rows', async () => {
  await using directory = temporaryDirectory();
  await using log = await openLog(directory.path);
  for (let i = 0; i < 1500; i++) {
    const [word, atMs] = i < 750 ? [WORD, START_MS + i] : ['kept', START_MS + DAY_MS + i];
    // In the index of domains one lies between two of the others.
    void log.append(sampleRecord({ url: `https://${i % 750}.${word}.example/`, atMs }));
  }
  await log.append(sampleRecord({ atMs: START_MS + DAY_MS }));
  expect(await log.purge('public', START_MS + DAY_MS)).toBe(750);
  expect(filesWith(directory.path, WORD)).toEqual([]);
  expect(await Array.fromAsync(log.read('public', { ...EVERY_CHECK, domain: 'example' }))).toHaveLength(750);
});

test('a purge leaves nothing in the pages of remaining rows', async () => {
  await using directory = temporaryDirectory();
  await using log = await openLog(directory.path);
  for (let i = 0; i < 2000; i++) {
    const url = `https://${(i * 7919) % 2003}.${WORD}${i % 3}.example/`;
    void log.append(sampleRecord({ url, atMs: START_MS + i, result: { decision: i % 2 ? 'block' : 'allow' } }));
    if (i % 50 === 49) await log.append(sampleRecord({ atMs: START_MS + i }));
  }
  expect(await log.purge('public', START_MS + 1000)).toBe(1020);
  const copy = `${directory.path}/copy`;
  Bun.spawnSync(['cp', `${directory.path}/public.sqlite`, copy]);
  expect(pagesWithRemains(copy)).toEqual([]);
  expectSound(copy);
});

function pagesWithRemains(path: string): number[] {
  const descriptor = openSync(path, 'r');
  const found: number[] = [];
  for (let page: number | null = 1; page !== null; ) {
    const { pages, nextPage } = findResidue(descriptor, page);
    found.push(...pages);
    page = nextPage;
  }
  closeSync(descriptor);
  return found;
}

test('a purge removes the complete and partial copies of an upgrade', async () => {
  await using directory = temporaryDirectory();
  await using log = await openLog(directory.path);
  await log.append(sampleRecord({ visibility: 'private', url: `https://${WORD}.example/`, atMs: START_MS }));
  log.backUp('private', `${directory.path}/private.sqlite.schema-1.backup`);
  log.backUp('private', `${directory.path}/private.sqlite.schema-1.backup.partial-4711`);
  await log.purge('private', START_MS + DAY_MS);
  expect(filesWith(directory.path, WORD)).toEqual([]);
});

test('keeps checks that were logged after a retained check, whatever their date', async () => {
  await using directory = temporaryDirectory();
  await using log = await openLog(directory.path);
  const years = [0, 0, 20, 0, 2, 0, 20, 2];
  for (const [i, year] of years.entries()) {
    await log.append(sampleRecord({ url: `https://n${i}.example/`, atMs: START_MS + (year - 2) * 365 * DAY_MS + i }));
  }
  expect(await log.purge('public', START_MS - DAY_MS)).toBe(4);
  const kept = (await Array.fromAsync(log.read('public', EVERY_CHECK))).map(
    ({ result }) => new URL(result.url).hostname,
  );
  expect(kept.toSorted()).toEqual(['n4.example', 'n5.example', 'n6.example', 'n7.example']);
});

test('only the process that serves the data directory purges', async () => {
  await using directory = temporaryDirectory();
  await using beside = await openLog(directory.path, { access: 'append' });
  await beside.append(sampleRecord({ atMs: START_MS }));
  await expect(beside.purge('public', START_MS + DAY_MS)).rejects.toThrow('Only the process that serves');
  expect(await Array.fromAsync(beside.read('public', EVERY_CHECK))).toHaveLength(1);
});

test('stores checks that arrive during a purge', async () => {
  await using directory = temporaryDirectory();
  await using log = await openLog(directory.path);
  await Promise.all(Array.from({ length: 500 }, (_, i) => log.append(sampleRecord({ atMs: START_MS + i }))));
  const purged = log.purge('public', START_MS + DAY_MS);
  const meanwhile = Array.from({ length: 50 }, (_, i) => log.append(sampleRecord({ atMs: START_MS + DAY_MS + i })));
  expect(await purged).toBe(500);
  await Promise.all(meanwhile);
  expect(await Array.fromAsync(log.read('public', EVERY_CHECK))).toHaveLength(50);
});

test('a follower of a log that a purge empties gets later checks', async () => {
  await using directory = temporaryDirectory();
  await using log = await openLog(directory.path);
  const append = async (record: CheckRecord) => {
    await log.append(record);
    return record.result.request_id;
  };
  for (let i = 0; i < 3; i++) await append(sampleRecord({ atMs: START_MS + i }));
  const tail = await log.tail('public', EVERY_CHECK);
  expect(await log.purge('public', START_MS + DAY_MS)).toBe(3);
  const after = [await append(sampleRecord()), await append(sampleRecord())];
  expect((await tail.next()).map(({ result }) => result.request_id)).toEqual(after);
});

test('a list begun before a purge contains no later check, whatever the clock shows', async () => {
  await using directory = temporaryDirectory();
  await using log = await openLog(directory.path);
  for (let i = 0; i < 3; i++) await log.append(sampleRecord({ atMs: START_MS + i }));
  const page = { ...EVERY_CHECK, limit: 1 };
  const { next_cursor } = await log.page({ ...page, cursor: null });
  expect(await log.purge('public', START_MS + DAY_MS)).toBe(3);
  await log.append(sampleRecord({ atMs: START_MS - DAY_MS }));
  expect(next_cursor).not.toBeNull();
  expect(await log.page({ ...page, cursor: next_cursor })).toEqual({ items: [], next_cursor: null });
});

test('the next purge completes a killed one', async () => {
  await using directory = temporaryDirectory();
  const path = `${directory.path}/public.sqlite`;
  await using log = await openLog(directory.path);
  const details = { unwrapped_urls: longUrls(50) };
  await Promise.all(Array.from({ length: 20 }, (_, i) => log.append(sampleRecord({ atMs: START_MS + i, details }))));
  const length = () => filesOf(directory.path).get('public.sqlite')?.length ?? 0;
  {
    using other = new Database(path);
    other.run('pragma secure_delete = on');
    other.run('delete from check_domains');
    other.run('delete from checks');
    expect(other.query('pragma freelist_count').values()[0]?.[0]).toBeGreaterThan(10);
    other.query('pragma wal_checkpoint(truncate)').all();
  }
  const before = length();
  await writeFile(`${path}.forgetting`, '');
  expect(await log.purge('public', START_MS + DAY_MS)).toBe(0);
  expect(length()).toBeLessThan(before / 2);
  expect([...filesOf(directory.path).keys()]).not.toContain('public.sqlite.forgetting');
});

test('a purge runs in steps of a bounded number of checks and pages', async () => {
  await using directory = temporaryDirectory();
  using log = openLogFile({
    dataDir: directory.path,
    visibility: 'public',
    create: true,
    repair: true,
    nowMs: START_MS,
    logger: createLogger('error', () => {}),
  });
  const insert = prepareInsert(log, () => Buffer.alloc(32));
  const page = (i: number) => ({ title: 'a long title '.repeat((i * 7) % 900), forms: [] });
  const records = Array.from({ length: 1000 }, (_, i) =>
    sampleRecord({ url: `https://host${i}.example/`, atMs: START_MS + i, details: { page: page(i) } }),
  );
  log.database.transaction(() => insert(records)).immediate();
  const walPages = (mode: 'noop' | 'truncate') =>
    log.database.query<{ log: number }, []>(`pragma wal_checkpoint(${mode})`).get()?.log ?? 0;
  walPages('truncate');
  const steps = [];
  for (const step of eraseSteps(log, removalUpTo(900))) {
    steps.push({ ...step, written: walPages('noop') });
    walPages('truncate');
  }
  expect(steps.reduce((sum, { rows }) => sum + rows, 0)).toBe(900);
  expect(Math.max(...steps.map(({ rows }) => rows))).toBeLessThanOrEqual(ROWS_PER_STEP);
  expect(Math.max(...steps.map(({ pages }) => pages))).toBeLessThanOrEqual(PAGES_PER_STEP);
  // A page that is moved takes along those that point to it, and a row its entries in the indexes.
  expect(Math.max(...steps.map(({ written }) => written))).toBeLessThan(4 * PAGES_PER_STEP);
  expect(log.database.query('pragma freelist_count').values()).toEqual([[0]]);
});

test('checks are reported as removed once that is committed, and not if it is rolled back', async () => {
  await using directory = temporaryDirectory();
  const removed: string[] = [];
  using log = openLogFile({
    ...{ dataDir: directory.path, visibility: 'public', create: true, repair: true, nowMs: START_MS },
    logger: createLogger('error', () => {}),
    onRemoved: (requestIds) => {
      expect(log.database.inTransaction).toBe(false);
      removed.push(...requestIds);
    },
  });
  const records = [1, 2].map((number) => sampleRecord({ url: `https://${number}.example/` }));
  log.database.transaction(() => prepareInsert(log, () => Buffer.alloc(32))(records)).immediate();
  const failing: Removal = {
    prepare: (file) => {
      const remove = prepareDelete(file);
      return () => {
        remove([1]);
        throw new Error('disk full');
      };
    },
    takes: () => true,
  };
  expect(() => eraseSteps(log, failing).next()).toThrow('disk full');
  expect(removed).toEqual([]);
  for (const _ of eraseSteps(log, removalUpTo(2)));
  expect(removed).toEqual(records.map(({ result }) => result.request_id));
});
