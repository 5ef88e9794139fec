import { expect, test } from 'bun:test';
import { HistoryPageSchema } from '#src/checks/record/history-page.ts';
import { lurecheck } from '#test/support/executable.ts';
import { parseAs } from '#test/support/parse-as.ts';
import { startRedis } from '#test/support/redis-server.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { until } from '#test/support/until.ts';
import type { Reply } from '../soak/ask.ts';
import { createLimitWatch, LIMIT } from '../soak/limit-watch.ts';
import { askOften, checkOf, isAdmitted, isFailed, publicCheck, startClient } from './fleet-clients.ts';
import { startReplicatedDatabases } from './fleet-databases.ts';
import { prepareNodes, startNodes } from './fleet-nodes.ts';
import { fleetTable, type Phase } from './fleet-table.ts';

/** For how long the clients ask, at least; the faults alone take about 40 s. */
const LOAD_MS = 1000 * Number(process.env['FLEET_SECONDS'] ?? 40);
/** For how long the Redis and the database hang. */
const REDIS_AWAY_MS = 10_000;
const DATABASE_AWAY_MS = 5000;

/** Clients by their addresses: those in 127.1.0.0/16 have no limit, each of the others asks for more than its own. */
const [OPEN, STAGED, HIDDEN, READER] = ['127.1.0.1', '127.1.0.2', '127.1.0.3', '127.1.0.4'] as const;
const [GREEDY, AWAY, RETURNED] = ['127.0.1.1', '127.0.1.2', '127.0.1.3'] as const;

const NODES = [0, 1, 2];

const idsOf = (replies: readonly Reply[]) => replies.filter(isAdmitted).map(({ requestId }) => requestId ?? '');

