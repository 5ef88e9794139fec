import { expect, test } from 'bun:test';
import type { ListFileItem } from '#src/network/lists/formats/list-format.ts';
import type { ListGuard } from '#src/network/lists/stored/guard.ts';
import { readListState } from '#src/network/lists/stored/list-state.ts';
import {
  AFTER,
  coveringEntries,
  ENTRY_SORTS,
  type EntryQuery,
  entryTest,
  findEntries,
  writtenEntry,
} from '#src/parts/lists/find-entries.ts';
import { changeLists } from '#test/support/change-lists.ts';
import { targetOf } from '#test/support/target.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const NOW_MS = Date.UTC(2027, 0, 1);
const DAY_MS = 86_400_000;
const guard: ListGuard = (entry) => (entry.kind === 'host' && !entry.host.includes('.') ? 'public_suffix' : null);

/** Entry, day on which it was added, and day on which it expires. */
const FEED = [
  ['m.example', 1, 4],
  ['http://b.example/x.y', 1, null],
  ['com', 1, 9],
  ['z.example', 3, 2],
  ['a.example', 2, null],
  ['k.example', 2, 3],
] as const;
const OURS = [
  ['c.example', 2, null],
  ['y.example', 5, 3],
] as const;

const item = (value: string, line: number): ListFileItem => ({
  ...{ value, line, expiresAtMs: null, source: null, comment: null, isException: false },
});

async function openTwo() {
  const directory = temporaryDirectory();
  const { path: dataDir } = directory;
  for (const [list, entries] of [
    ['feed', FEED],
    ['ours', OURS],
  ] as const)
    for (const [at, [value, added, expires]] of entries.entries())
      await changeLists({ dataDir, by: 'operator', guard, nowMs: NOW_MS + added * 1000 }, [
        {
          ...{ what: 'add', list, action: null, source: null, items: [item(value, at + 1)] },
          expiresAtMs: expires === null ? null : NOW_MS + expires * DAY_MS,
        },
      ]);
  const { lists } = await readListState(dataDir);
  const hits = new Map([
    [
      'feed',
      new Map([
        ['z.example', 2],
        ['a.example', 5],
        ['com', 2],
      ]),
    ],
    ['ours', new Map([['y.example', 3]])],
  ]);
  const find = (query: Partial<EntryQuery>, names: readonly string[] = ['feed', 'ours']) =>
    findEntries(
      dataDir,
      lists.filter(({ name }) => names.includes(name)),
      { search: '', sort: 'line', isDescending: false, after: null, limit: 100, ...query },
      hits,
    );
  return { dataDir, lists, find, [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose]() };
}

type Found = Awaited<ReturnType<typeof findEntries>>;
const namesIn = ({ entries }: Found) => entries.map(({ row }) => row.entry.replace(/^http:\/\/|\.example/g, ''));

const SORTED: Readonly<Record<EntryQuery['sort'], readonly [string, string]>> = {
  line: ['m b/x.y com z a k c y', 'y c k a z com b/x.y m'],
  // Without the scheme.
  entry: ['a b/x.y c com k m y z', 'z y m k com c b/x.y a'],
  // Equal ones stay in the order of the lists.
  added: ['m b/x.y com a k c z y', 'y z a k c m b/x.y com'],
  expires: ['z k y m com b/x.y a c', 'b/x.y a c com m k y z'],
  hits: ['m b/x.y k c com z y a', 'a y com z m b/x.y k c'],
};

test.each(ENTRY_SORTS)('sorted by %s, pages of any size have all entries once', async (sort) => {
  await using two = await openTwo();
  for (const isDescending of [false, true]) {
    const expected = SORTED[sort][Number(isDescending)]?.split(' ') ?? [];
    const whole = await two.find({ sort, isDescending });
    expect([sort, isDescending, namesIn(whole), whole.found, whole.next]).toEqual([
      ...[sort, isDescending, expected, 8, null],
    ]);
    for (const limit of [1, 2, 3, 7, 8]) {
      const names: string[] = [];
      let after: string | null = null;
      do {
        const page: Found = await two.find({ sort, isDescending, after, limit });
        expect(page.entries.length).toBeLessThanOrEqual(limit);
        expect([page.found, page.next === null || AFTER.test(page.next)]).toEqual([8, true]);
        names.push(...namesIn(page));
        after = page.next;
      } while (after !== null && names.length < 9);
      expect([limit, names]).toEqual([limit, expected]);
    }
  }
});

