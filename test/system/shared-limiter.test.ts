import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { RedisClient } from 'bun';
import { createLogger, type Logger } from '#src/core/base/logger.ts';
import { EXACT_LIMIT, type LimiterServer } from '#src/parts/fleet/limiter/redis-link.ts';
import { openRedisWindows } from '#src/parts/fleet/limiter/redis-windows.ts';
import { openShardedWindows, shardOf } from '#src/parts/fleet/limiter/sharded-windows.ts';
import { createSharedLimiter, type SharedWindows } from '#src/parts/fleet/limiter/shared-limiter.ts';
import SCRIPT from '#src/parts/fleet/limiter/window.lua' with { type: 'text' };
import { limiterAddress } from '#src/service/server/limiter/limiter-address.ts';
import { createRateLimiter } from '#src/service/server/limiter/local-limiter.ts';
import type { RateLimiter } from '#src/service/server/limiter/rate-limit.ts';
import { freePort } from '#test/support/free-port.ts';
import { createHeldClock } from '#test/support/held-clock.ts';
import { PATIENT_MS } from '#test/support/patience.ts';
import { createRandom } from '#test/support/random.ts';
import { type RedisServer, startRedis } from '#test/support/redis-server.ts';
import { until, untilSeen } from '#test/support/until.ts';
import { client, testLimiterLaws } from '../service/server/limiter/limiter-laws.ts';

/** A list in the server, seconds and microseconds, that a script may take for its clock. */
const CLOCK_KEY = 'clock';
const HELD_SCRIPT = SCRIPT.replace("redis.call('TIME')", `redis.call('LRANGE', '${CLOCK_KEY}', 0, 1)`);

const SILENT = createLogger('error', () => {});

function serverAt(url: string): LimiterServer {
  const address = limiterAddress.read([url]);
  if (address === null) throw new Error(url);
  return { address, authorities: [] };
}

const openWindows = (redis: RedisServer, options: { script?: string; logger?: Logger; timeoutMs?: number } = {}) =>
  openRedisWindows({ servers: [serverAt(redis.url)], timeoutMs: PATIENT_MS, logger: SILENT, ...options });

describe('limiters of two nodes over one server', () => {
  let redis: RedisServer;
  let nodes: (SharedWindows & Disposable)[];
  let admin: RedisClient;
  const clock = createHeldClock();
  let created = 0;

  beforeAll(async () => {
    redis = await startRedis();
    admin = new RedisClient(redis.url);
    await setTime(0);
    nodes = await Promise.all([1, 2].map(() => openWindows(redis, { script: HELD_SCRIPT })));
  });
  afterAll(async () => {
    for (const node of nodes) node[Symbol.dispose]();
    admin.close();
    await redis[Symbol.asyncDispose]();
  });

  /** Asks one node or the other. A ceiling is that of a node, so that with one there is one node. */
  function create(options: { readonly keys: number; readonly total: number }): RateLimiter {
    const life = created++;
    const random = createRandom(life);
    const limiters = nodes.slice(options.total > 0 ? 1 : 0).map((windows) =>
      createSharedLimiter({
        windows,
        local: createRateLimiter(options),
        nameOf: (of, key) => `${life} ${of} ${key}`,
        keys: options.keys,
        clock,
      }),
    );
    return {
      admit: (asker, nowMs) => random.pick(limiters).admit(asker, nowMs),
      admitMany: (asker, nowMs, count) => random.pick(limiters).admitMany(asker, nowMs, count),
      setTotal(total) {
        for (const limiter of limiters) limiter.setTotal(total);
      },
    };
  }

  async function setTime(nowMs: number): Promise<void> {
    clock.nowMs = nowMs;
    const time = [String(Math.floor(nowMs / 1000)), String((nowMs % 1000) * 1000)];
    await admin.send('EVAL', [
      `redis.call('DEL', KEYS[1]) redis.call('RPUSH', KEYS[1], ARGV[1], ARGV[2])`,
      '1',
      CLOCK_KEY,
      ...time,
    ]);
  }

  testLimiterLaws(() => ({ create, setTime, rounds: 60, isThorough: false }));

  test('use the clock of the server', () => {
    expect(HELD_SCRIPT).not.toBe(SCRIPT);
    expect(HELD_SCRIPT).not.toContain('TIME');
  });

  test('hold the time if that clock is set back a little, and start again if it is set back by more than a window', async () => {
    const [windows] = nodes;
    const take = async (atMs: number) => {
      await setTime(atMs);
      const said = await windows?.take([{ name: 'set back', limit: 2 }]);
      return [said?.isAdmitted, said?.windows[0]?.taken, said?.windows[0]?.freeInMs];
    };
    const startMs = 10 ** 12;
    expect(await take(startMs)).toEqual([true, 0, 60_000]);
    expect(await take(startMs - 30_000)).toEqual([true, 1, 60_000]);
    expect(await take(startMs - 1)).toEqual([false, 2, 60_000]);
    expect(await take(startMs - 60_001)).toEqual([true, 0, 60_000]);
  });
});

