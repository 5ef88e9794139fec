import { expect, test } from 'bun:test';
import { parseCidr } from '#src/base/ip.ts';
import { createTurns } from '#src/check/turns.ts';
import { createClients } from '#src/server/limiter/client.ts';
import { createRateLimiter, WINDOW_MS } from '#src/server/limiter/rate-limit.ts';
import { createRandom } from '#test/support/random.ts';

interface RateLimitVector {
  readonly id: string;
  readonly config: {
    readonly limit: number;
    readonly maxKeys: number;
    readonly globalPerWindow?: number;
    readonly maxConcurrent?: number;
  };
  readonly events: readonly {
    readonly t?: number;
    readonly ip?: string;
    readonly allow?: boolean;
    readonly generate?: { readonly count: number };
    readonly concurrent?: { readonly ip: string; readonly n: number; readonly allowed: number };
    readonly expect?: Readonly<Record<'keysAtMost' | 'rssGrowthMiBAtMost' | 'secondsAtMost' | 'allowedAtMost', number>>;
  }[];
}

const NO_HEADERS = new Headers();

const { vectors }: { vectors: RateLimitVector[] } = await Bun.file(
  new URL('../vectors/rate-limit.json', import.meta.url),
).json();

for (const { id, config, events } of vectors) {
  const clientOf = createClients({ rate_limit: config.limit, rate_limit_cidr: [], trusted_proxy: [] });
  const limiter = createRateLimiter({ keys: config.maxKeys, total: config.globalPerWindow ?? 0 });
  const admits = (ip: string, atMs: number) => {
    const { key, limit } = clientOf(ip, NO_HEADERS);
    return limiter.admit(key, limit, atMs).refusedBy === null;
  };

  test(`rate-limit vector ${id}`, () => {
    Bun.gc(true);
    const heldBefore = process.memoryUsage().heapUsed;
    const startedAt = process.cpuUsage();
    let admitted = 0;
    for (const event of events) {
      const { t: atMs, ip, concurrent } = event;
      if (ip !== undefined && atMs !== undefined)
        expect([atMs, admits(ip, atMs)]).toEqual([atMs, event.allow ?? false]);
      if (concurrent) {
        // How many of one client look at the network at a time is for the turns to say; the limiter admits them all.
        const turns = createTurns({ ofAll: concurrent.n, ofOne: config.maxConcurrent ?? 0 });
        const started = Array.from({ length: concurrent.n }, () => {
          expect(admits(concurrent.ip, 0)).toBe(true);
          return turns.tryEnter(concurrent.ip);
        });
        expect(started.filter(Boolean).length).toBe(concurrent.allowed);
      }
      for (let n = 0; n < (event.generate?.count ?? 0); n++) {
        const key = `2001:db8:${(n >> 16).toString(16)}:${(n & 0xffff).toString(16)}::/64`;
        if (limiter.admit(key, config.limit, n / 100).refusedBy === null) admitted++;
        // The texts of the keys are this test's own garbage; what the limiter keeps is to be measured.
        if (n % 50_000 === 0) Bun.gc(true);
      }
      if (!event.expect) continue;
      expect(admitted).toBeLessThanOrEqual(event.expect.allowedAtMost ?? Number.POSITIVE_INFINITY);
      expect(limiter.size).toBeLessThanOrEqual(event.expect.keysAtMost ?? Number.POSITIVE_INFINITY);
      expect(process.cpuUsage(startedAt).user / 1e6).toBeLessThan(event.expect.secondsAtMost ?? 60);
      // What is held, not what the allocator has not yet given back: other tests share this process.
      Bun.gc(true);
      const heldMiB = (process.memoryUsage().heapUsed - heldBefore) / 2 ** 20;
      expect(heldMiB).toBeLessThan(event.expect.rssGrowthMiBAtMost ?? Number.POSITIVE_INFINITY);
    }
  }, 60_000);
}

/** The window as its definition says it, at any cost. */
function createNaiveLimiter() {
  const admitted: { key: string; atMs: number }[] = [];
  return (key: string, limit: number, nowMs: number) => {
    const own = admitted.filter((visit) => visit.key === key && visit.atMs > nowMs - WINDOW_MS);
    if (own.length >= limit) return { admitted: false, remaining: 0, freeAtMs: (own[0]?.atMs ?? 0) + WINDOW_MS };
    admitted.push({ key, atMs: nowMs });
    return { admitted: true, remaining: limit - own.length - 1, freeAtMs: (own[0]?.atMs ?? nowMs) + WINDOW_MS };
  };
}

