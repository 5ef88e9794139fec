import { describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readListFile } from '#src/network/lists/formats/read-list-file.ts';
import type { ListAction } from '#src/network/lists/stored/list-state.ts';
import { listsFolder, readListState, stateFileIn } from '#src/network/lists/stored/list-state.ts';
import type { Feed } from '#src/parts/feeds/feed/feed.ts';
import { type FeedSource, type Feeds, openFeeds } from '#src/parts/feeds/feed/feeds.ts';
import { type FeedTask, makeFeeds } from '#src/parts/feeds/feed/make-feeds.ts';
import { changeLists } from '#test/support/change-lists.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const START = Date.UTC(2027, 0, 1, 12);
const HOUR = 3_600_000;

async function* noChecks(): AsyncGenerator<never> {}

async function* bytesOf(text: string) {
  yield Buffer.from(text);
}

/** Feeds of a data directory whose clocks stand still, and what was made and logged of them. */
function openWorld() {
  const directory = temporaryDirectory();
  const dataDir = directory.path;
  const clock = { nowMs: START, elapsedMs: 0, now: () => clock.nowMs, monotonicMs: () => clock.elapsedMs };
  const tasks: FeedTask[] = [];
  const log: [string, unknown][] = [];
  let source: FeedSource = {
    ...{ stamp: [0], settings: { data_dir: dataDir, block_list: [], allow_list: [] } },
    ...{ digests: { block: [], allow: [] }, source: 'node-1', clockFloorMs: 0, fault: null, everyMs: null },
  };
  let isOn = true;
  const open = () =>
    openFeeds({
      ...{ dataDir, isOn: () => isOn, source: () => source, clock, pollMs: 1 },
      make: (task) => {
        tasks.push(task);
        return makeFeeds(task, noChecks());
      },
      logger: { info: () => {}, error: (event, fields) => log.push([event, fields]) },
    });
  const change = async (list: string, action: ListAction, text: string, expiresAtMs: number | null = null) => {
    const items = readListFile(bytesOf(text));
    const imported = { what: 'import', list, action, source: null, expiresAtMs, weight: null, items } as const;
    await changeLists({ dataDir, by: 'operator', guard: () => null, nowMs: START - HOUR }, [imported]);
  };
  return {
    ...{ dataDir, clock, tasks, log, open, change },
    set(changed: Partial<FeedSource>) {
      source = { ...source, ...changed };
    },
    /** Makes the feeds notice that something changed. */
    touch() {
      source = { ...source, stamp: [tasks.length + 1] };
    },
    turn(on: boolean) {
      isOn = on;
    },
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}

const textOf = (feed: Feed | null) => feed && Buffer.from(feed.text).toString();
const serialOf = (feed: Feed | null) => Number(/ SOA \S+ \S+ (\d+) /.exec(textOf(feed) ?? '')?.[1]);

/** Pulls until the feed has other contents than `before`. */
async function pullChanged(feeds: Feeds, name: Parameters<Feeds['pull']>[0], before: Feed | null): Promise<Feed> {
  for (;;) {
    const feed = await feeds.pull(name);
    if (feed && feed !== before) return feed;
    await new Promise(setImmediate);
  }
}

/** Waits until more has been tried than before. */
async function untilTried({ tasks }: { readonly tasks: readonly unknown[] }, feeds: Feeds, before: number) {
  while (tasks.length <= before || feeds.notices().length === 0) await new Promise(setImmediate);
}

describe('a feed', () => {
  test('contains blocked entries without allowed ones, also compressed', async () => {
    await using world = openWorld();
    await world.change('feed', 'block', 'evil.example\nwide.example\n198.51.100.0/24\nhttps://shared.example/kit\n');
    await world.change('ours', 'allow', 'good.wide.example\n');
    await using feeds = world.open();
    const domains = await feeds.pull('domains');
    expect(textOf(domains)).toBe('evil.example\n*.evil.example\n');
    expect(domains && gunzipSync(domains.packed).toString()).toBe(textOf(domains) ?? '');
    expect(domains).toMatchObject({ lines: 2, changedMs: START });
    expect(Object.fromEntries(domains?.leftOut ?? [])).toEqual({ within: 1, address: 1, url: 1 });
    expect(textOf(await feeds.pull('addresses'))).toBe('198.51.100.0/24\n');
    const rpz = textOf(await feeds.pull('rpz'));
    expect(rpz).toContain(`@ SOA localhost. hostmaster.localhost. ${START / 1000} 60 60 604800 300\n`);
    expect(rpz).toContain('\ngood.wide.example CNAME rpz-passthru.\n*.good.wide.example CNAME rpz-passthru.\n');
    // What knows no exception blocks less, never more.
    expect(
      textOf(await feeds.pull('plain'))
        ?.split('\n')
        .slice(1),
    ).toEqual(['evil.example', '198.51.100.0/24', 'http://shared.example/kit', '']);
  });

  test('is empty if nothing is blocked, without a notice', async () => {
    await using world = openWorld();
    await using feeds = world.open();
    expect(textOf(await feeds.pull('domains'))).toBe('');
    expect(feeds.notices()).toEqual([]);
  });

  test('is built once for many pulls, and again only after a change', async () => {
    await using world = openWorld();
    await world.change('feed', 'block', 'a.example\n');
    await using feeds = world.open();
    const pulls = await Promise.all(Array.from({ length: 50 }, () => feeds.pull('domains')));
    expect(new Set(pulls).size).toBe(1);
    expect(world.tasks).toHaveLength(1);
    world.clock.elapsedMs += HOUR;
    await feeds.pull('urls');
    expect(world.tasks.map(({ names }) => names)).toEqual([['domains'], ['urls']]);
    await world.change('feed', 'block', 'b.example\n');
    world.touch();
    const changed = await pullChanged(feeds, 'domains', pulls[0] ?? null);
    expect(textOf(changed)).toBe('b.example\n*.b.example\n');
    expect(world.tasks[2]?.names).toEqual(['domains', 'urls']);
  });

  test('that no client has pulled for a day is not rebuilt', async () => {
    await using world = openWorld();
    await using feeds = world.open();
    await feeds.pull('domains');
    world.clock.elapsedMs += 24 * HOUR;
    world.touch();
    await feeds.pull('urls');
    expect(world.tasks.at(-1)?.names).toEqual(['urls']);
  });

  test('is removed when feeds are disabled', async () => {
    await using world = openWorld();
    await using feeds = world.open();
    await feeds.pull('domains');
    world.turn(false);
    expect(await pullUntilNull(feeds)).toBeNull();
  });

  test('removes an entry within a minute of its expiry', async () => {
    await using world = openWorld();
    await world.change('feed', 'block', 'a.example\n', START + 30_000);
    await using feeds = world.open();
    const before = await feeds.pull('domains');
    expect(before?.lines).toBe(2);
    [world.clock.nowMs, world.clock.elapsedMs] = [START + 90_000, 90_000];
    expect(textOf(await pullChanged(feeds, 'domains', before))).toBe('');
  });

  test('that includes blocked checks is rebuilt at an interval', async () => {
    await using world = openWorld();
    world.set({ everyMs: 60_000 });
    await using feeds = world.open();
    await feeds.pull('domains');
    world.clock.elapsedMs = 60_000;
    while (world.tasks.length < 2) await new Promise(setImmediate);
  });
});

async function pullUntilNull(feeds: Feeds): Promise<Feed | null> {
  for (;;) {
    const feed = await feeds.pull('domains');
    if (feed === null) return null;
    await new Promise(setImmediate);
  }
}

describe('the serial of a zone', () => {
  test('remains the same if no entry changed, across list changes and restarts', async () => {
    await using world = openWorld();
    await world.change('feed', 'block', 'a.example\n');
    let first: Feed | null;
    {
      await using feeds = world.open();
      first = await feeds.pull('rpz');
      // Another list of the same entries.
      await world.change('more', 'block', 'a.example\n');
      world.clock.nowMs += HOUR;
      world.touch();
      while (world.tasks.length < 2) await new Promise(setImmediate);
    }
    world.clock.nowMs += HOUR;
    await using feeds = world.open();
    const again = await feeds.pull('rpz');
    expect(again).toEqual(first);
    expect(serialOf(again)).toBe(START / 1000);
  });

  test('grows with each change, even within a second, after a clock step back and across restarts', async () => {
    await using world = openWorld();
    const serials: number[] = [];
    for (const [at, backMs] of [0, 0, -HOUR, -2 * HOUR, 5 * HOUR].entries()) {
      world.clock.nowMs += backMs;
      await world.change('feed', 'block', `n${at}.example\n`);
      await using feeds = world.open();
      serials.push(serialOf(await feeds.pull('rpz')));
    }
    const first = START / 1000;
    expect(serials).toEqual([first, first + 1, first + 2, first + 3, (START + 2 * HOUR) / 1000]);
  });

  test('is not lower than the latest known time of the clock', async () => {
    await using world = openWorld();
    world.set({ clockFloorMs: START + HOUR });
    await using feeds = world.open();
    expect(serialOf(await feeds.pull('rpz'))).toBe((START + HOUR) / 1000);
  });

  test('is the current time if its file is damaged, which is logged', async () => {
    await using world = openWorld();
    await Bun.write(join(world.dataDir, 'feeds.json'), '{');
    await using feeds = world.open();
    expect(serialOf(await feeds.pull('rpz'))).toBe(START / 1000);
    expect(world.log).toEqual([['file.unusable', expect.objectContaining({ file: 'feeds' })]]);
  });
});

describe('an unreadable list', () => {
  /** Damages the file of a list, and returns what repairs it. */
  async function damage(dataDir: string): Promise<() => Promise<unknown>> {
    const [version] = (await readListState(dataDir)).lists;
    const path = join(listsFolder(dataDir), version?.file ?? '');
    const sound = await Bun.file(path).bytes();
    await appendFile(path, 'b.example\t2\t1\t\t\t\t\n');
    return () => Bun.write(path, sound);
  }

  test('results in no feed after a start, and a notice', async () => {
    await using world = openWorld();
    await world.change('feed', 'block', 'a.example\n');
    await damage(world.dataDir);
    await using feeds = world.open();
    expect(await Promise.all([feeds.pull('domains'), feeds.pull('rpz'), feeds.pull('domains')])).toEqual([
      null,
      null,
      null,
    ]);
    expect(feeds.notices()).toMatchObject([{ code: 'feeds_missing' }]);
    // A firewall that asks again and again costs nothing.
    expect(world.tasks).toHaveLength(1);
    expect(world.log).toEqual([['feeds.kept', { problem: expect.stringContaining('is damaged'), feeds: [] }]]);
  });

  test('leaves the previous feed available, with a notice until the list is readable', async () => {
    await using world = openWorld();
    await world.change('feed', 'block', 'a.example\n');
    await using feeds = world.open();
    const before = await feeds.pull('domains');
    const repair = await damage(world.dataDir);
    world.touch();
    await untilTried(world, feeds, 1);
    expect(await feeds.pull('domains')).toBe(before as Feed);
    expect(feeds.notices()).toMatchObject([{ code: 'feeds_stale' }]);
    await repair();
    await world.change('feed', 'block', 'c.example\n');
    world.touch();
    expect(textOf(await pullChanged(feeds, 'domains', before))).toBe('c.example\n*.c.example\n');
    expect(feeds.notices()).toEqual([]);
  });

  test('is read again after ten seconds, even without a change', async () => {
    await using world = openWorld();
    world.set({ fault: 'the list in /lists/a cannot be read' });
    await using feeds = world.open();
    expect(await feeds.pull('domains')).toBeNull();
    world.set({ fault: null });
    expect(await feeds.pull('domains')).toBeNull();
    world.clock.elapsedMs = 10_000;
    expect(textOf(await feeds.pull('domains'))).toBe('');
  });

  test('is not an empty list: no feed is built if the state file of the lists is missing', async () => {
    await using world = openWorld();
    await world.change('feed', 'block', 'a.example\n');
    {
      await using feeds = world.open();
      await feeds.pull('domains');
    }
    rmSync(stateFileIn(world.dataDir));
    await using feeds = world.open();
    expect(await feeds.pull('domains')).toBeNull();
    expect(world.log[0]).toEqual(['feeds.kept', expect.objectContaining({ feeds: [] })]);
  });

  test('is not the same as a list that was removed', async () => {
    await using world = openWorld();
    await world.change('feed', 'block', 'a.example\n');
    await using feeds = world.open();
    const before = await feeds.pull('domains');
    await changeLists({ dataDir: world.dataDir, by: 'operator', guard: () => null, nowMs: START }, [
      { what: 'remove', list: 'feed', entries: null },
    ]);
    world.touch();
    expect(textOf(await pullChanged(feeds, 'domains', before))).toBe('');
  });
});