describe('windows of a limit that is too large for exact counting', () => {
  const SPAN_MS = 60_000;
  /** The stated error: a hundredth of a window. */
  const ERROR_MS = SPAN_MS / 100;

  test('never exceed the limit in any 60 s, and free a place at most a hundredth of that late', async () => {
    await using redis = await startRedis();
    const admin = new RedisClient(redis.url);
    let nowMs = 10 ** 12;
    await admin.send('RPUSH', [CLOCK_KEY, String(nowMs / 1000), '0']);
    using windows = await openWindows(redis, { script: HELD_SCRIPT });
    for (const [round, limit] of [EXACT_LIMIT + 1, 1000, 5000].entries()) {
      const random = createRandom(round);
      const taken: { readonly atMs: number; readonly places: number }[] = [];
      const within = (spanMs: number) =>
        taken.reduce((sum, { atMs, places }) => sum + (atMs > nowMs - spanMs ? places : 0), 0);
      let refused = 0;
      for (let n = 0; n < 600; n++) {
        nowMs += random.below(n % 50 === 0 ? 40_000 : 900);
        await admin.send('DEL', [CLOCK_KEY]);
        await admin.send('RPUSH', [CLOCK_KEY, String(Math.floor(nowMs / 1000)), String((nowMs % 1000) * 1000)]);
        const asked = 1 + random.below(Math.ceil(limit / 20));
        const said = await windows.take([{ name: `large ${limit}`, limit }], asked);
        const [window] = said?.windows ?? [];
        const places = said?.places ?? -1;
        expect(places).toBeWithin(0, asked + 1);
        expect(window?.taken).toBeWithin(within(SPAN_MS), within(SPAN_MS + ERROR_MS) + 1);
        if (places < asked) {
          refused++;
          expect((window?.taken ?? 0) + places).toBe(limit);
        }
        taken.push({ atMs: nowMs, places });
        expect(within(SPAN_MS)).toBeLessThanOrEqual(limit);
        const oldest = taken.find(({ atMs, places: some }) => some > 0 && atMs > nowMs - SPAN_MS && atMs < nowMs);
        if (oldest) expect(window?.freeInMs).toBeWithin(1, oldest.atMs + SPAN_MS + ERROR_MS - nowMs + 1);
      }
      expect(refused).toBeGreaterThan(20);
    }
    admin.close();
  });

  test('cost the server as little as small ones, however many places are taken', async () => {
    await using redis = await startRedis();
    using windows = await openWindows(redis);
    const admin = new RedisClient(redis.url);
    for (const limit of [20, EXACT_LIMIT, EXACT_LIMIT + 1, 60_000, 600_000]) {
      for (let left = limit - 10; left > 0; left -= 5000)
        await windows.take([{ name: `busy ${limit}`, limit }], Math.min(left, 5000));
      const micros: number[] = [];
      // Of several, the one in which nobody interrupted the server.
      for (let round = 0; round < 10; round++) {
        await admin.send('CONFIG', ['RESETSTAT']);
        for (let n = 0; n < 50; n++) await windows.take([{ name: `busy ${limit}`, limit }]);
        const stats = String(await admin.send('INFO', ['commandstats']));
        micros.push(Number(/cmdstat_evalsha:.*usec_per_call=([\d.]+)/.exec(stats)?.[1]));
      }
      expect([limit, Math.min(...micros) < 60]).toEqual([limit, true]);
    }
    admin.close();
  });
});

