import { expect, test } from 'bun:test';
import type { ListFileItem } from '#src/network/lists/formats/list-format.ts';
import { readListFile } from '#src/network/lists/formats/read-list-file.ts';
import type { ListGuard } from '#src/network/lists/stored/guard.ts';
import { OPERATOR, readListState, SOURCE } from '#src/network/lists/stored/list-state.ts';
import type { ListChange } from '#src/parts/lists/list-change.ts';
import { changeLists } from '#test/support/change-lists.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const NOW_MS = Date.UTC(2027, 0, 1);
const guard: ListGuard = (entry) => (entry.kind === 'host' && !entry.host.includes('.') ? 'public_suffix' : null);

const item = (value: string, more: object = {}): ListFileItem => ({
  ...{ value, line: 1, expiresAtMs: null, source: null, comment: null, isException: false, ...more },
});
const items = (text: string) => text.split(' ').map((value) => item(value));

type Take = Extract<ListChange, { what: 'import' | 'add' }>;
const importOf = (list: string, text: string, more: Partial<Take> = {}): ListChange => ({
  ...{ what: 'import', list, action: null, source: `${list}.txt`, expiresAtMs: null, items: items(text), ...more },
});
const addTo = (list: string, text: string, more: Partial<Take> = {}): ListChange =>
  importOf(list, text, { what: 'add', source: null, ...more });
const removeFrom = (list: string, ...named: string[]): ListChange => ({
  what: 'remove',
  ...{ list, entries: named.length > 0 ? { named } : null },
});
const matching = (list: string, text: string): ListChange => ({ what: 'remove', list, entries: { matching: text } });
const backOf = (list: string | null): ListChange => ({ what: 'rollback', list });

