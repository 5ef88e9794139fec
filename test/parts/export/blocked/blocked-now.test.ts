import { expect, test } from 'bun:test';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Glob } from 'bun';
import { readListFile } from '#src/network/lists/formats/read-list-file.ts';
import { writeStoredEntry } from '#src/network/lists/stored/stored-entry.ts';
import type { BlockedEntry } from '#src/parts/export/blocked/block-list.ts';
import { blockedNow } from '#src/parts/export/blocked/blocked-now.ts';
import type { ListChange } from '#src/parts/lists/list-change.ts';
import { changeLists } from '#test/support/change-lists.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const NOW = Date.UTC(2027, 0, 1);
const DAY = 86_400_000;

async function* bytesOf(text: string) {
  yield Buffer.from(text);
}

async function* checksOf(...hosts: readonly string[]): AsyncGenerator<BlockedEntry> {
  for (const [age, host] of hosts.entries()) {
    const said = { why: 'It looks like it', untilMs: null, isExact: true, isInAllowed: false };
    yield { entry: { kind: 'host', host }, sinceMs: NOW - age * DAY, ...said };
  }
}

interface Lists {
  readonly block?: string;
  readonly allow?: string;
  readonly more?: string;
  readonly weighed?: string;
  readonly blockFile?: string;
  readonly allowFile?: string;
}

async function blockedBy({ block, more, allow, weighed, blockFile, allowFile }: Lists, checks = checksOf()) {
  await using directory = temporaryDirectory();
  const { path } = directory;
  const guard = (entry: { kind: string; host?: string }) => (entry.host === 'github.io' ? ('platform' as const) : null);
  const imported = (list: string, action: 'block' | 'allow', text: string, weight: number | null): ListChange => ({
    ...{ what: 'import', list, action, source: `${list}.txt`, expiresAtMs: null, weight },
    items: readListFile(bytesOf(text)),
  });
  const changes = [
    ...(block === undefined ? [] : [imported('feed', 'block', block, null)]),
    ...(more === undefined ? [] : [imported('more', 'block', more, null)]),
    ...(allow === undefined ? [] : [imported('ours', 'allow', allow, null)]),
    ...(weighed === undefined ? [] : [imported('doubts', 'block', weighed, 2)]),
  ];
  if (changes.length > 0) await changeLists({ dataDir: path, by: 'operator', guard, nowMs: NOW - DAY }, changes);
  const fileOf = async (name: string, text: string | undefined) => {
    if (text === undefined) return [];
    await Bun.write(join(path, name), text);
    return [join(path, name)];
  };
  const files = { block_list: await fileOf('block.txt', blockFile), allow_list: await fileOf('allow.txt', allowFile) };
  const { list, ...facts } = await blockedNow({ data_dir: path, ...files }, checks, NOW);
  const textOf = ({ entry, isInAllowed }: BlockedEntry) => `${writeStoredEntry(entry)}${isInAllowed ? ' within' : ''}`;
  const texts = { blocked: list.blocked.map(textOf), allowed: list.allowed.map(writeStoredEntry) };
  return { ...texts, ...facts, entries: list.blocked };
}

test('includes the entries of all block lists, from any source, each once', async () => {
  const { blocked, entries } = await blockedBy({ block: 'a.example\nb.example', blockFile: 'b.example\nc.example' });
  expect(blocked.toSorted()).toEqual(['a.example', 'b.example', 'c.example']);
  expect(entries.find(({ why }) => why.includes('feed'))?.sinceMs).toBe(NOW - DAY);
});

test('excludes entries that are expired, held back or only weighted', async () => {
  const block = 'value,expiration,comment\na.example,2027-06-01,\nb.example,2026-12-31,\ngithub.io,,\n';
  const { blocked, entries, weighedLists } = await blockedBy({ block, weighed: 'd.example' });
  expect(blocked).toEqual(['a.example']);
  expect(entries[0]?.untilMs).toBe(Date.UTC(2027, 5, 2));
  expect(weighedLists).toBe(1);
});

