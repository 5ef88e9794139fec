import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import type { CheckRecord } from '#src/checks/record/check-record.ts';
import { BLOCK_CHECKS, bucketOf, cellKey, domainHash, idsInCell } from '#src/checks/store/domains/block.ts';
import { indexedSuffixes } from '#src/checks/store/domains/host-suffixes.ts';
import { gatherEntries } from '#src/checks/store/domains/index-block.ts';
import type { LocalLog } from '#src/checks/store/local-log.ts';
import { type CheckFilter, EVERY_CHECK } from '#src/checks/store/read/check-filter.ts';
import type { ScanLog } from '#src/checks/store/scan-log.ts';
import { hostOf } from '#src/core/url/host.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { openLog } from './open-log.ts';
import { expectSound } from './sound.ts';

const START_MS = Date.UTC(2026, 0, 1);
const DECISIONS = ['allow', 'warn', 'block'] as const;

/** Common sites, rare ones and some that occur once; now and then a clock that jumped back. */
const recordAt = (i: number): CheckRecord =>
  sampleRecord({
    url: `https://${i % 3 === 0 ? 'www.' : ''}${i % 701 === 0 ? 'rare' : i % 2 === 0 ? `n${i}` : 'common'}.example.${i % 5 === 0 ? 'net' : 'com'}/${i}`,
    atMs: START_MS + (i % 997 === 0 ? (i * 37) % (i + 1) : i) * 1000,
    result: { decision: DECISIONS[(i * i) % 3] ?? 'allow' },
  });

const FILTERS: readonly Partial<CheckFilter>[] = [
  { domain: 'com' },
  { domain: 'example.com', decision: 'block' },
  { domain: 'rare.example.com' },
  { domain: 'rare.example.net', decision: 'allow' },
  { domain: 'n1234.example.com' },
  { domain: 'www.common.example.com', fromMs: START_MS + 1_000_000, untilMs: START_MS + 2_000_000 },
  { domain: 'ample.com' },
];

function expected(
  records: readonly CheckRecord[],
  { domain, decision, fromMs, untilMs }: Partial<CheckFilter>,
): string[] {
  return records
    .filter(({ host, result }) => {
      const atMs = Date.parse(result.timestamp);
      const isInTime = (fromMs ?? atMs) <= atMs && atMs < (untilMs ?? Infinity);
      const isOfDomain = host.text === domain || host.text.endsWith(`.${domain}`);
      return isInTime && isOfDomain && (decision ?? result.decision) === result.decision;
    })
    .map(({ result }) => result.request_id)
    .toSorted()
    .toReversed();
}

async function paged(log: ScanLog, filter: Partial<CheckFilter>, limit: number): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const page = await log.page({ ...EVERY_CHECK, ...filter, limit, cursor });
    ids.push(...page.items.map((item) => item.request_id));
    cursor = page.next_cursor;
  } while (cursor !== null);
  return ids;
}

test('finds a domain by blocks as by scanning every check, before and after a purge', async () => {
  await using directory = temporaryDirectory();
  await using log = await openLog(directory.path);
  const records = Array.from({ length: 2.5 * BLOCK_CHECKS }, (_, i) => recordAt(i));
  for (let done = 0; done < records.length; done += 700) {
    await Promise.all(records.slice(done, done + 700).map((record) => log.append(record)));
  }
  for (const filter of FILTERS) {
    expect([filter, await paged(log, filter, 60)]).toEqual([filter, expected(records, filter)]);
    expect(await paged(log, filter, 500)).toEqual(expected(records, filter));
  }
  const removed = await log.purge('public', START_MS + 1.4 * BLOCK_CHECKS * 1000);
  expect(removed).toBeGreaterThan(BLOCK_CHECKS);
  for (const filter of FILTERS) expect(await paged(log, filter, 60)).toEqual(expected(records.slice(removed), filter));
  expectSound(`${directory.path}/public.sqlite`);
});

/** What may happen to a block between two insertions of a process. */
const MEANWHILE = {
  'another process adds checks': async (directory: string, log: LocalLog, next: () => CheckRecord) => {
    await using other = await openLog(directory, { access: 'append' });
    for (let i = 0; i < 3; i++) await other.append(next());
    await log.append(next());
  },
  'a commit fails': async (directory: string, log: LocalLog, next: () => CheckRecord) => {
    using database = new Database(`${directory}/public.sqlite`, { readwrite: true });
    database.run("create trigger refused after insert on checks begin select raise(rollback, 'refused'); end");
    const lost = sampleRecord({ url: 'https://lost.example.com/', atMs: START_MS });
    await expect(Promise.resolve(log.append(lost))).rejects.toThrow();
    database.run('drop trigger refused');
    await using other = await openLog(directory, { access: 'append' });
    await other.append(next());
  },
  'the newest check is deleted': async (directory: string, log: LocalLog, next: () => CheckRecord) => {
    const gone = sampleRecord({ url: 'https://lost.example.com/', atMs: START_MS });
    await log.append(gone);
    using database = new Database(`${directory}/public.sqlite`, { readwrite: true });
    database.run('delete from checks where id = (select max(id) from checks)');
    await log.append(next());
  },
};

