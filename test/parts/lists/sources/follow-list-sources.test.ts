import { expect, test } from 'bun:test';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '#src/app/config.ts';
import { openLocalLog } from '#src/checks/store/local-log.ts';
import { HOUR_MS, systemClock } from '#src/core/base/clock.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { readListState } from '#src/network/lists/stored/list-state.ts';
import { followListSources } from '#src/parts/lists/follow-list-sources.ts';
import { openScoringContext } from '#src/parts/tuning/rescore/rescore-check.ts';
import { createCertificateAuthority } from '#test/support/certificate-authority.ts';
import { type Sample, sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { serveWeb } from '#test/support/web-server.ts';

type Flags = Readonly<Record<string, readonly string[]>>;

/** A node with its log. */
async function openNode(history: readonly Sample[] = []) {
  await using opened = new AsyncDisposableStack();
  const { path: dataDir } = opened.use(temporaryDirectory());
  const logger = createLogger('error', () => {});
  const log = opened.use(await openLocalLog({ dataDir, access: 'serve', clock: systemClock, logger }));
  await Promise.all(history.map((sample) => log.append(sampleRecord(sample))));
  const configOf = (flags: Flags) =>
    readConfig({ flags: { network: ['none'], ...flags, 'data-dir': [dataDir] }, environment: {}, file: null }).values;
  const context = await openScoringContext(configOf({}));
  const events: unknown[] = [];
  const note = (event: string, fields?: object) => void events.push([event, fields]);
  const node = { flags: {} as Flags };
  const closing = opened.move();
  return {
    ...{ dataDir, events, node },
    follow: (flags: Flags, databases: Parameters<typeof followListSources>[2]['databases'] = null) => {
      node.flags = flags;
      const running = () => configOf(node.flags);
      return followListSources(
        running,
        { scoringContext: () => context },
        { log, databases },
        {
          ...logger,
          ...{ info: note, warn: note },
        },
      );
    },
    lists: async () => (await readListState(dataDir)).lists.map(({ name, entries }) => `${name} ${entries}`),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

const hosts = (count: number) => Array.from({ length: count }, (_, at) => `bad${at}.example\n`).join('');

test('without sources nothing is done, until one is configured; its state is removed with it', async () => {
  await using ours = await openNode();
  const path = join(ours.dataDir, 'feed.txt');
  writeFileSync(path, 'a.example\n');
  await using followed = await ours.follow({});
  await followed.checkNow();
  const none = { count: 0, notices: [], sources: [] };
  expect([followed.status(), existsSync(join(ours.dataDir, 'list-sources.json'))]).toEqual([none, false]);
  ours.node.flags = { 'list-sources': [`feed=${path}`] };
  await followed.checkNow();
  expect([followed.status().count, await ours.lists()]).toEqual([1, ['feed 1']]);
  ours.node.flags = {};
  {
    await using again = await ours.follow({});
    expect(again.status()).toEqual(none);
    await again.checkNow();
  }
  expect(await Bun.file(join(ours.dataDir, 'list-sources.json')).json()).toEqual({ sources: {} });
});

test('a URL is fetched over trusted TLS by the egress policy, and the clock of its server is compared', async () => {
  await using ours = await openNode();
  const authority = createCertificateAuthority(Date.now());
  const leaf = authority.issue({ subject: 'lists.example', names: ['127.0.0.1'] });
  const date = new Date(Date.now() - 2 * HOUR_MS).toUTCString();
  await using server = await serveWeb(() => ({ body: 'a.example\n', headers: { date } }), { leaf });
  const ca = join(ours.dataDir, 'ca.pem');
  writeFileSync(ca, authority.pem);
  const flags = {
    'list-sources': [`feed=https://127.0.0.1:${server.port}/feed.txt`],
    ...{ network: ['full'], 'egress-allow': ['127.0.0.0/8'], 'egress-port': [String(server.port)] },
    ...{ 'egress-ca': [ca], 'dns-server': ['127.0.0.1:1'] },
  };
  {
    await using closed = await ours.follow({ ...flags, 'egress-allow': [] });
    await closed.checkNow();
    expect(closed.status().sources[0]?.problem).toStartWith('127.0.0.1 cannot be reached: ');
    expect(await ours.lists()).toEqual([]);
  }
  await using followed = await ours.follow(flags);
  await followed.checkNow();
  expect(await ours.lists()).toEqual(['feed 1']);
  const { notices, sources } = followed.status();
  expect(sources[0]?.problem).toBeNull();
  expect(notices.map(({ code, args }) => [code, args['peer']])).toEqual([['clock_differs', 'a list source']]);
});

test('an import is tried on the checks of both logs, of which a node reads one', async () => {
  const history = Array.from({ length: 100 }, (_, at): Sample => {
    return { url: `http://bad${at}.example/`, visibility: at % 2 === 0 ? 'private' : 'public' };
  });
  await using ours = await openNode(history);
  const path = join(ours.dataDir, 'feed.txt');
  writeFileSync(path, hosts(100));
  const flags = { 'list-sources': [`feed=${path}`] };
  {
    await using both = await ours.follow(flags);
    await both.checkNow();
    expect(both.status().sources[0]?.problem).toBe(
      'it would block 100 of the latest 100 checks, which had the decision allow; nothing was changed',
    );
  }
  rmSync(join(ours.dataDir, 'list-sources.json'));
  await using node = await ours.follow(flags, { lead: async () => false });
  await node.checkNow();
  // Nodes that share no lists have no leader; half of the checks are too few.
  expect([node.status().sources[0]?.problem, await ours.lists()]).toEqual([null, ['feed 100']]);
  expect(ours.events.at(-1)).toMatchObject(['lists.source_imported', { checks_changed: 50 }]);
});

test('of the nodes of a fleet the leader imports, and remains it while the database cannot be reached', async () => {
  await using ours = await openNode();
  const path = join(ours.dataDir, 'feed.txt');
  writeFileSync(path, 'a.example\n');
  const key = join(ours.dataDir, 'client.key');
  const flags = {
    'list-sources': [`feed=${path}`],
    ...{ 'log-database': ['postgres://node@127.0.0.1/public'], 'client-key-file': [key] },
    'log-database-private': ['postgres://node@127.0.0.1/private'],
  };
  const asked: string[] = [];
  let answer: () => Promise<boolean> = async () => false;
  const lead = (what: string) => {
    asked.push(what);
    return answer();
  };
  await using followed = await ours.follow(flags, { lead });
  await followed.checkNow();
  expect([await ours.lists(), new Set(asked)]).toEqual([[], new Set(['list_sources'])]);
  answer = () => Promise.reject(new Error('away'));
  await followed.checkNow();
  expect(await ours.lists()).toEqual([]);
  answer = async () => true;
  await followed.checkNow();
  expect(await ours.lists()).toEqual(['feed 1']);
  answer = () => Promise.reject(new Error('away'));
  writeFileSync(path, 'a.example\nb.example\n');
  await followed.checkNow();
  expect(await ours.lists()).toEqual(['feed 2']);
});