test('the key of a page is that of its last entry, in the order of the list its number', async () => {
  await using two = await openTwo();
  const next = async (sort: EntryQuery['sort']) => (await two.find({ sort, limit: 1 })).next;
  expect(await Promise.all(ENTRY_SORTS.map(next))).toEqual([
    ...['1', '4.a.example', `0.${NOW_MS / 1000 + 1}`, `3.${NOW_MS / 1000 + (2 * DAY_MS) / 1000}`, '0.0'],
  ]);
});

test('entries have the name of their list, and a search counts those that match', async () => {
  await using two = await openTwo();
  const { entries, found, next } = await two.find({ search: ' EXAMPLE ', limit: 6 });
  expect([entries.map(({ list }) => list), found, next]).toEqual([[...Array<string>(5).fill('feed'), 'ours'], 7, '7']);
  expect(namesIn(await two.find({ search: 'example', after: '7' }))).toEqual(['y']);
  expect(await two.find({ search: 'nothing' })).toEqual({ entries: [], found: 0, next: null });
  expect(namesIn(await two.find({ search: ' ' }, ['ours']))).toEqual(['c', 'y']);
  expect(await two.find({ after: '8' })).toEqual({ entries: [], found: 8, next: null });
});

test.each([
  ['50', true],
  ['0', true],
  ['12.key.with.dots\nand lines', true],
  ['7.', true],
  ['123456789012345', true],
  ['1234567890123456', false],
  ['', false],
  ['-1', false],
  ['x1', false],
  ['1x', false],
])('%p begins a page: %p', (text, isOne) => {
  expect(AFTER.test(text)).toBe(isOne);
});

test('the key of a page has at most 9,000 characters', () => {
  expect([9000, 9001].map((length) => AFTER.test(`1.${'x'.repeat(length)}`))).toEqual([true, false]);
});

const row = (entry: string, comment: string | null = null) => ({ entry, comment });

test.each([
  ['EVIL', row('evil.example'), true],
  [' evil.example ', row('evil.example'), true],
  ['evil', row('good.example'), false],
  ['ticket 47', row('good.example', 'Ticket 4711'), true],
  ['/Login', row('http://a.example/LOGIN'), true],
  ['HTTP://www.evil.example/x', row('evil.example'), true],
  ['www.evil.example/x', row('http://www.evil.example/x'), true],
  ['www.evil.example/x', row('http://www.evil.example/y'), false],
  ['www.evil.example', row('other.example'), false],
  // No host before its first dot.
  ['example', row('ample'), false],
  ['192.0.2.7', row('192.0.2.0/24'), true],
  ['192.0.3.7', row('192.0.2.0/24'), false],
  ['Bücher', row('xn--bcher-kva.example'), true],
  ['bücher', row('http://xn--bcher-kva.example/a'), true],
  ['bücher', row('bucher.example'), false],
  ['a b.c', row('a.example'), false],
])('%p finds %p: %p', (text, entry, isFound) => {
  expect(Boolean(entryTest(text)(entry))).toBe(isFound);
});

test.each([
  ['a.example', null],
  ['xn--bcher-kva.example', 'bücher.example'],
  ['http://www.xn--bcher-kva.example:8080/xn--a', 'http://www.bücher.example:8080/xn--a'],
  ['http://a.example/x', null],
])('%p is written as %p', (entry, written) => {
  expect(writtenEntry(entry)).toBe(written);
});

test('entries cover a URL and those that it wraps, also if they are not applied', async () => {
  await using two = await openTwo();
  const covering = async (url: string) =>
    (await coveringEntries(two.dataDir, two.lists, targetOf(url))).map(({ version, row }) => [version.name, row.entry]);
  expect(await covering('http://www.z.example/')).toEqual([['feed', 'z.example']]);
  expect(await covering('https://b.example/x.y')).toEqual([['feed', 'http://b.example/x.y']]);
  expect(await covering('https://b.example/x')).toEqual([]);
  expect(await covering('https://shop.com/')).toEqual([['feed', 'com']]);
  expect(await covering('https://other.example/?u=https%3A%2F%2Fy.example%2F')).toEqual([['ours', 'y.example']]);
  expect(await covering('http://notz.example/')).toEqual([]);
});