describe('a limiter over a server', () => {
  function createNode(windows: SharedWindows, clock = createHeldClock()) {
    const local = createRateLimiter({ keys: 100, total: 0 });
    return createSharedLimiter({ windows, local, nameOf: (of, key) => `${of} ${key}`, keys: 100, clock });
  }

  const commandsOf = async (redis: RedisServer) => {
    const admin = new RedisClient(redis.url);
    const stats = String(await admin.send('INFO', ['commandstats']));
    admin.close();
    return Number(/cmdstat_evalsha:calls=(\d+)/.exec(stats)?.[1]);
  };

  test('queries the server once per admitted request, and once for a series of refused ones', async () => {
    await using redis = await startRedis();
    using windows = await openWindows(redis);
    using others = await openWindows(redis);
    const limiter = createNode(windows);
    const elsewhere = createNode(others);
    for (let n = 0; n < 5; n++) await elsewhere.admit(client('a', 10), 0);
    const before = await commandsOf(redis);
    for (let n = 0; n < 5; n++) expect((await limiter.admit(client('a', 10), 0)).refusedBy).toBeNull();
    expect((await commandsOf(redis)) - before).toBe(5);
    for (let n = 0; n < 10_000; n++) expect((await limiter.admit(client('a', 10), 1)).refusedBy).toBe('client');
    expect((await commandsOf(redis)) - before).toBe(6);
  });

  test('takes the places of a batch with one query, as many as are left', async () => {
    await using redis = await startRedis();
    using windows = await openWindows(redis);
    const limiter = createNode(windows);
    const elsewhere = createNode(windows);
    await elsewhere.admitMany(client('a', 50), 0, 5);
    const before = await commandsOf(redis);
    const { places, answer } = await limiter.admitMany(client('a', 50), 0, 40);
    expect([places, answer.refusedBy, answer.remaining]).toEqual([40, null, 5]);
    expect((await commandsOf(redis)) - before).toBe(1);
    const rest = await limiter.admitMany(client('a', 50), 0, 40);
    expect([rest.places, rest.answer.refusedBy, rest.answer.remaining]).toEqual([5, 'client', 0]);
    const network = { key: 'net', limit: 7 };
    const narrow = await limiter.admitMany({ key: 'b', limit: 50, network }, 0, 40);
    expect([narrow.places, narrow.answer.refusedBy]).toEqual([7, 'network']);
  });

  test('stays with a server that answered while this process was busy', async () => {
    await using redis = await startRedis();
    using windows = await openWindows(redis, { timeoutMs: 50 });
    const limiter = createNode(windows);
    for (let n = 0; n < 5; n++) {
      const asked = Promise.all(Array.from({ length: 20 }, (_, at) => limiter.admit(client(`c${n}-${at}`, 10), 0)));
      await new Promise(setImmediate);
      const startMs = performance.now();
      while (performance.now() - startMs < 200);
      await asked;
      expect(windows.isUnavailable).toBe(false);
    }
  });

  test('stores nothing in the server for longer than a window, and everything under one prefix', async () => {
    await using redis = await startRedis();
    using windows = await openWindows(redis);
    await createNode(windows).admit({ key: '192.0.2.1', limit: 3, network: { key: 'net', limit: 5 } }, 0);
    const admin = new RedisClient(redis.url);
    const keys = (await admin.keys('*')).filter((key) => key !== 'lure:trial').toSorted();
    expect(keys).toEqual(['lure:client 192.0.2.1', 'lure:network net']);
    for (const key of keys) expect(await admin.pttl(key)).toBeWithin(1, 60_001);
    admin.close();
  });

  test('continues if the server has lost its scripts', async () => {
    await using redis = await startRedis();
    using windows = await openWindows(redis);
    const limiter = createNode(windows);
    const admin = new RedisClient(redis.url);
    await limiter.admit(client('a', 3), 0);
    await admin.send('SCRIPT', ['FLUSH']);
    expect((await limiter.admit(client('a', 3), 0)).remaining).toBe(1);
    expect(windows.isUnavailable).toBe(false);
    admin.close();
  });

  test('decides locally at once if the server hangs, from its own admissions, and uses the server again later', async () => {
    await using redis = await startRedis();
    const lines: string[] = [];
    const logger = createLogger('info', (line) => lines.push(line));
    using windows = await openWindows(redis, { logger, timeoutMs: 200 });
    const limiter = createNode(windows);
    const admit = async () => (await limiter.admit(client('a', 5), 0)).refusedBy === null;
    expect([await admit(), await admit()]).toEqual([true, true]);
    redis.pause();
    expect(await Promise.all(Array.from({ length: 10 }, admit))).toEqual([
      true,
      true,
      true,
      ...Array.from({ length: 7 }, () => false),
    ]);
    expect(windows.isUnavailable).toBe(true);
    // Nothing is waited for any more.
    expect(limiter.admit(client('b', 5), 0)).not.toBeInstanceOf(Promise);
    redis.resume();
    await until(() => !windows.isUnavailable);
    expect((await limiter.admit(client('c', 5), 0)).remaining).toBe(4);
    const events = lines.map((line) => JSON.parse(line)).map(({ event, reason }) => [event, reason]);
    // However often it was tried.
    expect(events).toEqual([
      ['limiter.shared', undefined],
      ['limiter.local', 'it does not answer in time'],
      ['limiter.shared', undefined],
    ]);
  });

  test('reports another server that begins to accept writes, and stays with its own', async () => {
    await using redis = await startRedis();
    const port = await freePort();
    const other = `redis://127.0.0.1:${port}`;
    const lines: string[] = [];
    const logger = createLogger('info', (line) => lines.push(line));
    const servers = [serverAt(redis.url), serverAt(other)];
    using windows = await openRedisWindows({ servers, timeoutMs: PATIENT_MS, logger });
    expect(windows.hasOutdated).toBe(false);
    await using _other = await startRedis(['--port', String(port), '--bind', '127.0.0.1']);
    await untilSeen('the other server', () => windows.hasOutdated);
    expect([windows.isUnavailable, windows.turns]).toEqual([false, { shared: 1, local: 0 }]);
    expect(lines.map((line) => JSON.parse(line)).map(({ event, limiter }) => [event, limiter])).toEqual([
      ['limiter.shared', redis.url],
      ['limiter.outdated', other],
    ]);
  });

  test('never admits more than the limit by itself, even if the server loses its data meanwhile', async () => {
    await using redis = await startRedis();
    using windows = await openWindows(redis);
    const limiter = createNode(windows);
    const admin = new RedisClient(redis.url);
    let admitted = 0;
    for (let round = 0; round < 5; round++) {
      const asked = Array.from({ length: 6 }, () => limiter.admit(client('a', 20), 0));
      await admin.send('FLUSHALL', []);
      for (const { refusedBy } of await Promise.all(asked)) if (refusedBy === null) admitted++;
    }
    expect(admitted).toBe(20);
    admin.close();
  });
});

