import { expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ListFileItem } from '#src/network/lists/formats/list-format.ts';
import { readListFile } from '#src/network/lists/formats/read-list-file.ts';
import type { ListGuard } from '#src/network/lists/stored/guard.ts';
import { listsFolder, readListState } from '#src/network/lists/stored/list-state.ts';
import type { VersionRow } from '#src/network/lists/stored/version-file.ts';
import {
  createVersionWriter,
  removeUnused,
  type VersionCounts,
  type WriteRules,
  withListsLock,
} from '#src/parts/lists/write-version.ts';
import { changeLists } from '#test/support/change-lists.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const NOW_MS = Date.UTC(2027, 0, 1);
const NOW = NOW_MS / 1000;

/** Holds back public suffixes of one label. */
const guard: ListGuard = (entry) => (entry.kind === 'host' && !entry.host.includes('.') ? 'public_suffix' : null);

const item = (value: string, line: number, more: object = {}): ListFileItem => ({
  ...{ value, line, expiresAtMs: null, source: null, comment: null, isException: false, ...more },
});

/** Writes entries; returns the rows of the version, and what was counted. */
async function written(
  items: readonly ListFileItem[] | string,
  rules: Partial<WriteRules> = {},
  taken: readonly VersionRow[] = [],
): Promise<readonly [readonly VersionRow[], VersionCounts]> {
  const rows: VersionRow[] = [];
  const usual = { nowMs: NOW_MS, guard, source: 'feed.txt', expiresAtMs: null, addedBefore: () => null };
  const writer = createVersionWriter({ add: (row) => void rows.push(row) }, { ...usual, ...rules });
  taken.forEach(writer.take);
  const bytes = (async function* () {
    yield Buffer.from(String(items));
  })();
  const list = (async function* () {
    if (typeof items !== 'string') yield items;
  })();
  await writer.read(typeof items === 'string' ? readListFile(bytes) : list);
  return [rows, writer.counts];
}

const names = (rows: readonly VersionRow[]) => rows.map(({ entry }) => entry);
const many = (count: number, of: (at: number) => ListFileItem) => Array.from({ length: count }, (_, at) => of(at));

test('an entry has its line, its age and its expiry, in whole seconds', async () => {
  const before = new Map([['old.example', 1000]]);
  const [rows, counts] = await written(
    [
      item('New.example', 1, { source: 'urlhaus', comment: 'seen' }),
      item('old.example', 2, { expiresAtMs: NOW_MS + 1999 }),
      item('com', 3),
      item('com', 4, { isException: true }),
    ],
    { addedBefore: (entry) => before.get(entry) ?? null, expiresAtMs: NOW_MS + 60_999, nowMs: NOW_MS + 999 },
  );
  const usual = {
    addedAt: NOW,
    expiresAt: NOW + 60,
    quarantine: null,
    isException: false,
    source: null,
    comment: null,
  };
  expect(rows).toEqual([
    { ...usual, entry: 'new.example', line: 1, source: 'urlhaus', comment: 'seen' },
    { ...usual, entry: 'old.example', line: 2, addedAt: 1000, expiresAt: NOW + 1 },
    { ...usual, entry: 'com', line: 3, quarantine: 'public_suffix' },
    { ...usual, entry: 'com', line: 4, isException: true },
  ]);
  expect(counts).toEqual({
    ...{ entries: 3, text_bytes: 'new.exampleold.examplecom'.length, quarantined: 1, exceptions: 1 },
    ...{ added: 2, expired: 0, repeated: 0, newlyQuarantined: 1, leftOut: [] },
    quarantinedEntries: [{ entry: 'com', line: 3, why: 'public_suffix' }],
    ...{ skipped: { first: [], count: 0 }, unread: { first: [], count: 0 } },
  });
});

test('an entry that expires now is left out, and one of the next second is not', async () => {
  const [rows, counts] = await written([
    item('a.example', 1, { expiresAtMs: NOW_MS + 999 }),
    item('b.example', 2, { expiresAtMs: NOW_MS + 1000 }),
  ]);
  expect([names(rows), counts.expired, counts.leftOut]).toEqual([
    ['b.example'],
    1,
    [{ entry: 'a.example', line: 1, why: 'expired' }],
  ]);
});