test('for any sequence of requests the limiter says what the definition of the window says', () => {
  for (let seed = 1; seed <= 60; seed++) {
    const random = createRandom(seed);
    const limiter = createRateLimiter({ keys: 8, total: 0 });
    const naive = createNaiveLimiter();
    const limits = new Map(Array.from({ length: 8 }, (_, n) => [`client ${n}`, 1 + random.below(6)]));
    const strideMs = [10, 1000, 5000, 20_000][seed % 4] ?? 1;
    let nowMs = 0;
    for (let n = 0; n < 400; n++) {
      nowMs += random.below(10) === 0 ? random.below(3) * (WINDOW_MS / 2) : random.below(strideMs);
      const key = `client ${random.below(8)}`;
      const limit = limits.get(key) ?? 1;
      const { refusedBy, remaining, freeInMs } = limiter.admit(key, limit, nowMs);
      expect({ seed, n, admitted: refusedBy === null, remaining, freeAtMs: nowMs + freeInMs }).toEqual({
        seed,
        n,
        ...naive(key, limit, nowMs),
      });
    }
  }
});

test('a client that comes back after the time it was told is admitted, and a millisecond earlier it is not', () => {
  const limiter = createRateLimiter({ keys: 10, total: 0 });
  for (const atMs of [0, 7000, 9000]) limiter.admit('a', 3, atMs);
  const { refusedBy, freeInMs } = limiter.admit('a', 3, 20_000);
  expect(refusedBy).toBe('client');
  expect(limiter.admit('a', 3, 20_000 + freeInMs - 1).refusedBy).toBe('client');
  expect(limiter.admit('a', 3, 20_000 + freeInMs).refusedBy).toBeNull();
});

test('however many clients come, the newest are counted exactly and memory stays bounded', () => {
  const keys = 50;
  const random = createRandom(7);
  const limiter = createRateLimiter({ keys, total: 0 });
  let newestFirst: string[] = [];
  for (let n = 0; n < 5000; n++) {
    const key = `client ${Math.floor(random.next() ** 2 * 400)}`;
    const { refusedBy } = limiter.admit(key, 1, n);
    const rank = newestFirst.indexOf(key);
    if (rank === -1) expect(refusedBy).toBeNull();
    if (rank !== -1 && rank < keys) expect([n, rank, refusedBy]).toEqual([n, rank, 'client']);
    newestFirst = [key, ...newestFirst.filter((other) => other !== key)];
    expect(limiter.size).toBeLessThanOrEqual(2 * keys);
  }
});

test('no window of a minute holds more than the ceiling, and a refused request takes no place', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = createRandom(seed);
    const total = 1 + random.below(40);
    const limiter = createRateLimiter({ keys: 100, total });
    const admitted: number[] = [];
    let nowMs = 0;
    for (let n = 0; n < 2000; n++) {
      nowMs += random.below(800);
      const { refusedBy, freeInMs } = limiter.admit(`client ${n % 90}`, n % 3 === 0 ? 0 : 1000, nowMs);
      const inWindow = admitted.filter((atMs) => atMs > nowMs - WINDOW_MS).length;
      if (refusedBy === null) admitted.push(nowMs);
      expect(inWindow + (refusedBy === null ? 1 : 0)).toBeLessThanOrEqual(total);
      if (refusedBy === 'ceiling') expect([freeInMs > 0, freeInMs <= WINDOW_MS + 100]).toEqual([true, true]);
      // A place comes free at most a tenth of a second late.
      if (refusedBy !== null) {
        expect(admitted.filter((atMs) => atMs > nowMs - WINDOW_MS - 100).length).toBeGreaterThanOrEqual(total);
      }
    }
  }
});

test('of the limits for blocks of addresses the most specific one holds', () => {
  const limitOf = createClients({
    rate_limit: 20,
    rate_limit_cidr: [
      { cidr: block('10.0.0.0/8'), limit: 100 },
      { cidr: block('10.1.0.0/16'), limit: 0 },
      { cidr: block('2001:db8::/32'), limit: 7 },
    ],
    trusted_proxy: [],
  });
  const limits = ['10.2.3.4', '::ffff:10.1.3.4', '192.0.2.1', '2001:db8::5'].map((ip) => limitOf(ip, NO_HEADERS).limit);
  expect(limits).toEqual([100, 0, 20, 7]);
});

test('a limit for less than a /64 does not share its window with the rest of the /64', () => {
  const clientOf = createClients({
    rate_limit: 20,
    rate_limit_cidr: [{ cidr: block('2001:db8::5/128'), limit: 500 }],
    trusted_proxy: [],
  });
  const [one, other, third] = ['2001:db8::5', '2001:db8::6', '2001:db8::7'].map((ip) => clientOf(ip, NO_HEADERS));
  expect(one?.key).not.toBe(other?.key);
  expect(third).toEqual(other);
});

function block(text: string) {
  const cidr = parseCidr(text);
  if (typeof cidr === 'string') throw new Error(cidr);
  return cidr;
}