test('the narrower of a blocked and an allowed entry applies, and the allowed one of equal entries', async () => {
  const lists = {
    block: 'a.example\nb.example\nbad.c.example\nhttps://d.example/x',
    allow: 'a.example\nok.b.example\nc.example\nunrelated.example\nhttps://d.example/x/y\nhttp://b.example/',
  };
  expect(await blockedBy(lists)).toMatchObject({
    blocked: ['b.example', 'bad.c.example within', 'http://d.example/x'],
    allowed: ['ok.b.example', 'http://d.example/x/y', 'http://b.example/'],
  });
});

test('an exception of a block list is allowed', async () => {
  const block = '||a.example^\n@@||ok.a.example^\n';
  expect(await blockedBy({ block })).toMatchObject({ blocked: ['a.example'], allowed: ['ok.a.example'] });
});

test('an exception of a block list does not apply to other lists', async () => {
  const block = '||a.example^\n@@||ok.a.example^\n';
  expect(await blockedBy({ block, more: 'ok.a.example' })).toMatchObject({
    blocked: ['a.example', 'ok.a.example'],
    allowed: [],
  });
});

test('a block list file of the settings overrides every allow list', async () => {
  const lists = { allow: 'a.example\nok.b.example', allowFile: 'a.example', blockFile: 'a.example\nb.example' };
  expect(await blockedBy(lists)).toMatchObject({ blocked: ['a.example within', 'b.example'], allowed: [] });
});

test('an allow list file of the settings overrides checks, but not block lists', async () => {
  const lists = { block: 'a.example', allowFile: 'ok.a.example\nok.b.example\nc.example' };
  expect(await blockedBy(lists, checksOf('b.example', 'x.c.example'))).toMatchObject({
    blocked: ['b.example', 'a.example'],
    allowed: ['ok.b.example'],
  });
});

test('includes what checks blocked, from the oldest check on, unless a list allows it', async () => {
  const found = await blockedBy(
    { block: 'a.example', allowFile: 'b.example' },
    checksOf('c.example', 'a.example', 'x.b.example', 'c.example'),
  );
  expect(found.blocked.toSorted()).toEqual(['a.example', 'c.example']);
  expect(found.entries.find(({ entry }) => writeStoredEntry(entry) === 'c.example')).toMatchObject({
    sinceMs: NOW - 3 * DAY,
    why: 'It looks like it',
  });
});

test('refuses a list with invalid rows, and does not write it in part', async () => {
  await using directory = temporaryDirectory();
  const { path } = directory;
  const items = readListFile(bytesOf('a.example\n'));
  const change = {
    what: 'import',
    list: 'feed',
    action: 'block',
    source: 'feed.txt',
    expiresAtMs: null,
    items,
  } as const;
  await changeLists({ dataDir: path, by: 'operator', guard: () => null, nowMs: NOW }, [change]);
  const [file = ''] = new Glob('lists/*.list').scanSync(path);
  await appendFile(join(path, file), 'half of an en\t2\t1795359558\t\t\t\t\n');
  const now = blockedNow({ data_dir: path, block_list: [], allow_list: [] }, checksOf(), NOW);
  expect(now).rejects.toThrow('the list feed is damaged');
});

test('reports the earliest expiry and the revision of the stored lists', async () => {
  const until = (day: number) => new Date(NOW + day * DAY).toISOString().slice(0, 10);
  const block = `value,expiration,comment\na.example,${until(9)},\nb.example,${until(3)},\nc.example,,\n`;
  expect(await blockedBy({ block })).toMatchObject({ endsMs: NOW + 4 * DAY, revision: 1 });
  expect(await blockedBy({ blockFile: 'a.example\n' })).toMatchObject({ endsMs: null, revision: 0 });
});

test('refuses a file that has changed since the service read it', async () => {
  await using directory = temporaryDirectory();
  const [data_dir, path] = [directory.path, join(directory.path, 'block.txt')];
  await Bun.write(path, 'a.example\n');
  const digest = new Bun.CryptoHasher('sha256').update('a.example\n').digest('hex');
  const read = () => blockedNow({ data_dir, block_list: [path], allow_list: [] }, checksOf(), NOW, digests);
  const digests = { block: [digest], allow: [] };
  expect((await read()).list.blocked).toHaveLength(1);
  await Bun.write(path, '');
  expect(read()).rejects.toThrow('the list block.txt has changed since the service read it');
});