test('three nodes behind HAProxy over a Redis and a PostgreSQL with a standby keep what they promise through whatever happens to any of them', async () => {
  await using directory = temporaryDirectory();
  await using redis = await startRedis();
  const { key, folders } = await prepareNodes(directory.path, NODES.length);
  await using databases = await startReplicatedDatabases();
  await using nodes = await startNodes(folders, redis, key, databases.flags);
  const { port, sockets } = nodes;

  const startedMs = performance.now();
  const phases: Phase[] = [];
  const begin = (name: string) => phases.push({ name, fromMs: performance.now() });
  let killing = { fromMs: Number.NaN, untilMs: Number.NaN };
  let sharedUntil = 0;
  let [away, returned]: (readonly Reply[])[] = [[], []];

  const open = startClient(port, OPEN);
  const staged = startClient(port, STAGED, (n) => checkOf({ url: `http://example.com/${n}` }, '/api/check-url/stream'));
  const hidden = startClient(port, HIDDEN, (n) => checkOf({ url: `http://hidden.example/${n}`, private_mode: true }));
  const reader = startClient(port, READER, (n) => ({
    path: ['/api/history', '/api/stats', '/api/history?domain=example.com'][n % 3] ?? '',
  }));
  const greedy = startClient(port, GREEDY, publicCheck(GREEDY));
  {
    await using clients = new AsyncDisposableStack();
    for (const client of [open, staged, hidden, reader, greedy]) clients.use(client);
    const more = async (count: number) => {
      const due = [open, staged, hidden, greedy].map(({ replies }) => ({ replies, length: replies.length + count }));
      await until(() => due.every(({ replies, length }) => replies.length >= length));
    };
    begin('all is well');
    await more(100);

    begin('each node is restarted in its turn');
    for (const node of NODES) {
      expect(await nodes.stop(node)).toBe(0);
      await more(20);
      await nodes.start(node);
      await more(40);
    }

    begin('`kill -9` of a node');
    killing = await nodes.kill(1);
    await more(80);
    await nodes.start(1);
    await more(80);

    begin('the database hangs');
    databases.pause();
    await Bun.sleep(DATABASE_AWAY_MS);
    await nodes.untilAll((notices) => notices.length > 0);
    databases.resume();
    await nodes.untilAll((notices) => notices.length === 0);

    begin('the Redis hangs');
    sharedUntil = greedy.replies.length;
    const pausedMs = performance.now();
    redis.pause();
    away = await askOften(port, AWAY, 6 * LIMIT);
    await Bun.sleep(Math.max(0, REDIS_AWAY_MS - (performance.now() - pausedMs)));
    redis.resume();
    await nodes.untilAll((notices) => notices.length === 0);
    begin('the Redis is back');
    returned = await askOften(port, RETURNED, 3 * LIMIT);

    begin('`kill -9` of the primary');
    await databases.killPrimary();
    await more(80);
    begin('the standby is promoted');
    await databases.promote();
    await nodes.untilAll((notices) => notices.length === 0);

    begin('the former primary comes back, numbers of nodes are used up, a node starts anew');
    await databases.startFormerPrimary();
    await databases.useUpNumbers();
    expect(await nodes.stop(2)).toBe(0);
    await nodes.start(2);
    await nodes.untilAll((notices) => notices.some((notice) => notice.startsWith('A former primary answers')));
    await more(40);
    begin('a node with exchanged URLs is refused');
    const exchanged = databases.flags.map((flag) =>
      flag === '--log-database' ? `${flag}-private` : flag === '--log-database-private' ? '--log-database' : flag,
    );
    const refused = await lurecheck(['serve', '--data-dir', `${directory.path}/exchanged`, ...exchanged]);
    expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining('holds the private log')]);
    begin('all is well but for the former primary, which nobody writes to');
    await more(80);
    await Bun.sleep(Math.max(0, LOAD_MS - (performance.now() - startedMs)));
  }
  const endedMs = performance.now();
  const shown = await Promise.all(sockets.map(historyAt));
  for (const node of NODES) expect(await nodes.stop(node)).toBe(0);
  const all = [open, staged, hidden, reader, greedy].flatMap(({ replies }) => replies).concat(away, returned);
  process.stdout.write(`\n${fleetTable(phases, all, endedMs)}`);

  // Nobody is failed but those whose connection was cut with the node; what the proxy says to them has no id of ours.
  const failed = all.filter(isFailed);
  expect(failed.filter(({ sentMs, endedMs }) => endedMs < killing.fromMs || killing.untilMs < sentMs)).toEqual([]);
  expect(failed.filter((reply) => reply.kind === 'answered' && reply.requestId !== null)).toEqual([]);
  expect(staged.replies.filter(isAdmitted).filter(({ body }) => !body.includes('event: result'))).toEqual([]);

  // What was answered is in its log once, is counted once, and is shown by every node.
  const answered = [open, staged, greedy].flatMap(({ replies }) => idsOf(replies)).concat(idsOf(away), idsOf(returned));
  const kept = await databases.kept('public');
  expectOnce(answered, kept, failed.length);
  const secret = await databases.kept('private');
  expectOnce(idsOf(hidden.replies), secret, failed.length);
  expect(kept.filter((id) => secret.includes(id))).toEqual([]);
  expect(await databases.counted()).toBe(kept.length);
  for (const ids of shown) expect(ids.toSorted()).toEqual(kept.toSorted());

  // One limit over all nodes through restarts, the kill and the failover; at each node one while the Redis is away.
  const watch = createLimitWatch();
  const lifeOf = nodes.lifeOf();
  const note = (client: string, replies: readonly Reply[]) => {
    for (const reply of replies) watch.note(client, 0, reply);
  };
  // A node that was started anew, and has not heard of a client since, begins to count it when it is alone.
  const noteByNode = (client: string, replies: readonly Reply[]) => {
    for (const reply of replies.filter(isAdmitted)) {
      watch.note(`${client} at a node`, lifeOf.get(reply.kind === 'answered' ? reply.requestId : null) ?? -1, reply);
    }
  };
  note(GREEDY, greedy.replies.slice(0, sharedUntil));
  noteByNode(GREEDY, greedy.replies);
  noteByNode(AWAY, away);
  note(RETURNED, returned);
  expect(watch.judge()).toEqual([]);
  // A limit that refuses everybody would hold as well.
  for (const replies of [greedy.replies, away, returned]) {
    expect(idsOf(replies).length).toBeGreaterThanOrEqual(LIMIT - failed.length);
  }
});

/** Each that was answered, once; beside them at most what was cut before it could be answered. */
function expectOnce(answered: readonly string[], kept: readonly string[], cut: number): void {
  const ids = new Set(kept);
  expect(ids.size).toBe(kept.length);
  expect(answered.filter((id) => !ids.has(id))).toEqual([]);
  expect(kept.length).toBeLessThanOrEqual(answered.length + cut);
}

/** The whole history as a node shows it, page by page. */
async function historyAt(unix: string): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const after: string = cursor === null ? '' : `&cursor=${cursor}`;
    const page = await fetch(`http://localhost/api/history?limit=500${after}`, { unix });
    const { items, next_cursor } = parseAs(HistoryPageSchema, await page.json());
    ids.push(...items.map((item) => item.request_id));
    cursor = next_cursor;
  } while (cursor !== null);
  return ids;
}
