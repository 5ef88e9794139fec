import { expect, test } from 'bun:test';
import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SETTINGS } from '#src/app/config.ts';
import { HOUR_MS, MINUTE_MS } from '#src/core/base/clock.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import { defaultsOf } from '#src/core/base/settings/setting.ts';
import type { ListSource } from '#src/network/lists/settings.ts';
import { readListState, SOURCE, stateFileIn } from '#src/network/lists/stored/list-state.ts';
import type { Fetched } from '#src/parts/lists/sources/fetch-source.ts';
import { followSources } from '#src/parts/lists/sources/follow-sources.ts';
import { hasSourceStates, readSourceStates } from '#src/parts/lists/sources/source-state.ts';
import { changeStoredLists } from '#src/parts/lists/thread/work-on-lists.ts';
import { openScoringContext } from '#src/parts/tuning/rescore/rescore-check.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const START_MS = Date.UTC(2026, 0, 31, 12);
const at = (afterMs: number) => new Date(START_MS + afterMs).toISOString();

const feedFrom = (from: ListSource['from'], more: Partial<ListSource> = {}): ListSource => ({
  ...{ name: 'feed', action: 'block', format: null, everyMs: null, from, ...more },
});
const URL_OF = { kind: 'https', url: 'https://lists.example/feed.txt' } as const;

const entry = (value: string) => ({
  ...{ value, line: 1, expiresAtMs: null, source: null, comment: null, isException: false },
});

const ONE = { etag: '"1"', last_modified: null };
const listOf = (text: string, validators = ONE): Fetched => ({ bytes: new TextEncoder().encode(text), validators });