test('what is stored already stays as it is and counts as neither new nor newly held back', async () => {
  const row = { addedAt: 1, expiresAt: 2, quarantine: null, isException: false, source: null, comment: null };
  const stored: readonly VersionRow[] = [
    { ...row, entry: 'old.example', line: 7 },
    { ...row, entry: 'org', line: 8, quarantine: 'public_suffix' },
  ];
  const [rows, counts] = await written([item('old.example', 1), item('org', 2), item('com', 3)], {}, stored);
  expect([rows.slice(0, 2), names(rows)]).toEqual([[...stored], ['old.example', 'org', 'com']]);
  expect(counts).toMatchObject({ entries: 1, added: 0, repeated: 2, quarantined: 2, newlyQuarantined: 1 });
  expect(counts.quarantinedEntries).toEqual([{ entry: 'com', line: 3, why: 'public_suffix' }]);
  expect(counts.leftOut).toEqual([
    { entry: 'old.example', line: 1, why: 'duplicate' },
    { entry: 'org', line: 2, why: 'duplicate' },
  ]);
});

test.each([10, 11])('of %p lines of one kind ten are named, and all counted', async (count) => {
  const [, doubled] = await written(many(count + 1, (at) => item('a.example', at + 1)));
  expect([doubled.repeated, doubled.leftOut.length, doubled.leftOut[9]?.line]).toEqual([count, 10, 11]);
  const [, held] = await written(many(count, (at) => item(`suffix${at}`, at + 1)));
  expect([held.newlyQuarantined, held.quarantinedEntries.length]).toEqual([count, 10]);
  const [, skipped] = await written([
    item('a.example', 1),
    ...many(count, (at) => ({ line: at + 2, message: 'is about parts of a page', isSkipped: true as const })),
  ]);
  expect([skipped.skipped.count, skipped.skipped.first.length, skipped.unread.count]).toEqual([count, 10, 0]);
  const bad = many(count, (at) => ({ line: at + 1, message: 'is odd' }));
  const lines = bad.slice(0, 10).map(({ line }) => `\nline ${line}: is odd`);
  await expect(written(bad)).rejects.toMatchObject({
    errorCode: 'list_content',
    message: `feed.txt has invalid lines; nothing was changed:${lines.join('')}${count > 10 ? '\nand 1 more' : ''}`,
    clientText: `has invalid lines:${lines.join('')}${count > 10 ? '\nand 1 more' : ''}`,
  });
});

test('an exception and an entry of one name contradict each other, unless the line is skipped', async () => {
  const items = [item('a.example', 1), item('b.example', 2), item('A.example', 3, { isException: true })];
  await expect(written(items)).rejects.toThrow('\nline 3: "A.example" contradicts line 1');
  const [rows, counts] = await written(items, { skipsInvalid: true });
  expect([names(rows), counts.unread]).toEqual([
    ['a.example', 'b.example'],
    { first: [{ line: 3, message: '"A.example" contradicts line 1' }], count: 1 },
  ]);
  const [, twice] = await written([
    item('a.example', 1, { isException: true }),
    item('a.example', 2, { isException: true }),
  ]);
  expect([twice.exceptions, twice.repeated]).toEqual([1, 1]);
});

test('a file of a lenient format has at least as many entries as lines that were not understood', async () => {
  const hosts = (entries: number, odd: number) =>
    `# hosts\n${'0.0.0.0 a.example\n'.repeat(entries)}${'0.0.0.0\n'.repeat(odd)}`;
  // A repeated entry is understood, too.
  expect((await written(hosts(2, 2)))[1]).toMatchObject({ entries: 1, repeated: 1, unread: { count: 2 } });
  await expect(written(hosts(2, 3))).rejects.toMatchObject({
    errorCode: 'list_content',
    message: expect.stringMatching(
      /^feed\.txt has more lines that were not understood than entries; nothing was changed:\nline 4: .*\nread as hosts; name the format if that is wrong$/s,
    ),
  });
  expect((await written(hosts(2, 3), { skipsInvalid: true }))[1]).toMatchObject({ entries: 1, unread: { count: 3 } });
  const old = { addedAt: 1, expiresAt: null, quarantine: null, isException: false, source: null, comment: null };
  const before = [{ ...old, entry: 'b.example', line: 1 }];
  // What the list had before does not make up for them.
  await expect(written(hosts(2, 3), {}, before)).rejects.toThrow('than entries');
});