test.each(Object.entries(MEANWHILE))(
  'the index of a block matches the stored checks if %s meanwhile',
  async (_, happens) => {
    await using directory = temporaryDirectory();
    await using log = await openLog(directory.path);
    const records: CheckRecord[] = [];
    const next = () => {
      const record = recordAt(records.length);
      records.push(record);
      return record;
    };
    const append = (count: number) => Promise.all(Array.from({ length: count }, () => log.append(next())));
    await append(1000);
    await happens(directory.path, log, next);
    await append(1.5 * BLOCK_CHECKS);
    for (const filter of FILTERS) expect(await paged(log, filter, 500)).toEqual(expected(records, filter));
    using database = new Database(`${directory.path}/public.sqlite`, { readonly: true });
    const cells = database
      .query<{ cell: number; entries: Uint8Array }, []>('select cell, entries from check_domains')
      .all();
    const lost = domainHash('lost.example.com');
    expect(cells.flatMap(({ entries }) => idsInCell(entries, 0, lost, () => true))).toEqual([]);
  },
);

test('the domain index takes at most 60 bytes per check, and loses the entries of purged checks', async () => {
  await using directory = temporaryDirectory();
  await using log = await openLog(directory.path);
  const records = Array.from({ length: 2 * BLOCK_CHECKS }, (_, i) => recordAt(i));
  for (let done = 0; done < records.length; done += 1000) {
    await Promise.all(records.slice(done, done + 1000).map((record) => log.append(record)));
  }
  const entries = () => {
    using database = new Database(`${directory.path}/public.sqlite`, { readonly: true });
    return database.query<{ entries: Uint8Array }, []>('select entries from check_domains').all();
  };
  const bytes = entries().reduce((sum, cell) => sum + cell.entries.length, 0);
  expect(bytes).toBeGreaterThan(0);
  expect(bytes / records.length).toBeLessThan(60);
  await log.purge('public', START_MS + 365 * 86_400_000);
  expect(entries()).toEqual([]);
});

/** Adds checks of common hosts but for one, 1000 at a time. */
async function appendHosts(log: LocalLog, from: number, to: number, rare: number): Promise<void> {
  for (let done = from; done < to; done += 1000) {
    const numbers = Array.from({ length: Math.min(1000, to - done) }, (_, i) => done + i);
    const records = numbers.map((i) =>
      sampleRecord({
        url: `https://${i === rare ? 'gone.invalid' : 'common.example'}/`,
        atMs: START_MS + i * 1000,
      }),
    );
    await Promise.all(records.map((record) => log.append(record)));
  }
}

function cellsIn(directory: string) {
  using database = new Database(`${directory}/public.sqlite`, { readonly: true });
  return database.query<{ cell: number; entries: Uint8Array }, []>('select cell, entries from check_domains').all();
}

function finishedBlocks(directory: string): number[] {
  using database = new Database(`${directory}/public.sqlite`, { readonly: true });
  const rows = database.query<{ block: number }, []>('select block from domain_blocks order by block').all();
  return rows.map(({ block }) => block);
}

test('a deleted domain leaves no cell of the index behind', async () => {
  await using directory = temporaryDirectory();
  await using log = await openLog(directory.path);
  await appendHosts(log, 0, 2 * BLOCK_CHECKS, 5);
  expect(finishedBlocks(directory.path)).toEqual([0]);
  const before = cellsIn(directory.path).length;
  log.deletions.ask('public', { by: 'domain', wanted: 'gone.invalid' });
  await log.deletions.finish('public');
  expect(cellsIn(directory.path).length).toBeLessThan(before);
  expect(cellsIn(directory.path).filter(({ entries }) => entries.length === 0)).toEqual([]);
});