/** An installation with sources, whose clock and server a test has in its hands. */
async function openSources(...sources: readonly ListSource[]) {
  const directory = temporaryDirectory();
  const { path: dataDir } = directory;
  const context = await openScoringContext({ ...defaultsOf(SETTINGS), data_dir: dataDir });
  const events: unknown[] = [];
  const asked: unknown[] = [];
  const note = (event: string, fields?: object) => void events.push([event, fields]);
  const world = { nowMs: START_MS, sources, answer: async (): Promise<Fetched> => listOf('a.example\n') };
  const follow = (more: Partial<Parameters<typeof followSources>[0]> = {}) =>
    followSources({
      ...{ dataDir, clock: { now: () => world.nowMs }, logger: { info: note, warn: note } },
      ...{ sources: () => world.sources, context: () => context, latestChecks: async function* () {} },
      async fetch(_, known) {
        asked.push(known);
        return await world.answer();
      },
      ...more,
    });
  /** What was asked and logged by now, once. */
  const took = () => [asked.splice(0), events.splice(0)] as const;
  return {
    ...{ dataDir, world, follow, took },
    /** Checks all sources, due or not. */
    async all() {
      await using followed = follow();
      await followed.checkNow();
      return [followed.status(), ...took()] as const;
    },
    /** Checks the sources that are due, as a start does after some time; returns what was asked. */
    async due(afterMs: number) {
      world.nowMs = START_MS + afterMs;
      const started = Promise.withResolvers<void>();
      let [looks, checks] = [0, 0];
      await using followed = follow({
        // The second time it knows what is due.
        sources() {
          if (++looks === 2) started.resolve();
          return world.sources;
        },
        // Of the two checks, the one that was asked for leaves the sources to others.
        leads: async () => ++checks === 1,
      });
      await started.promise;
      await followed.checkNow();
      return took()[0];
    },
    lists: async () => (await readListState(dataDir)).lists,
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}

test('a file is imported when it changes, and a failure is logged once', async () => {
  await using directory = temporaryDirectory();
  const path = join(directory.path, 'feed.txt');
  writeFileSync(path, 'a.example\n'.repeat(2));
  await using node = await openSources(feedFrom({ kind: 'file', path }));
  const counts = { entries: 1, added: 1, quarantined: 0, left_out: 0, checks_changed: 0 };
  const [status, asked, events] = await node.all();
  expect(asked).toEqual([]);
  expect(events).toEqual([['lists.source_imported', { list: 'feed', format: 'plain', ...counts }]]);
  const report = { name: 'feed', tried_at: at(0), renewed_at: at(0), next_at: null, problem: null };
  expect(status).toEqual({ count: 1, notices: [], sources: [report] });
  // Unchanged, it counts as renewed.
  node.world.nowMs += MINUTE_MS;
  const renewed = { ...report, tried_at: at(MINUTE_MS), renewed_at: at(MINUTE_MS) };
  expect(await node.all()).toEqual([{ count: 1, notices: [], sources: [renewed] }, [], []]);
  // As is the same text with another time.
  rmSync(path);
  writeFileSync(path, 'a.example\n'.repeat(2));
  expect((await node.all())[2]).toEqual([]);
  rmSync(path);
  const problem = 'its file does not exist';
  const failed = { ...renewed, next_at: at(11 * MINUTE_MS), problem };
  const text = `The source of the list feed cannot be used; it was last renewed at ${at(MINUTE_MS)}.`;
  const notices = [{ code: 'list_source_failed', args: { list: 'feed' }, text }];
  const missing = { count: 1, notices, sources: [failed] };
  expect(await node.all()).toEqual([missing, [], [['lists.source_failed', { list: 'feed', problem }]]]);
  expect(await node.all()).toEqual([missing, [], []]);
  writeFileSync(path, 'b.example\nc.example\n');
  const changed = { ...counts, entries: 2, added: 2 };
  expect(await node.all()).toEqual([
    { count: 1, notices: [], sources: [renewed] },
    [],
    [['lists.source_imported', { list: 'feed', format: 'plain', ...changed }]],
  ]);
});

test('a start reads a file that changed meanwhile, and one that does not exist after ten minutes', async () => {
  await using directory = temporaryDirectory();
  const path = join(directory.path, 'feed.txt');
  await using node = await openSources(feedFrom({ kind: 'file', path }));
  const reports = async (afterMs: number) => {
    await node.due(afterMs);
    const { feed } = Object.fromEntries(readSourceStates(node.dataDir));
    return [feed?.tried_at, feed?.problem];
  };
  expect(await reports(0)).toEqual([at(0), 'its file does not exist']);
  expect(await reports(10 * MINUTE_MS - 1)).toEqual([at(0), 'its file does not exist']);
  expect(await reports(10 * MINUTE_MS)).toEqual([at(10 * MINUTE_MS), 'its file does not exist']);
  writeFileSync(path, 'a.example\n');
  expect(await reports(10 * MINUTE_MS + 1)).toEqual([at(10 * MINUTE_MS + 1), null]);
  expect(await reports(20 * MINUTE_MS)).toEqual([at(10 * MINUTE_MS + 1), null]);
});

test('a URL is fetched every hour with its validators, and sooner after a failure', async () => {
  await using node = await openSources(feedFrom(URL_OF));
  const stored = () => readSourceStates(node.dataDir).get('feed');
  expect(await node.due(0)).toEqual([null]);
  expect(stored()).toEqual({
    ...{ place: expect.stringMatching(/^[\da-f]{64}$/), sha256: expect.stringMatching(/^[\da-f]{64}$/) },
    ...{ ...ONE, tried_at: at(0), renewed_at: at(0), problem: null },
  });
  expect(readFileSync(join(node.dataDir, 'list-sources.json'), 'utf8')).toMatch(/^\{\n {2}"sources": \{\n[\s\S]*\}\n$/);
  expect(await node.due(HOUR_MS - 1)).toEqual([]);
  node.world.answer = async () => null;
  expect(await node.due(HOUR_MS)).toEqual([expect.objectContaining(ONE)]);
  expect(stored()).toMatchObject({ ...ONE, tried_at: at(HOUR_MS), renewed_at: at(HOUR_MS) });
  node.world.answer = async () => {
    throw new OperationError('source_failed', ['lists.example answers with status 500']);
  };
  expect(await node.due(2 * HOUR_MS)).toHaveLength(1);
  const problem = 'lists.example answers with status 500';
  expect(stored()).toMatchObject({ ...ONE, tried_at: at(2 * HOUR_MS), renewed_at: at(HOUR_MS), problem });
  // What was not imported is fetched whole.
  expect(await node.due(2 * HOUR_MS + 10 * MINUTE_MS - 1)).toEqual([]);
  node.world.answer = async () => listOf('a.example\n', { ...ONE, etag: '"2"' });
  expect(await node.due(2 * HOUR_MS + 10 * MINUTE_MS)).toEqual([null]);
  expect(stored()).toMatchObject({ etag: '"2"', problem: null });
  // A clock that was set back puts nothing off.
  expect(await node.due(0)).toHaveLength(1);
  // Of two checks only the first was asked for.
  const report = async () => {
    const [status, asked] = await node.all();
    expect(asked).toHaveLength(1);
    return status.sources[0];
  };
  expect(await report()).toMatchObject({ tried_at: at(0), next_at: at(HOUR_MS), problem: null });
  node.world.sources = [feedFrom(URL_OF, { everyMs: 5 * MINUTE_MS })];
  expect(await node.due(5 * MINUTE_MS - 1)).toEqual([]);
  expect(await node.due(5 * MINUTE_MS)).toHaveLength(1);
  expect(await report()).toMatchObject({ next_at: at(10 * MINUTE_MS) });
});

test('a source with another place, action or format is fetched whole, as is one whose list was removed', async () => {
  await using node = await openSources(feedFrom(URL_OF));
  expect(await node.due(0)).toEqual([null]);
  expect(await node.due(1)).toEqual([]);
  // Damaged lists may still be there.
  const state = stateFileIn(node.dataDir);
  const text = readFileSync(state);
  writeFileSync(state, '{');
  expect(await node.due(1)).toEqual([]);
  writeFileSync(state, text);
  const { answer } = node.world;
  node.world.answer = () => Promise.reject(new OperationError('source_failed', ['it is away']));
  const other = { kind: 'https', url: 'https://lists.example/other.txt' } as const;
  for (const source of [
    feedFrom(other),
    feedFrom(other, { format: 'plain' }),
    feedFrom(other, { format: 'plain', action: 'allow' }),
    feedFrom({ kind: 'file', path: '/nowhere/other.txt' }, { format: 'plain', action: 'allow' }),
  ]) {
    node.world.sources = [source];
    expect(await node.due(1)).toEqual(source.from.kind === 'https' ? [null] : []);
    expect(await node.due(1)).toEqual([]);
  }
  node.world.answer = answer;
  node.world.sources = [feedFrom(URL_OF, { action: 'allow' })];
  expect(await node.due(1)).toEqual([null]);
  expect((await node.lists()).map(({ name, action }) => [name, action])).toEqual([['feed', 'allow']]);
  await changeStoredLists(node.dataDir, SOURCE, [
    { what: 'import', list: 'other', action: null, source: null, expiresAtMs: null, items: [entry('a.example')] },
  ]);
  await changeStoredLists(node.dataDir, 'operator', [
    { what: 'remove', list: 'feed', entries: null },
    { what: 'import', list: 'ours', action: null, source: null, expiresAtMs: null, items: [entry('a.example')] },
  ]);
  expect(await node.due(1)).toEqual([null]);
  expect((await node.lists()).map(({ name }) => name)).toEqual(['feed', 'other', 'ours']);
  // The state of a source goes with it.
  node.world.sources = [];
  expect((await node.all())[0]).toEqual({ count: 0, notices: [], sources: [] });
  expect([...readSourceStates(node.dataDir)]).toEqual([]);
});

test('a line that was not understood is logged with its reason', async () => {
  await using node = await openSources(feedFrom(URL_OF));
  const hosts = Array.from({ length: 100 }, (_, n) => `bad${n}.example\n`).join('');
  node.world.answer = async () => listOf(`${hosts}com\nnot a host\n`);
  const [, , events] = await node.all();
  const reason = 'line 102: "not a host" contains white space: write one host or URL per line';
  expect(events).toMatchObject([
    ['lists.source_imported', { entries: 100, added: 100, quarantined: 1, left_out: 1, not_understood: reason }],
  ]);
});

test('of the nodes that share lists, only the leader fetches them', async () => {
  await using node = await openSources(feedFrom(URL_OF));
  await using followed = node.follow({ leads: async () => false });
  await followed.checkNow();
  expect(node.took()).toEqual([[], []]);
  const waiting = { name: 'feed', tried_at: null, renewed_at: null, next_at: null, problem: null };
  expect(followed.status()).toEqual({ count: 1, notices: [], sources: [waiting] });
  expect(hasSourceStates(node.dataDir)).toBe(false);
  node.world.answer = () => Promise.reject(new OperationError('source_failed', ['it is away']));
  await node.all();
  {
    // What another node found before is not this node's.
    await using follower = node.follow({ leads: async () => false });
    expect(follower.status().notices).toHaveLength(1);
    await follower.checkNow();
    expect(follower.status()).toEqual({ count: 1, notices: [], sources: [waiting] });
  }
  // Without sources there is nothing to lead.
  node.world.sources = [];
  await using last = node.follow({ leads: async () => false });
  await last.checkNow();
  expect([...readSourceStates(node.dataDir)]).toEqual([]);
});

test('a file of more than 64 MiB is refused before it is read', async () => {
  await using directory = temporaryDirectory();
  const path = join(directory.path, 'feed.txt');
  writeFileSync(path, 'a.example\n');
  truncateSync(path, 64 * 1024 * 1024 + 1);
  await using node = await openSources(feedFrom({ kind: 'file', path }));
  expect((await node.all())[0].sources[0]?.problem).toBe('its file holds more than 64 MiB');
});

test('what has never been imported says so', async () => {
  await using node = await openSources(feedFrom(URL_OF));
  node.world.answer = async () => {
    throw new TypeError('a fault');
  };
  const [{ notices, sources }, , events] = await node.all();
  expect(notices.map(({ text }) => text)).toEqual([
    'The source of the list feed cannot be used; it was never imported.',
  ]);
  const problem = 'TypeError: a fault';
  expect(sources).toEqual([{ name: 'feed', tried_at: at(0), renewed_at: null, next_at: at(10 * MINUTE_MS), problem }]);
  expect(events).toEqual([['lists.source_failed', { list: 'feed', problem }]]);
});

test('a stop ends a fetch, without a failure to report', async () => {
  await using node = await openSources(feedFrom(URL_OF), feedFrom(URL_OF, { name: 'other' }));
  const begun = Promise.withResolvers<void>();
  const followed = node.follow({
    fetch: (_, __, signal) => {
      begun.resolve();
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    },
  });
  await begun.promise;
  await followed[Symbol.asyncDispose]();
  expect([node.took()[1], hasSourceStates(node.dataDir)]).toEqual([[], false]);
});

test('a damaged state counts as none', async () => {
  await using node = await openSources(feedFrom(URL_OF));
  node.world.answer = async () => null;
  for (const text of ['{', '{"sources": {"feed": {"place": "x"}}}']) {
    writeFileSync(join(node.dataDir, 'list-sources.json'), text);
    expect(await node.due(0)).toEqual([null]);
    expect(readSourceStates(node.dataDir).get('feed')?.tried_at).toBe(at(0));
  }
});