function openLists() {
  const directory = temporaryDirectory();
  const { path: dataDir } = directory;
  let nowMs = NOW_MS;
  const state = () => readListState(dataDir);
  return {
    state,
    change: (changes: readonly ListChange[], by: string = OPERATOR) =>
      changeLists({ dataDir, by, guard, nowMs: nowMs++ }, changes),
    names: async () => (await state()).lists.map(({ name, entries }) => `${name} ${entries}`),
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}

test('a change of several lists is one step of the history, in their order', async () => {
  await using lists = openLists();
  const changed = await lists.change([importOf('two', 'a.example'), addTo('one', 'b.example com')]);
  expect(
    changed.map(({ list, what, entries, added, quarantined }) => [list, what, entries, added, quarantined]),
  ).toEqual([
    ['two', 'import', 1, 1, 0],
    ['one', 'add', 1, 1, 1],
  ]);
  const { revision, before, history } = await lists.state();
  expect([revision, await lists.names()]).toEqual([1, ['one 1', 'two 1']]);
  expect(before).toEqual([{ changed_by: OPERATOR, lists: [] }]);
  const at = new Date(NOW_MS).toISOString();
  expect(history).toEqual([
    { at, by: OPERATOR, what: 'add', list: 'one', source: null, entries: 1, quarantined: 1 },
    { at, by: OPERATOR, what: 'import', list: 'two', source: 'two.txt', entries: 1, quarantined: 0 },
  ]);
  await lists.change([importOf('three', 'a.example b.example')]);
  await lists.change([removeFrom('two')]);
  const [latest] = (await lists.state()).history;
  expect(latest).toMatchObject({ what: 'remove', list: 'two', source: null, entries: 0, quarantined: 0 });
  const [all] = await lists.change([backOf(null)]);
  expect(all).toEqual({
    ...{ list: 'two', what: 'rollback', entriesBefore: 0, entries: 1, added: 0, expired: 0, repeated: 0 },
    ...{ quarantined: 0, newlyQuarantined: 0, quarantinedEntries: [], leftOut: [], removed: 0, removedEntries: [] },
    ...{ format: null, skipped: { first: [], count: 0 }, unread: { first: [], count: 0 } },
  });
  expect((await lists.state()).history[0]).toMatchObject({ what: 'rollback', list: null, entries: 4, quarantined: 1 });
  const [back] = await lists.change([backOf('three')]);
  expect(back).toMatchObject({ list: 'three', entriesBefore: 2, entries: 0, quarantined: 0 });
  expect((await lists.state()).history[0]).toMatchObject({ list: 'three', entries: 0, quarantined: 0 });
});

test('a list of entries that were typed has no source, and an addition keeps it', async () => {
  await using lists = openLists();
  const source = async () => (await lists.state()).lists[0]?.source;
  await lists.change([importOf('feed', 'a.example')]);
  await lists.change([addTo('feed', 'b.example', { source: 'stdin' })]);
  expect(await source()).toBe('feed.txt');
  await lists.change([removeFrom('feed', 'a.example')]);
  expect(await source()).toBe('feed.txt');
  await lists.change([removeFrom('feed'), addTo('feed', 'b.example', { source: 'stdin' })]);
  expect(await source()).toBeNull();
  // The place of a scheduled one may contain a key.
  await lists.change([removeFrom('feed')]);
  await lists.change([importOf('feed', 'a.example', { source: 'it' })], SOURCE);
  expect(await source()).toBeNull();
});

test('what a file has lost is gone, and an addition keeps the age of what was there', async () => {
  await using lists = openLists();
  await lists.change([importOf('feed', 'a.example b.example com')]);
  const [added] = await lists.change([addTo('feed', 'b.example c.example com org')]);
  expect(added).toMatchObject({
    ...{ entriesBefore: 2, entries: 3, added: 1, repeated: 2, quarantined: 2, newlyQuarantined: 1, format: null },
    leftOut: [
      { entry: 'b.example', line: 1, why: 'duplicate' },
      { entry: 'com', line: 1, why: 'duplicate' },
    ],
    quarantinedEntries: [{ entry: 'org', line: 1, why: 'public_suffix' }],
  });
  const [replaced] = await lists.change([importOf('feed', 'c.example')]);
  expect(replaced).toMatchObject({ entriesBefore: 3, entries: 1, added: 0, quarantined: 0 });
});

test('entries are removed by name or by a text, ten of them named', async () => {
  await using lists = openLists();
  const hosts = Array.from({ length: 12 }, (_, at) => `h${at}.example`);
  await lists.change([importOf('feed', `${hosts.join(' ')} kept.test com`)]);
  const [named] = await lists.change([removeFrom('feed', 'H1.example', 'com')]);
  expect(named).toMatchObject({ entriesBefore: 13, entries: 12, quarantined: 0, removed: 2, added: 0 });
  expect(named?.removedEntries).toEqual(['h1.example', 'com']);
  const [found] = await lists.change([matching('feed', 'EXAMPLE')]);
  expect(found).toMatchObject({ entriesBefore: 12, entries: 1, removed: 11 });
  expect(found?.removedEntries).toEqual(hosts.filter((host) => host !== 'h1.example').slice(0, 10));
  for (const [change, errorCode, message] of [
    [matching('feed', 'example'), 'entry_not_found', 'no entry of the list feed matches'],
    [matching('feed', ' '), 'list_refused', 'a text is missing that finds the entries to remove'],
    [
      removeFrom('feed', 'kept.test', 'h1.example'),
      'entry_not_found',
      'h1.example is not an entry of the list feed; lurecheck lists test prints what covers a URL',
    ],
    [removeFrom('feed', 'a b'), 'list_refused', '"a b" contains white space: write one host or URL per line'],
    [removeFrom('none'), 'list_not_found', 'list not found: none; see lurecheck lists show'],
    [backOf('none'), 'nothing_to_roll_back', 'there is no change of the list none to roll back'],
    [
      importOf('x'.repeat(65), 'a.example'),
      'list_refused',
      `"${'x'.repeat(65)}" is not a list name: expected at most 64 lower-case letters, digits, dots, hyphens and underscores, beginning with a letter or digit`,
    ],
    [
      addTo('feed', 'a.example', { weight: 0 }),
      'list_refused',
      'the weight of a list must be above 0 and at most 10, not 0',
    ],
    [
      addTo('feed', 'a.example', { weight: 10.5 }),
      'list_refused',
      'the weight of a list must be above 0 and at most 10, not 10.5',
    ],
    [
      addTo('feed', 'a.example', { action: 'allow' }),
      'list_refused',
      'the action of the list feed is block: use another list for another action',
    ],
  ] as const)
    await expect(lists.change([change])).rejects.toMatchObject({ errorCode, message });
  expect(await lists.names()).toEqual(['feed 1']);
  await lists.change([
    addTo('feed', 'a.example', { action: 'block', weight: 10 }),
    importOf('x'.repeat(64), 'a.example'),
  ]);
  expect((await lists.state()).lists[0]).toMatchObject({ weight: 10, action: 'block' });
});

test('a list never becomes empty unless that is wanted', async () => {
  await using lists = openLists();
  const exception = [item('a.example', { isException: true, line: 3 })];
  const refusal = async (change: ListChange, by: string = OPERATOR) =>
    await lists.change([change], by).then(
      () => null,
      ({ errorCode, message }) => `${errorCode}: ${message}`,
    );
  const none = 'list_content: feed.txt has no entry that can be applied; nothing was changed';
  // The first version of a list may wait for its entries, as may what is added.
  expect(await refusal(importOf('feed', '', { items: [] }))).toBe(
    'list_content: feed.txt has no entry; nothing was changed',
  );
  expect(await refusal(importOf('feed', '', { items: exception }))).toBe(none);
  expect(await refusal(importOf('feed', 'com'))).toBeNull();
  expect(await refusal(importOf('feed', 'org'))).toBeNull();
  expect(await refusal(importOf('feed', 'a.example'))).toBeNull();
  expect(await refusal(addTo('feed', 'com'))).toBeNull();
  const because = ', because it would empty the list';
  const way = '; --allow-empty, in the API allow_empty, permits that';
  expect(await refusal(importOf('feed', 'com'))).toBe(
    `${none}${because}${way}:\nline 1: com is a public suffix, shared by many sites`,
  );
  const expired = { expiresAtMs: NOW_MS };
  expect(await refusal(importOf('feed', 'b.example', expired))).toBe(
    `list_content: feed.txt has no entry that has not expired (1 have); nothing was changed${because}${way}`,
  );
  expect(await refusal(importOf('feed', '', { items: exception }))).toBe(`${none}${because}${way}`);
  const odd = [{ line: 2, message: 'is odd' }];
  expect(await refusal(importOf('feed', '', { items: odd, skipsInvalid: true }))).toBe(
    `list_content: feed.txt has no entry; nothing was changed${because}${way}:\nline 2: is odd`,
  );
  expect(await lists.names()).toEqual(['feed 1']);
  expect(await refusal(importOf('feed', 'com', { mayBeEmpty: true }))).toBeNull();
  expect(await lists.names()).toEqual(['feed 0']);
  await lists.change([removeFrom('feed'), addTo('feed', '', { items: exception })]);
  expect(await lists.names()).toEqual(['feed 1']);
  // Only an operator can permit it.
  await lists.change([importOf('theirs', 'a.example')], 'pack threats');
  const theirs = importOf('theirs', 'com', { source: 'threats' });
  expect(await refusal(theirs, 'pack threats')).toBe(
    `${none.replace('feed.txt', 'threats')}${because}:\nline 1: com is a public suffix, shared by many sites`,
  );
});

test('a refusal names the format in which a file was read', async () => {
  await using lists = openLists();
  const bytes = (text: string) =>
    (async function* () {
      yield Buffer.from(text);
    })();
  const read = (text: string, format: string | null = null) =>
    lists.change([importOf('feed', '', { items: readListFile(bytes(text), format) })]);
  const named = 'read as adblock; name the format if that is wrong';
  await expect(read('@@||a.example^\n', 'adblock')).rejects.toMatchObject({
    message: `feed.txt has no entry that can be applied; nothing was changed\n${named}`,
    clientText: `has no entry that can be applied\n${named}`,
  });
  await expect(read('0.0.0.0\n', 'hosts')).rejects.toThrow(
    /^feed\.txt has no entry; nothing was changed:\nline 1: .*\nread as hosts; name the format if that is wrong$/,
  );
  await expect(read('! nothing\n', 'adblock')).rejects.toThrow(/^feed\.txt has no entry; nothing was changed$/);
  await expect(read('{', 'json')).rejects.toMatchObject({
    errorCode: 'list_content',
    message: expect.stringMatching(/^feed\.txt .*; nothing was changed$/),
  });
  expect((await read('a.example\n'))[0]?.format).toBe('plain');
});

test('the list of a source is removed by the operator as a whole, and that of a pack is not', async () => {
  await using lists = openLists();
  await lists.change([importOf('feed', 'a.example b.example')], SOURCE);
  await lists.change([importOf('threats', 'a.example')], 'pack threats');
  const refused = (list: string, owner: string, by: string) =>
    `the list ${list} belongs to ${owner} and cannot be changed by ${by}: choose another name`;
  for (const [change, by, message] of [
    [removeFrom('feed', 'a.example'), OPERATOR, refused('feed', SOURCE, OPERATOR)],
    [addTo('feed', 'c.example'), OPERATOR, refused('feed', SOURCE, OPERATOR)],
    [removeFrom('feed'), 'pack threats', refused('feed', SOURCE, 'pack threats')],
    [removeFrom('threats'), OPERATOR, refused('threats', 'pack threats', OPERATOR)],
    [removeFrom('threats'), SOURCE, refused('threats', 'pack threats', SOURCE)],
  ] as const)
    await expect(lists.change([change], by)).rejects.toMatchObject({ errorCode: 'list_refused', message });
  await expect(lists.change([backOf('threats')])).rejects.toMatchObject({
    errorCode: 'list_refused',
    message: 'its last change was made by pack threats and cannot be rolled back by operator',
  });
  await lists.change([removeFrom('feed')]);
  expect(await lists.names()).toEqual(['threats 1']);
});

test('a rollback takes back what the operator changed, and leaves scheduled imports as they are', async () => {
  await using lists = openLists();
  await lists.change([importOf('ours', 'a.example')]);
  await lists.change([importOf('feed', 'a.example')], SOURCE);
  await lists.change([addTo('ours', 'b.example')]);
  await lists.change([importOf('feed', 'a.example b.example c.example')], SOURCE);
  await lists.change([importOf('another', 'a.example')], SOURCE);
  expect((await lists.state()).before.map(({ changed_by }) => changed_by)).toEqual([OPERATOR, OPERATOR]);
  await lists.change([backOf(null)]);
  expect(await lists.names()).toEqual(['another 1', 'feed 3', 'ours 1']);
  await lists.change([backOf(null)]);
  expect(await lists.names()).toEqual(['another 1', 'feed 3']);
  await expect(lists.change([backOf(null)])).rejects.toMatchObject({ errorCode: 'nothing_to_roll_back' });
  expect((await lists.state()).revision).toBe(7);
});

test('one list is rolled back alone, also by its action, and the same change is not taken back twice', async () => {
  await using lists = openLists();
  await lists.change([importOf('one', 'a.example')]);
  await lists.change([importOf('two', 'a.example')]);
  await lists.change([importOf('one', 'a.example', { action: 'allow' })]);
  const [changed] = await lists.change([backOf('one')]);
  expect(changed).toMatchObject({ list: 'one', entriesBefore: 1, entries: 1 });
  const actions = async () => (await lists.state()).lists.map(({ name, action }) => `${name} ${action}`);
  expect(await actions()).toEqual(['one block', 'two block']);
  expect((await lists.state()).before.map((state) => state.lists.map(({ name }) => name))).toEqual([['one'], []]);
  await lists.change([removeFrom('one')]);
  await lists.change([backOf('one')]);
  expect(await actions()).toEqual(['one block', 'two block']);
  await lists.change([backOf('one')]);
  expect(await actions()).toEqual(['two block']);
  await lists.change([backOf(null)]);
  expect(await actions()).toEqual([]);
});