test('each commit after a block is complete writes some of its cells', async () => {
  await using directory = temporaryDirectory();
  await using log = await openLog(directory.path);
  const add = async (count: number) => {
    const atMs = START_MS + 1;
    const records = Array.from({ length: count }, (_, i) =>
      sampleRecord({ url: `https://n${i}.example${i % 100}.com/`, atMs }),
    );
    await Promise.all(records.map((record) => log.append(record)));
  };
  await add(BLOCK_CHECKS);
  const counts: number[] = [];
  while (finishedBlocks(directory.path).length === 0) {
    await add(64);
    counts.push(cellsIn(directory.path).length);
  }
  expect(counts).toEqual([4, 8, 12, 16, 20, 24, 28, 32, 32]);
});

test.each(['the process ends', 'a check is deleted', 'every check is deleted'] as const)(
  'the index of a partly written block matches the stored checks if %s meanwhile',
  async (happens) => {
    await using directory = temporaryDirectory();
    let log = await openLog(directory.path);
    const gone = () => {
      const hash = domainHash('gone.invalid');
      return cellsIn(directory.path).flatMap(({ entries }) => idsInCell(entries, 0, hash, () => true));
    };
    try {
      await appendHosts(log, 0, BLOCK_CHECKS + 1, BLOCK_CHECKS - 3);
      await log.append(sampleRecord({ url: 'https://other.example/', atMs: START_MS + 1e9 }));
      expect(finishedBlocks(directory.path)).toEqual([]);
      expect(cellsIn(directory.path)).not.toEqual([]);
      if (happens === 'the process ends') {
        await log[Symbol.asyncDispose]();
        log = await openLog(directory.path);
      } else if (happens === 'a check is deleted') {
        log.deletions.ask('public', { by: 'domain', wanted: 'gone.invalid' });
        await log.deletions.finish('public');
        expect(gone()).toEqual([]);
      } else {
        await log.purge('public', START_MS + 1e12);
        expect(cellsIn(directory.path)).toEqual([]);
      }
      await appendHosts(log, BLOCK_CHECKS + 2, 1.5 * BLOCK_CHECKS, -1);
      expect(gone()).toEqual(happens === 'the process ends' ? [BLOCK_CHECKS - 2] : []);
      expect(finishedBlocks(directory.path)).toEqual(happens === 'every check is deleted' ? [] : [0]);
      const left = happens === 'every check is deleted' ? 0.5 * BLOCK_CHECKS - 2 : 1.5 * BLOCK_CHECKS - 2;
      expect(await paged(log, { domain: 'common.example' }, 500)).toHaveLength(left);
    } finally {
      await log[Symbol.asyncDispose]();
    }
  },
);

test('a cell returns the positions of one hash in order', () => {
  const hash = domainHash('example.com');
  const entries = gatherEntries();
  for (const [other, id, decision] of [
    [hash, 3, 2],
    [hash ^ 1, 3, 2],
    [hash + 32, 4, 0],
    [hash - 32, 5, 0],
    [hash, 7, 1],
  ] as const) {
    entries.add(other >>> 0, id, decision);
  }
  const cells = new Map(entries.cells());
  expect([...cells.keys()].toSorted()).toEqual([bucketOf(hash), bucketOf(hash ^ 1)].toSorted());
  const cell = cells.get(bucketOf(hash)) ?? new Uint8Array();
  expect(idsInCell(cell, 0, hash, () => true)).toEqual([3, 7]);
  expect(idsInCell(cell, 2, hash, (decision) => decision === 1)).toEqual([2 * BLOCK_CHECKS + 7]);
});

test('every domain of a block is found in the cell of its bucket and nowhere else, whatever its hash', () => {
  const entries = gatherEntries();
  const hashes = Array.from({ length: BLOCK_CHECKS }, (_, id) => domainHash(`n${id % 900}.example`));
  for (const [id, hash] of hashes.entries()) entries.add(hash, id, id % 3);
  const cells = new Map(entries.cells());
  for (const hash of new Set(hashes)) {
    const ids = [...hashes.keys()].filter((id) => hashes[id] === hash);
    expect(idsInCell(cells.get(bucketOf(hash)) ?? new Uint8Array(), 0, hash, () => true)).toEqual(ids);
  }
  const bytes = [...cells.values()].reduce((sum, cell) => sum + cell.length, 0);
  expect(bytes).toBe(6 * BLOCK_CHECKS);
});

test('cell keys are the same in every version', () => {
  expect([cellKey(0, 0), cellKey(0, 7), cellKey(3, 7)]).toEqual([0, 7, 3 * 2 ** 40 + 7]);
});

test('indexes a host of a hundred labels under seven names', () => {
  const names = indexedSuffixes(hostOf(`${'a.'.repeat(100)}example.com`));
  expect(names).toHaveLength(7);
  expect(names.at(-1)).toBe('com');
});