test('two shards count each client once, and an unreachable one leaves only its clients to the nodes', async () => {
  await using one = await startRedis();
  await using two = await startRedis();
  const servers = [`${one.url}?shard=one`, `${two.url}?shard=two`].map(serverAt);
  const open = () => openShardedWindows({ servers, timeoutMs: PATIENT_MS, logger: SILENT });
  using first = await open();
  using second = await open();
  const clients = Array.from({ length: 40 }, (_, n) => `c${n}`);
  const take = async (name: string) => {
    const taken = await Promise.all(
      [first, second, first].map(({ windows }) =>
        windows.take([
          { name, limit: 2 },
          { name: `net ${name}`, limit: 9 },
        ]),
      ),
    );
    return taken.map((answer) => answer?.isAdmitted ?? null);
  };
  for (const name of clients) expect((await take(name)).filter((isAdmitted) => isAdmitted)).toHaveLength(2);
  await two.kill();
  await until(() => [first, second].every(({ status }) => status.isUnavailable));
  expect([first, second].map(({ windows }) => windows.isUnavailable)).toEqual([false, false]);
  const shards = ['one', 'two'];
  for (const name of clients) {
    const isOfOne = shards[shardOf(shards, `net ${name}`)] === 'one';
    expect([name, await take(name)]).toEqual([name, isOfOne ? [false, false, false] : [null, null, null]]);
  }
});
