import { expect, test } from 'bun:test';
import { defaultAssessSettings } from '#src/admin/active/models.ts';
import { openModels } from '#src/app/scoring/classifier.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import { coveringEntries, type EntryQuery, findEntries } from '#src/parts/lists/find-entries.ts';
import type { ListChange } from '#src/parts/lists/list-change.ts';
import { previewLists } from '#src/parts/lists/preview-lists.ts';
import { prepareStoredLists, workOnLists } from '#src/parts/lists/thread/work-on-lists.ts';
import { repeatedLongestTurn } from '#test/support/longest-turn.ts';
import { targetOf } from '#test/support/target.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const ENTRIES = 20_000;

/** Longest turn of the serving thread while a list is read, in milliseconds of processor time, with room for a busy host. */
const LONGEST_MS = 20;

const LINES = Array.from({ length: ENTRIES }, (_, at) => `host-${at}.example-${at % 97}.org`);

const IMPORT = (): ListChange => ({
  ...{ what: 'import', list: 'feed', action: 'block', source: 'feed.txt', expiresAtMs: null },
  items: { bytes: new TextEncoder().encode(`${LINES.join('\n')}\n`), format: null },
});

test(`a list of ${ENTRIES} entries is imported, compared and read in short turns, as a small one is at once`, async () => {
  await using directory = temporaryDirectory();
  const { path } = directory;
  const models = await openModels(path);
  const context = { models, settings: defaultAssessSettings(models), lists: { block: [], allow: [], stored: [] } };
  const { result: prepared, longestMs } = await repeatedLongestTurn(LONGEST_MS, async () => {
    const lists = await prepareStoredLists(path, 'operator', [IMPORT()]);
    const preview = await previewLists(path, lists, context, Date.now());
    expect((await preview.popularSites(3)).at).toEqual({ first: [], count: 0 });
    return lists;
  });
  expect(longestMs).toBeLessThan(LONGEST_MS);
  expect(prepared.changed).toMatchObject([{ entries: ENTRIES, added: ENTRIES, entriesBefore: 0, format: 'plain' }]);
  await prepared.commit();

  const refused = prepareStoredLists(path, 'operator', [
    { what: 'remove', list: 'feed', entries: { named: ['unknown.example'] } },
  ]);
  await expect(refused).rejects.toBeInstanceOf(OperationError);
  await expect(refused).rejects.toThrow('unknown.example is not an entry of the list feed');

  const { next: versions } = prepared;
  const [version] = versions;
  if (version === undefined) throw new Error('no list was imported');
  const target = targetOf(`http://below.${LINES.at(-1)}/x`);
  const covering = await workOnLists('coveringEntries', { versions }, path, versions, target);
  expect(covering).toEqual(await coveringEntries(path, versions, target));
  expect(covering).toMatchObject([{ row: { entry: LINES.at(-1) } }]);
  const query: EntryQuery = { search: 'host-1999', sort: 'entry', isDescending: true, after: null, limit: 5 };
  const { result: found, longestMs: searchMs } = await repeatedLongestTurn(LONGEST_MS, () =>
    workOnLists('findEntries', { versions }, path, versions, query, new Map()),
  );
  expect(searchMs).toBeLessThan(LONGEST_MS);
  expect(found).toEqual(await findEntries(path, versions, query, new Map()));
  expect([found.found, found.entries[0]?.row.entry]).toEqual([11, LINES.at(-1) ?? '']);
});
