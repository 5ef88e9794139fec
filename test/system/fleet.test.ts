import { expect, test } from 'bun:test';
import { startRedis } from '#test/support/redis-server.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { until } from '#test/support/until.ts';
import type { Reply } from '../soak/ask.ts';
import { createLimitWatch, LIMIT } from '../soak/limit-watch.ts';
import { readLog } from '../soak/read-logs.ts';
import { askOften, isAdmitted, isFailed, startClient } from './fleet-clients.ts';
import { prepareNodes, startNodes } from './fleet-nodes.ts';

/** Clients by their addresses: crowds have no limit, each of the others asks for more than its own. */
const CROWD = ['127.1.0.1', '127.1.0.2', '127.1.0.3'];
const [GREEDY, NEWCOMER, RETURNED] = ['127.0.1.1', '127.0.1.2', '127.0.1.3'] as const;

test('two nodes with HAProxy and one Redis lose no check through restarts, a kill and a hanging Redis', async () => {
  await using directory = temporaryDirectory();
  await using redis = await startRedis();
  const { key, folders } = await prepareNodes(directory.path, 2);
  await using nodes = await startNodes(folders, [redis.url], key, []);
  const { port } = nodes;

  let killing = { fromMs: Number.NaN, untilMs: Number.NaN };
  let sharedUntil = 0;
  const crowd = CROWD.map((from) => startClient(port, from));
  const greedy = startClient(port, GREEDY);
  const newcomer: Reply[] = [];
  const returned: Reply[] = [];
  {
    await using clients = new AsyncDisposableStack();
    for (const client of [...crowd, greedy]) clients.use(client);
    const more = async (count: number) => {
      const due = [...crowd, greedy].map(({ replies }) => ({ replies, length: replies.length + count }));
      await until(() => due.every(({ replies, length }) => replies.length >= length));
    };
    await more(LIMIT);
    for (const node of [0, 1]) {
      expect(await nodes.stop(node)).toBe(0);
      await more(10);
      await nodes.start(node);
      await more(20);
    }
    killing = await nodes.kill(1);
    await more(10);
    await nodes.start(1);
    await more(20);
    sharedUntil = greedy.replies.length;
    redis.pause();
    newcomer.push(...(await askOften(port, NEWCOMER, 5 * LIMIT)));
    redis.resume();
    await nodes.untilAll((notices) => notices.length === 0);
    returned.push(...(await askOften(port, RETURNED, 3 * LIMIT)));
  }
  for (const node of [0, 1]) expect(await nodes.stop(node)).toBe(0);
  const all = [...crowd, greedy].flatMap(({ replies }) => replies).concat(newcomer, returned);

  // Nobody is failed but those whose connection was cut while the node was killed; what the proxy says to them has no id of ours.
  const failed = all.filter(isFailed);
  expect(failed.filter(({ sentMs, endedMs }) => endedMs < killing.fromMs || killing.untilMs < sentMs)).toEqual([]);
  expect(failed.filter((reply) => reply.kind === 'answered' && reply.requestId !== null)).toEqual([]);

  // What was answered is logged, once.
  const logs = folders.map((folder) => readLog(folder, 'public'));
  expect(logs.flatMap(({ problems }) => problems)).toEqual([]);
  const logged = logs.flatMap(({ rows }) => rows.map(({ requestId }) => requestId));
  const ids = new Set(logged);
  expect(ids.size).toBe(logged.length);
  const answered = all.filter(isAdmitted).map(({ requestId }) => requestId ?? '');
  expect(answered.filter((id) => !ids.has(id))).toEqual([]);
  expect(logged.length).toBeLessThanOrEqual(answered.length + failed.length);
  // By whom, but for what a killed node had no time to tell.
  const nodeOf = nodes.nodeOf();
  expect([...new Set(answered.map((id) => nodeOf.get(id) ?? 'node 1'))].toSorted()).toEqual(['node 0', 'node 1']);

  // One limit over both nodes, through restarts and the kill, and again once the Redis is back; in between one at each node.
  const watch = createLimitWatch();
  const note = (client: string, replies: readonly Reply[]) => {
    for (const reply of replies) watch.note(client, 0, reply);
    return replies.filter(isAdmitted).length;
  };
  // A node that was started anew, and has not heard of a client since, begins to count it when it is alone.
  const lifeOf = nodes.lifeOf();
  const atNodes = (client: string, replies: readonly Reply[]) => {
    const admitted = replies.filter(isAdmitted);
    for (const reply of admitted) watch.note(`${client} at a node`, lifeOf.get(reply.requestId) ?? -1, reply);
    return admitted.length;
  };
  expect(note(GREEDY, greedy.replies.slice(0, sharedUntil))).toBeGreaterThanOrEqual(LIMIT - failed.length);
  expect(atNodes(GREEDY, greedy.replies)).toBeGreaterThanOrEqual(LIMIT - failed.length);
  expect(atNodes(NEWCOMER, newcomer)).toBeGreaterThanOrEqual(LIMIT);
  expect(note(RETURNED, returned)).toBeGreaterThanOrEqual(LIMIT);
  expect(watch.judge()).toEqual([]);
});
