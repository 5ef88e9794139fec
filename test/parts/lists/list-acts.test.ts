import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { perform, withDraft } from '#src/admin/audit/act.ts';
import { listsFolder } from '#src/network/lists/stored/list-state.ts';
import { LIST_ACTS } from '#src/parts/lists/list-acts.ts';
import type { ListChange } from '#src/parts/lists/list-change.ts';
import { auditLines } from '#test/support/audit-lines.ts';
import { ownPlace } from '#test/support/own-place.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const BY = { key: 'desk' };
const SHA256 = expect.stringMatching(/^[\da-f]{64}$/);
const item = (value: string) => ({
  value,
  comment: null,
  line: 1,
  expiresAtMs: null,
  source: null,
  isException: false,
});

const importOf = (text: string): ListChange => ({
  ...{ what: 'import', list: 'ours', action: null, source: 'ours.txt', expiresAtMs: null },
  items: { bytes: new TextEncoder().encode(text), format: null },
});
const addition = (...values: string[]): ListChange => ({
  ...{ what: 'add', list: 'ours', action: null, source: null, expiresAtMs: null },
  items: values.map(item),
});
const removal = (entries: Extract<ListChange, { what: 'remove' }>['entries']): ListChange => ({
  ...{ what: 'remove', list: 'ours', entries },
});

test('each act on a list is recorded with what it is about', async () => {
  await using directory = temporaryDirectory();
  const place = ownPlace(directory.path);
  const act = async (change: ListChange) => await perform(LIST_ACTS[change.what], place, BY, change);
  const [imported] = await act(importOf('a.example\nb.example\nc.example\nd.example\n'));
  expect(imported).toMatchObject({ list: 'ours', entries: 4, added: 4 });
  await act(addition('other.example'));
  await act(removal({ named: ['a.example'] }));
  await act(removal({ named: ['b.example', 'c.example'] }));
  await act(removal({ matching: 'other' }));
  await act({ what: 'rollback', list: 'ours' });
  await act(removal(null));
  const line = (action: string, detail: Record<string, unknown>) => ({
    action: `lists.${action}`,
    subject: 'ours',
    detail,
  });
  expect(auditLines(directory.path)).toEqual([
    line('import', { source: 'ours.txt', entries: 4, sha256: SHA256 }),
    line('add', { entry: 'other.example', entries: 5, sha256: SHA256 }),
    line('remove', { entry: 'a.example', entries: 4, sha256: SHA256 }),
    line('remove', { removed: 2, removed_entries: ['b.example', 'c.example'], entries: 2, sha256: SHA256 }),
    line('remove', { matching: 'other', removed: 1, entries: 1, sha256: SHA256 }),
    line('rollback', { entries: 2, sha256: SHA256 }),
    line('remove', { entries: 0, sha256: null }),
  ]);
});

test('a preview, a refusal and a lost race leave no file, and what is active stays', async () => {
  await using directory = temporaryDirectory();
  const place = ownPlace(directory.path);
  const first = importOf('a.example\n');
  await perform(LIST_ACTS.import, place, BY, first);
  const files = () => readdirSync(listsFolder(directory.path)).toSorted();
  const before = files();
  await withDraft(LIST_ACTS.add, place, addition('b.example'), async ({ lists }) => {
    expect([lists.changed[0]?.added, files().length]).toEqual([1, before.length + 1]);
  });
  expect(files()).toEqual(before);
  const refused = perform(LIST_ACTS.import, place, BY, importOf('not a host\n'));
  await expect(refused).rejects.toMatchObject({
    errorCode: 'list_content',
    clientText: expect.stringMatching(/^has /),
  });
  expect(files()).toEqual(before);
  const race = withDraft(LIST_ACTS.add, place, addition('b.example'), async (_, commit) => {
    await perform(LIST_ACTS.add, place, BY, addition('c.example'));
    return await commit(BY);
  });
  await expect(race).rejects.toMatchObject({ errorCode: 'changed_meanwhile' });
  expect(files().filter((file) => file.endsWith('.list'))).toHaveLength(2);
  expect(auditLines(directory.path).map(({ action }) => action)).toEqual([
    ...['lists.import', 'lists.add', 'lists.add', 'lists.add.failed'],
  ]);
});
