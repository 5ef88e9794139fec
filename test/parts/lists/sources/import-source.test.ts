import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { latestEntries } from '#src/admin/audit/audit-log.ts';
import { SETTINGS } from '#src/app/config.ts';
import { defaultsOf } from '#src/core/base/settings/setting.ts';
import { readListFile } from '#src/network/lists/formats/read-list-file.ts';
import { type ListAction, OPERATOR, readListState, SOURCE } from '#src/network/lists/stored/list-state.ts';
import { importSource } from '#src/parts/lists/sources/import-source.ts';
import { openScoringContext } from '#src/parts/tuning/rescore/rescore-check.ts';
import { auditLines } from '#test/support/audit-lines.ts';
import { changeLists } from '#test/support/change-lists.ts';
import { sampleCheck } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const hosts = (count: number) => Array.from({ length: count }, (_, at) => `bad${at}.example\n`).join('');

/** Checks of `bad0.example` and the following ones. */
async function* checksOf(count: number) {
  for (let at = 0; at < count; at++) yield { result: sampleCheck({ url: `http://bad${at}.example/` }).result };
}

async function openFeed(action: ListAction = 'block') {
  const directory = temporaryDirectory();
  const { path: dataDir } = directory;
  const config = { ...defaultsOf(SETTINGS), data_dir: dataDir };
  const from = { kind: 'https' as const, url: 'https://lists.example/feed.txt?key=s3cr3t' };
  const source = { ...{ name: 'feed', action, format: null, everyMs: null }, from };
  return {
    dataDir,
    directory,
    async take(text: string, latestChecks: Parameters<typeof importSource>[3]['latestChecks'] = checksOf(0)) {
      const context = await openScoringContext(config);
      return await importSource(dataDir, source, new TextEncoder().encode(text), { context, latestChecks });
    },
    /** Stores a list without a guard, as from before its entries were popular. */
    async store(by: string, list: string, action: ListAction, text: string) {
      const bytes = (async function* () {
        yield Buffer.from(text);
      })();
      await changeLists({ dataDir, by, guard: () => null, nowMs: Date.now() }, [
        { what: 'import', list, action, source: null, expiresAtMs: null, items: readListFile(bytes) },
      ]);
    },
    async names() {
      return (await readListState(dataDir)).lists.map(({ name, entries, quarantined }) => [name, entries, quarantined]);
    },
    files: () => readdirSync(join(dataDir, 'lists')).filter((file) => file.endsWith('.list')),
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}

test('imports what may be a list, and records it without the key of its URL', async () => {
  await using feed = await openFeed();
  // One line of a hundred is invalid, and a hundred checks would be enough to say that it blocks too many.
  const first = await feed.take(`not a host\n${hosts(99)}com\n`, checksOf(99));
  expect(first).toMatchObject({
    checksChanged: 99,
    changed: { list: 'feed', entries: 99, added: 99, quarantined: 1, unread: { count: 1 }, format: 'plain' },
  });
  await feed.take(hosts(100));
  // A tenth of the entries remains; what is no longer blocked does no harm.
  expect(await feed.take(hosts(10), checksOf(100))).toMatchObject({ checksChanged: 90 });
  expect(await feed.names()).toEqual([['feed', 10, 0]]);
  const [state] = (await readListState(feed.dataDir)).lists;
  const [latest] = latestEntries(feed.dataDir, 1);
  expect([latest?.by, state?.origin, state?.source]).toEqual([{ service: 'list_sources' }, SOURCE, null]);
  expect(auditLines(feed.dataDir)).toEqual(
    [99, 100, 10].map((entries) => ({
      ...{ action: 'lists.import', subject: 'feed' },
      detail: {
        ...{ source: 'https://lists.example/feed.txt?***', entries },
        sha256: entries === 10 ? state?.sha256 : expect.stringMatching(/^[\da-f]{64}$/),
      },
    })),
  );
});

test('refuses what a person would not confirm, and leaves no file of it', async () => {
  await using feed = await openFeed();
  await feed.take(hosts(100));
  const files = feed.files();
  for (const [text, problem] of [
    ['', 'it has no entry; nothing was changed, because it would empty the list'],
    [
      `${hosts(99)}not a host\n`,
      'it was read as plain and has 1 invalid lines; line 100: "not a host" contains white space: write one host or URL per line; nothing was changed',
    ],
    [
      hosts(9),
      'it has 9 entries and had 100: if that is correct, run lurecheck lists remove first; nothing was changed',
    ],
  ] as const) {
    await expect(feed.take(text)).rejects.toMatchObject({ errorCode: expect.any(String), message: problem });
    expect(feed.files()).toEqual(files);
  }
  expect(await feed.names()).toEqual([['feed', 100, 0]]);
  expect(auditLines(feed.dataDir)).toHaveLength(1);
});

test('refuses a first list of which nothing can be applied', async () => {
  await using feed = await openFeed();
  await expect(feed.take('com\n')).rejects.toMatchObject({
    errorCode: 'source_failed',
    message: 'it has no entry that can be applied; nothing was changed',
  });
  expect([await feed.names(), feed.files()]).toEqual([[], []]);
});

test.each(['block', 'allow'] as const)(
  'refuses a list that would %s more than a tenth of the latest checks',
  async (action) => {
    await using feed = await openFeed(action);
    const before = action === 'block' ? 'allow' : 'block';
    // Of lists with equal entries, the one that allows decides.
    if (action === 'allow') await feed.store(OPERATOR, 'ours', before, hosts(100));
    await expect(feed.take(hosts(11), checksOf(100))).rejects.toMatchObject({
      errorCode: 'source_failed',
      message: `it would ${action} 11 of the latest 100 checks, which had the decision ${before}; nothing was changed`,
    });
    expect((await feed.take(hosts(10), checksOf(100))).checksChanged).toBe(10);
    expect(feed.files()).toHaveLength((await feed.names()).length);
  },
);

test('refuses a list that no longer allows a popular site which another list blocks', async () => {
  await using feed = await openFeed('allow');
  await feed.store(OPERATOR, 'ours', 'block', 'google.com\n');
  await feed.store(SOURCE, 'feed', 'allow', 'google.com\na.example\n');
  await expect(feed.take('a.example\n')).rejects.toMatchObject({
    errorCode: 'source_failed',
    message: 'it would block 1 well-known sites, www.google.com among them; nothing was changed',
  });
  expect(await feed.names()).toEqual([
    ['feed', 2, 0],
    ['ours', 1, 0],
  ]);
});
