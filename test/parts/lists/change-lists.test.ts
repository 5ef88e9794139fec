import { describe, expect, test } from 'bun:test';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readListFile } from '#src/network/lists/formats/read-list-file.ts';
import { listsVersion } from '#src/network/lists/lists-version.ts';
import { openLists } from '#src/network/lists/local-lists.ts';
import type { ListGuard } from '#src/network/lists/stored/guard.ts';
import { readListState } from '#src/network/lists/stored/list-state.ts';
import { openStoredLists } from '#src/network/lists/stored/stored-list.ts';
import { preparedLists, writeLists } from '#src/parts/lists/change-lists.ts';
import type { ListChange } from '#src/parts/lists/list-change.ts';
import { changeLists } from '#test/support/change-lists.ts';
import { targetOf } from '#test/support/target.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const NOW = Date.UTC(2027, 0, 1);
const guard: ListGuard = (entry) => (entry.kind === 'host' && entry.host === 'github.io' ? 'public_suffix' : null);

async function* bytesOf(text: string) {
  yield Buffer.from(text);
}

const taken = (what: 'import' | 'add', list: string, text: string, more: object = {}): ListChange => ({
  ...{ what, list, action: null, source: what === 'import' ? `${list}.txt` : null, expiresAtMs: null },
  items: readListFile(bytesOf(text)),
  ...more,
});

const change = (dataDir: string, changes: ListChange[], by = 'operator', nowMs = NOW) =>
  changeLists({ dataDir, by, guard, nowMs }, changes);

async function linesOn(dataDir: string, url: string, nowMs = NOW): Promise<(string | number)[][]> {
  const lists = await openStoredLists(dataDir);
  return lists.flatMap(({ version, find }) => {
    const match = find(targetOf(url), nowMs);
    return match ? [[version.name, match.line, match.addedAtMs]] : [];
  });
}

