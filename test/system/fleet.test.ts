import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { ReadinessSchema } from '#src/server/health-routes.ts';
import { startHaProxy } from '#test/support/haproxy.ts';
import { parseAs } from '#test/support/parse-as.ts';
import { startRedis } from '#test/support/redis-server.ts';
import { type Service, startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { until } from '#test/support/until.ts';
import { ask, type Reply } from '../soak/ask.ts';
import { createLimitWatch, LIMIT } from '../soak/limit-watch.ts';
import { logsInDatabase, logsInFiles } from './fleet-logs.ts';

/** Between two requests of one client. */
const PAUSE_MS = 20;

type Answered = Extract<Reply, { kind: 'answered' }>;

/** Clients by their addresses: crowds have no limit, each of the others asks for more than its own. */
const CROWD = ['127.1.0.1', '127.1.0.2', '127.1.0.3'];
const [GREEDY, NEWCOMER, RETURNED] = ['127.0.1.1', '127.0.1.2', '127.0.1.3'] as const;

/** Asks once more, for a URL of its own. */
function askOnce(from: string, port: number, count: number): Promise<Reply> {
  const body = JSON.stringify({ url: `http://example.com/${from}/${count}` });
  return ask({ method: 'POST', port, path: '/api/check-url', from, body });
}

async function askOften(from: string, port: number, times: number): Promise<readonly Reply[]> {
  const replies: Reply[] = [];
  while (replies.length < times) replies.push(await askOnce(from, port, replies.length));
  return replies;
}

/** A client that asks on and on. Disposing of it waits for its last answer. */
function startClient(from: string, port: number): AsyncDisposable & { readonly replies: readonly Reply[] } {
  const replies: Reply[] = [];
  let isOver = false;
  const done = (async () => {
    while (!isOver) {
      replies.push(await askOnce(from, port, replies.length));
      await Bun.sleep(PAUSE_MS);
    }
  })();
  return {
    replies,
    async [Symbol.asyncDispose]() {
      isOver = true;
      await done;
    },
  };
}

/** What a node has told last of its limiter. */
const lastTold = (node: Service) => node.events().findLast(({ event }) => event.startsWith('limiter.'))?.event;

/** What a node tells its operator of. */
async function noticesAt(unix: string): Promise<readonly string[]> {
  return parseAs(ReadinessSchema, await (await fetch('http://localhost/readyz', { unix })).json()).notices;
}

const isAdmitted = (reply: Reply): reply is Answered => reply.kind === 'answered' && reply.status === 200;

test.each([
  ['with logs in files', logsInFiles],
  ['with logs in PostgreSQL', logsInDatabase],
])(
  'two nodes behind HAProxy over one Redis, %s: restarted one after the other, one of them killed, the Redis and the database hanging for a while',
  async (_, openLogs) => {
    await using directory = temporaryDirectory();
    await using redis = await startRedis();
    const key = join(directory.path, 'key');
    await Bun.write(key, crypto.getRandomValues(new Uint8Array(32)));
    const folders = ['one', 'two'].map((name) => join(directory.path, name));
    const sockets = folders.map((folder) => `${folder}.sock`);
    await using logs = await openLogs(folders);
    const lives: { readonly node: string; readonly service: Service }[] = [];
    const start = async (at: number) => {
      const node = `node ${at}`;
      const service = await startService(folders[at] ?? '', [
        ...[...logs.flags, '--node-name', node],
        ...['--listen', `unix:${sockets[at]}`, '--trusted-proxy', 'unix'],
        ...['--rate-limit', String(LIMIT), '--rate-limit-cidr', '127.1.0.0/16=0'],
        ...['--limiter', redis.url, '--client-key-file', key],
      ]);
      lives.push({ node, service });
      return service;
    };
    await using nodes = new AsyncDisposableStack();
    const running: Service[] = [];
    nodes.defer(async () => {
      for (const service of running) await service.stop();
    });
    running.push(await start(0), await start(1));
    await using proxy = await startHaProxy(sockets);
    await until(async () => {
      const ready = await ask({ port: proxy.port, path: '/readyz', from: '127.0.0.1' });
      return ready.kind === 'answered' && ready.status === 200;
    });

    let killing = { fromMs: Number.NaN, untilMs: Number.NaN };
    let sharedUntil = 0;
    const crowd = CROWD.map((from) => startClient(from, proxy.port));
    const greedy = startClient(GREEDY, proxy.port);
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
        expect(await running[node]?.stop()).toBe(0);
        await more(10);
        running[node] = await start(node);
        await more(20);
      }
      const fromMs = performance.now();
      await running[1]?.kill();
      killing = { fromMs, untilMs: performance.now() };
      await more(10);
      running[1] = await start(1);
      await more(20);
      sharedUntil = greedy.replies.length;
      redis.pause();
      newcomer.push(...(await askOften(NEWCOMER, proxy.port, 5 * LIMIT)));
      redis.resume();
      await until(() => running.every((node) => lastTold(node) === 'limiter.shared'));
      returned.push(...(await askOften(RETURNED, proxy.port, 3 * LIMIT)));
      // What is answered meanwhile waits on the nodes.
      logs.pause();
      await more(10);
      logs.resume();
      await more(10);
      await until(async () => (await Promise.all(sockets.map(noticesAt))).flat().length === 0);
    }
    const histories = sockets.map(async (unix) => (await fetch('http://localhost/api/history', { unix })).text());
    const [history, other] = await Promise.all(histories);
    expect(history === other).toBe(logs.isOne);
    for (const service of running) expect(await service.stop()).toBe(0);
    const all = [...crowd, greedy].flatMap(({ replies }) => replies).concat(newcomer, returned);

    // Nobody is failed but those whose connection was cut while the node was killed; what the proxy says to them has no id of ours.
    const failed = all.filter((reply) => reply.kind !== 'answered' || ![200, 429].includes(reply.status));
    expect(failed.filter(({ sentMs, endedMs }) => endedMs < killing.fromMs || killing.untilMs < sentMs)).toEqual([]);
    expect(failed.filter((reply) => reply.kind === 'answered' && reply.requestId !== null)).toEqual([]);

    // What was answered is logged, once.
    const logged = await logs.logged();
    const ids = new Set(logged);
    expect(ids.size).toBe(logged.length);
    const answered = all.filter(isAdmitted).map(({ requestId }) => requestId ?? '');
    expect(answered.filter((id) => !ids.has(id))).toEqual([]);
    expect(logged.length).toBeLessThanOrEqual(answered.length + failed.length);
    // By whom, but for what a killed node had no time to tell.
    const nodeOf = new Map(
      lives.flatMap(({ node, service }) => service.events().map((event) => [event['request_id'], node])),
    );
    expect([...new Set(answered.map((id) => nodeOf.get(id) ?? 'node 1'))].toSorted()).toEqual(['node 0', 'node 1']);

    // One limit over both nodes, through restarts and the kill, and again once the Redis is back; in between one at each node.
    const watch = createLimitWatch();
    const note = (client: string, replies: readonly Reply[]) => {
      for (const reply of replies) watch.note(client, 0, reply);
      return replies.filter(isAdmitted).length;
    };
    const atNodes = (client: string, replies: readonly Reply[]) => {
      const byNode = Map.groupBy(replies.filter(isAdmitted), ({ requestId }) => nodeOf.get(requestId ?? ''));
      for (const [node, ofNode] of byNode) note(`${client} at ${node}`, ofNode);
      return replies.filter(isAdmitted).length;
    };
    expect(note(GREEDY, greedy.replies.slice(0, sharedUntil))).toBeGreaterThanOrEqual(LIMIT - failed.length);
    expect(atNodes(GREEDY, greedy.replies)).toBeGreaterThanOrEqual(LIMIT - failed.length);
    expect(atNodes(NEWCOMER, newcomer)).toBeGreaterThanOrEqual(LIMIT);
    expect(note(RETURNED, returned)).toBeGreaterThanOrEqual(LIMIT);
    expect(watch.judge()).toEqual([]);
  },
  90_000,
);