test('the lists are changed by one process at a time, whose lock is void once it is gone', async () => {
  await using directory = temporaryDirectory();
  const { path: dataDir } = directory;
  mkdirSync(listsFolder(dataDir));
  const lock = join(listsFolder(dataDir), '.changing');
  const work = () => withListsLock(dataDir, async () => existsSync(lock));
  const held = (content: string, ageMs = 0) => {
    writeFileSync(lock, content);
    const time = new Date(Date.now() - ageMs);
    utimesSync(lock, time, time);
  };
  expect([await work(), readdirSync(listsFolder(dataDir))]).toEqual([true, []]);
  await expect(withListsLock(dataDir, () => Promise.reject(new TypeError('a fault')))).rejects.toThrow('a fault');
  expect(existsSync(lock)).toBe(false);
  for (const content of [String(process.pid), '', '0', '-1', 'x', '1.5']) {
    held(content);
    expect([content, await work().catch(({ errorCode, message }) => [errorCode, message])]).toEqual([
      content,
      ['busy', 'another command changes the lists; try again'],
    ]);
    expect(readdirSync(listsFolder(dataDir))).toEqual(['.changing']);
  }
  held(String(process.pid), 59_000);
  await expect(work()).rejects.toMatchObject({ errorCode: 'busy' });
  for (const [content, ageMs] of [
    [String(process.pid), 61_000],
    ['2147483646', 0],
  ] as const) {
    held(content, ageMs);
    expect([await work(), existsSync(lock)]).toEqual([true, false]);
  }
  await expect(withListsLock(join(dataDir, 'none'), work)).rejects.toMatchObject({
    errorCode: 'file_unwritable',
    message: expect.stringContaining('the lists cannot be changed: '),
  });
});

test('files that no rollback reaches are removed after a day, drafts and indexes with them', async () => {
  await using directory = temporaryDirectory();
  const { path: dataDir } = directory;
  const change = async (text: string) =>
    await changeLists({ dataDir, by: 'operator', guard, nowMs: NOW_MS }, [
      { what: 'import', list: 'feed', action: null, source: null, expiresAtMs: null, items: [item(text, 1)] },
    ]);
  await change('a.example');
  await change('b.example');
  const { lists, before } = await readListState(dataDir);
  const [active = '', earlier = ''] = [lists[0]?.file, before[0]?.lists[0]?.file];
  const DAY_MS = 24 * 3_600_000;
  const [OVER, UNDER] = [DAY_MS + 60_000, DAY_MS - 60_000];
  const put = (name: string, ageMs: number) => {
    const path = join(listsFolder(dataDir), name);
    if (!existsSync(path)) writeFileSync(path, '');
    const time = new Date(Date.now() - ageMs);
    utimesSync(path, time, time);
  };
  for (const [name, ageMs] of [
    [active, OVER],
    [earlier, OVER],
    [`.${active}.index`, 0],
    [`.${earlier}.index`, 0],
    ['old.list', OVER],
    ['new.list', UNDER],
    ['unwanted.list', 0],
    ['.00ab-cd.new', OVER],
    ['.00ab-ce.new', UNDER],
    ['.zz.new', OVER],
    ['x.00ab.new', OVER],
    ['.00ab.newer', OVER],
    ['notes.txt', OVER],
  ] as const)
    put(name, ageMs);
  await removeUnused(dataDir, new Set(['unwanted.list', active]));
  expect(readdirSync(listsFolder(dataDir)).toSorted()).toEqual(
    [
      ...[active, earlier, `.${active}.index`, 'new.list', '.00ab-ce.new'],
      ...['.zz.new', 'x.00ab.new', '.00ab.newer', 'notes.txt', 'in-force.json'],
    ].toSorted(),
  );
});