describe('the lists of a data directory', () => {
  test('contain each imported entry once with its age, until another file replaces them', async () => {
    await using directory = temporaryDirectory();
    const { path } = directory;
    expect(await readListState(path)).toMatchObject({ lists: [], before: [] });
    const [first] = await change(path, [
      taken('import', 'feed', 'a.example\n\nb.example # seen\na.example\ngithub.io'),
    ]);
    expect(first).toMatchObject({
      ...{ entries: 2, added: 2, repeated: 1, quarantined: 1 },
      quarantinedEntries: [{ entry: 'github.io', line: 5, why: 'public_suffix' }],
    });
    expect(await linesOn(path, 'http://x.b.example/')).toEqual([['feed', 3, NOW]]);
    expect(await linesOn(path, 'http://x.github.io/')).toEqual([]);
    const later = NOW + 86_400_000;
    const [second] = await change(path, [taken('import', 'feed', 'b.example\nc.example')], 'operator', later);
    expect(second).toMatchObject({ entriesBefore: 2, entries: 2, added: 1, quarantined: 0 });
    expect(await linesOn(path, 'http://b.example/')).toEqual([['feed', 1, NOW]]);
    expect(await linesOn(path, 'http://c.example/')).toEqual([['feed', 2, later]]);
    expect(await linesOn(path, 'http://a.example/')).toEqual([]);
  });

  test('skip and report entries that no list supports, but refuse a file with an invalid line', async () => {
    await using directory = temporaryDirectory();
    const rules = '! a list\n||a.example^\nb.example##.ad\n@@||c.a.example^\n';
    const [changed] = await change(directory.path, [taken('import', 'rules', rules)]);
    expect(changed).toMatchObject({
      entries: 2,
      skipped: { first: [{ line: 3, message: '"b.example##.ad" is about parts of a page' }], count: 1 },
    });
    const table = 'value,expiration,comment\nd.example,soon,\n';
    expect(change(directory.path, [taken('import', 'rules', table)])).rejects.toThrow('line 2: expires at "soon"');
    expect(await linesOn(directory.path, 'http://a.example/')).toEqual([['rules', 2, NOW]]);
    expect(await linesOn(directory.path, 'http://c.a.example/')).toEqual([]);
  });

  test('accept, expire and remove single entries', async () => {
    await using directory = temporaryDirectory();
    const { path } = directory;
    await change(path, [taken('import', 'feed', 'a.example\ngithub.io', { action: 'allow', weight: 2 })]);
    await change(path, [taken('add', 'feed', 'b.example', { expiresAtMs: NOW + 5000 })]);
    expect((await readListState(path)).lists).toMatchObject([
      { name: 'feed', action: 'allow', weight: 2, origin: 'operator', source: 'feed.txt', entries: 2, quarantined: 1 },
    ]);
    expect(await linesOn(path, 'http://b.example/', NOW + 4999)).toHaveLength(1);
    expect(await linesOn(path, 'http://b.example/', NOW + 5000)).toEqual([]);
    await change(path, [{ what: 'remove', list: 'feed', entries: { named: ['A.example'] } }]);
    expect(await linesOn(path, 'http://a.example/')).toEqual([]);
    const again = change(path, [{ what: 'remove', list: 'feed', entries: { named: ['a.example'] } }]);
    await expect(again).rejects.toThrow('a.example is not an entry of the list feed');
    await change(path, [{ what: 'remove', list: 'feed', entries: null }]);
    expect((await readListState(path)).lists).toEqual([]);
  });

  test('are rolled back, one list or the latest change, as often as they were changed', async () => {
    await using directory = temporaryDirectory();
    const { path } = directory;
    const names = async () => (await readListState(path)).lists.map(({ name, entries }) => `${name} ${entries}`);
    await change(path, [taken('import', 'one', 'a.example')]);
    await change(path, [taken('import', 'two', 'a.example')]);
    await change(path, [taken('import', 'one', 'a.example\nb.example')]);
    await change(path, [taken('import', 'two', 'a.example\nb.example\nc.example')]);
    expect(await names()).toEqual(['one 2', 'two 3']);
    await change(path, [{ what: 'rollback', list: 'one' }]);
    expect(await names()).toEqual(['one 1', 'two 3']);
    await change(path, [{ what: 'rollback', list: null }]);
    expect(await names()).toEqual(['one 1', 'two 1']);
    await change(path, [{ what: 'rollback', list: 'one' }]);
    expect(await names()).toEqual(['two 1']);
    await change(path, [{ what: 'rollback', list: null }]);
    expect(await names()).toEqual([]);
    await expect(change(path, [{ what: 'rollback', list: null }])).rejects.toThrow(
      'no change of the lists to roll back',
    );
    expect((await readListState(path)).history.map(({ what, list }) => [what, list])).toEqual([
      ['rollback', null],
      ['rollback', 'one'],
      ['rollback', null],
      ['rollback', 'one'],
      ['import', 'two'],
      ['import', 'one'],
      ['import', 'two'],
      ['import', 'one'],
    ]);
  });

  test('can be changed only by their owner', async () => {
    await using directory = temporaryDirectory();
    const { path } = directory;
    await change(path, [taken('import', 'ours', 'a.example')]);
    const foreign = change(path, [taken('import', 'ours', 'b.example')], 'pack threats');
    await expect(foreign).rejects.toThrow('the list ours is the operator’s own and cannot be changed by pack threats');
    await change(path, [taken('import', 'threats', 'b.example')], 'pack threats');
    await expect(change(path, [taken('add', 'threats', 'c.example')])).rejects.toThrow('belongs to pack threats');
    const back = change(path, [{ what: 'rollback', list: null }]);
    await expect(back).rejects.toThrow('was made by pack threats and cannot be rolled back by operator');
    expect((await readListState(path)).lists.map(({ name }) => name)).toEqual(['ours', 'threats']);
  });

  test('stay unchanged if any change is invalid, and the error states why', async () => {
    await using directory = temporaryDirectory();
    const { path } = directory;
    await change(path, [taken('import', 'feed', 'a.example')]);
    const state = await readListState(path);
    const many = Array.from({ length: 15 }, () => 'a b').join('\n');
    const wrong: (readonly [ListChange, string])[] = [
      [taken('import', 'feed', `c.example\n${many}`), 'feed.txt has invalid lines; nothing was changed:\nline 2: '],
      [taken('import', 'feed', `c.example\n${many}`), 'and 5 more'],
      [taken('import', 'feed', '# nothing'), 'feed.txt has no entry; nothing was changed'],
      [taken('import', 'feed', 'a.example', { expiresAtMs: NOW }), 'has no entry that has not expired (1 have)'],
      [taken('import', '../feed', 'a.example'), '"../feed" is not a list name'],
      [taken('import', 'feed', 'a.example', { weight: 11 }), 'the weight of a list must be above 0 and at most 10'],
      [taken('add', 'feed', 'b.example', { action: 'allow' }), 'the action of the list feed is block'],
      [{ what: 'remove', list: 'none', entries: null }, 'list not found: none'],
    ];
    for (const [one, message] of wrong) await expect(change(path, [one])).rejects.toThrow(message);
    // The first of two changes that belong together.
    await expect(change(path, [taken('import', 'two', 'b.example'), wrong[0]?.[0] as ListChange])).rejects.toThrow();
    expect(await readListState(path)).toEqual(state);
  });

  test('refuse a file with a contradiction, and the error names both lines', async () => {
    await using directory = temporaryDirectory();
    async function* items() {
      const entry = { value: 'a.example', line: 1, expiresAtMs: null, source: null, comment: null, isException: false };
      yield [
        entry,
        { ...entry, value: 'b.example', line: 2, isException: true },
        { ...entry, line: 3, isException: true },
      ];
    }
    const changing = change(directory.path, [taken('import', 'feed', '', { items: items() })]);
    await expect(changing).rejects.toThrow('line 3: "a.example" contradicts line 1');
  });

  test('exclude what an exception covers from its own list only, and never hold an exception back', async () => {
    await using directory = temporaryDirectory();
    const { path } = directory;
    async function* items() {
      const entry = { value: 'a.example', line: 1, expiresAtMs: null, source: null, comment: null, isException: false };
      const exception = { ...entry, isException: true };
      yield [entry, { ...exception, value: 'www.a.example', line: 2 }, { ...exception, value: 'github.io', line: 3 }];
    }
    const [changed] = await change(path, [taken('import', 'feed', '', { items: items() })]);
    expect(changed).toMatchObject({ entries: 3, quarantined: 0 });
    expect(await linesOn(path, 'http://b.a.example/')).toEqual([['feed', 1, NOW]]);
    expect(await linesOn(path, 'http://b.www.a.example/')).toEqual([]);
    await change(path, [taken('import', 'other', 'www.a.example')]);
    expect(await linesOn(path, 'http://b.www.a.example/')).toEqual([['other', 1, NOW]]);
  });

  test('have a version that depends on their content, not on the order of changes', async () => {
    await using one = temporaryDirectory();
    await using two = temporaryDirectory();
    const versionOf = async (path: string) =>
      listsVersion(await openLists({ block_list: [], allow_list: [], data_dir: path }));
    expect(await versionOf(one.path)).toBe('');
    await change(one.path, [taken('import', 'a', 'a.example'), taken('import', 'b', 'b.example')]);
    await change(two.path, [taken('import', 'b', 'b.example')]);
    expect(await versionOf(two.path)).not.toBe(await versionOf(one.path));
    await change(two.path, [taken('import', 'a', 'a.example')]);
    expect(await versionOf(two.path)).toBe(await versionOf(one.path));
    await change(two.path, [taken('import', 'a', 'a.example', { action: 'allow' })]);
    expect(await versionOf(two.path)).not.toBe(await versionOf(one.path));
  });

  test('accept one of several concurrent changes, and a discarded change leaves no file', async () => {
    await using directory = temporaryDirectory();
    const { path: dataDir } = directory;
    const prepare = (text: string) =>
      writeLists({ dataDir, by: 'operator', guard, nowMs: NOW }, [taken('import', 'feed', text)]).then((written) =>
        preparedLists(dataDir, written),
      );
    const [one, two, three] = [await prepare('a.example'), await prepare('b.example'), await prepare('c.example')];
    await one.commit();
    await expect(two.commit()).rejects.toThrow('the lists were changed meanwhile');
    await two.discard();
    await three.discard();
    expect(readdirSync(join(dataDir, 'lists')).toSorted()).toEqual(
      [one.next[0]?.file ?? '', 'in-force.json'].toSorted(),
    );
    expect(await linesOn(dataDir, 'http://a.example/')).toHaveLength(1);
    // What a process left behind that was killed in the middle.
    writeFileSync(join(dataDir, 'lists', '.changing'), '2147483646');
    await change(dataDir, [taken('add', 'feed', 'b.example')]);
    expect(await linesOn(dataDir, 'http://b.example/')).toHaveLength(1);
  });

  test('are refused if damaged, and can be removed and imported again', async () => {
    await using directory = temporaryDirectory();
    const { path } = directory;
    await change(path, [taken('import', 'feed', 'a.example')]);
    const file = join(path, 'lists', (await readListState(path)).lists[0]?.file ?? '');
    writeFileSync(file, (await Bun.file(file).text()).replace('a.example', 'b.example'));
    await expect(openStoredLists(path)).rejects.toThrow('the list feed is damaged');
    await change(path, [{ what: 'remove', list: 'feed', entries: null }]);
    await change(path, [taken('import', 'feed', 'a.example')]);
    expect(await linesOn(path, 'http://a.example/')).toHaveLength(1);
    writeFileSync(join(path, 'lists', 'in-force.json'), '{"revision": 1}');
    await expect(openStoredLists(path)).rejects.toThrow('does not name the active lists');
  });
});
