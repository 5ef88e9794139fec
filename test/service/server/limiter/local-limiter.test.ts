import { expect, test } from 'bun:test';
import { createFairQueue } from '#src/checks/check/admission.ts';
import { parseCidr } from '#src/core/base/addresses/ip.ts';
import { createClients } from '#src/service/server/limiter/client.ts';
import { createRateLimiter } from '#src/service/server/limiter/local-limiter.ts';
import { machineSlowness } from '#test/support/cpu-time.ts';
import { createRandom } from '#test/support/random.ts';
import { client, testLimiterLaws } from './limiter-laws.ts';

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
  new URL('../../../vectors/rate-limit.json', import.meta.url),
).json();

for (const { id, config, events } of vectors) {
  const clientOf = createClients({
    rate_limit: config.limit,
    rate_limit_cidr: [],
    rate_limit_network: 0,
    trusted_proxy: [],
  });
  const limiter = createRateLimiter({ keys: config.maxKeys, total: config.globalPerWindow ?? 0 });
  const admits = (ip: string, atMs: number) => {
    return limiter.admit(clientOf(ip, NO_HEADERS), atMs).refusedBy === null;
  };

  test(`rate-limit vector ${id}`, () => {
    Bun.gc(true);
    const heldBefore = process.memoryUsage().heapUsed;
    const startedAt = process.cpuUsage();
    let tidyingMicros = 0;
    let admitted = 0;
    for (const event of events) {
      const { t: atMs, ip, concurrent } = event;
      if (ip !== undefined && atMs !== undefined)
        expect([atMs, admits(ip, atMs)]).toEqual([atMs, event.allow ?? false]);
      if (concurrent) {
        // How many of one client look at the network at a time is for the turns to say; the limiter admits them all.
        const turns = createFairQueue({ ofAll: concurrent.n, ofOne: config.maxConcurrent ?? 0, spare: concurrent.n });
        const started = Array.from({ length: concurrent.n }, () => {
          expect(admits(concurrent.ip, 0)).toBe(true);
          return turns.tryEnter(concurrent.ip);
        });
        expect(started.filter(Boolean).length).toBe(concurrent.allowed);
      }
      for (let n = 0; n < (event.generate?.count ?? 0); n++) {
        const key = `2001:db8:${(n >> 16).toString(16)}:${(n & 0xffff).toString(16)}::/64`;
        if (limiter.admit(client(key, config.limit), n / 100).refusedBy === null) admitted++;
        if (n % 50_000 !== 0) continue;
        // The texts of the keys are this test's own garbage; what the limiter keeps is to be measured, in time as well.
        const tidyingAt = process.cpuUsage();
        Bun.gc(true);
        tidyingMicros += process.cpuUsage(tidyingAt).user;
      }
      if (!event.expect) continue;
      expect(admitted).toBeLessThanOrEqual(event.expect.allowedAtMost ?? Number.POSITIVE_INFINITY);
      expect(limiter.size).toBeLessThanOrEqual(event.expect.keysAtMost ?? Number.POSITIVE_INFINITY);
      const admittingSeconds = (process.cpuUsage(startedAt).user - tidyingMicros) / 1e6;
      expect(admittingSeconds / machineSlowness()).toBeLessThan(event.expect.secondsAtMost ?? 60);
      // What is held, not what the allocator has not yet given back: other tests share this process.
      Bun.gc(true);
      const heldMiB = (process.memoryUsage().heapUsed - heldBefore) / 2 ** 20;
      expect(heldMiB).toBeLessThan(event.expect.rssGrowthMiBAtMost ?? Number.POSITIVE_INFINITY);
    }
  });
}

testLimiterLaws(() => ({ create: createRateLimiter, setTime() {}, rounds: 60, isThorough: true }));

test('with any number of clients, the latest are counted exactly and memory stays bounded', () => {
  const keys = 50;
  const random = createRandom(7);
  const limiter = createRateLimiter({ keys, total: 0 });
  let newestFirst: string[] = [];
  for (let n = 0; n < 5000; n++) {
    const key = `client ${Math.floor(random.next() ** 2 * 400)}`;
    const { refusedBy } = limiter.admit(client(key, 1), n);
    const rank = newestFirst.indexOf(key);
    if (rank === -1) expect(refusedBy).toBeNull();
    if (rank !== -1 && rank < keys) expect([n, rank, refusedBy]).toEqual([n, rank, 'client']);
    newestFirst = [key, ...newestFirst.filter((other) => other !== key)];
    expect(limiter.size).toBeLessThanOrEqual(2 * keys);
  }
});

test('clients of one /48 share a ceiling, by default ten times the limit', () => {
  const admittedOf = (settings: { rate_limit: number; rate_limit_network: number | null }, addresses: string[]) => {
    const clientOf = createClients({ rate_limit_cidr: [], trusted_proxy: [], ...settings });
    const limiter = createRateLimiter({ keys: 1000, total: 0 });
    return addresses.filter((ip) => limiter.admit(clientOf(ip, NO_HEADERS), 0).refusedBy === null).length;
  };
  const subnets = Array.from({ length: 300 }, (_, n) => `2001:db8:1:${n.toString(16)}::1`);
  const elsewhere = subnets.map((_, n) => `2001:db8:${(n + 2).toString(16)}::1`);
  const ofIpv4 = subnets.map((_, n) => `198.51.${100 + (n >> 8)}.${n & 255}`);
  expect(admittedOf({ rate_limit: 20, rate_limit_network: null }, [...subnets, ...elsewhere])).toBe(200 + 300);
  expect(admittedOf({ rate_limit: 20, rate_limit_network: 37 }, subnets)).toBe(37);
  expect(admittedOf({ rate_limit: 0, rate_limit_network: 37 }, subnets)).toBe(37);
  expect(admittedOf({ rate_limit: 20, rate_limit_network: 0 }, subnets)).toBe(300);
  expect(admittedOf({ rate_limit: 0, rate_limit_network: null }, subnets)).toBe(300);
  expect(admittedOf({ rate_limit: 20, rate_limit_network: null }, ofIpv4)).toBe(300);
});

test('a client with a configured limit is not counted with its network', () => {
  const clientOf = createClients({
    rate_limit: 2,
    rate_limit_network: 3,
    rate_limit_cidr: [{ cidr: block('2001:db8:1:1::/64'), limit: 50 }],
    trusted_proxy: [],
  });
  const limiter = createRateLimiter({ keys: 10, total: 0 });
  const refusals = (ip: string, times: number) =>
    Array.from({ length: times }, () => limiter.admit(clientOf(ip, NO_HEADERS), 0).refusedBy);
  expect(refusals('2001:db8:1:1::5', 51)).toEqual([...Array.from({ length: 50 }, () => null), 'client']);
  expect(refusals('2001:db8:1:2::5', 3)).toEqual([null, null, 'client']);
  expect(refusals('2001:db8:1:3::5', 2)).toEqual([null, 'network']);
});

test('of several configured address blocks the most specific one applies', () => {
  const limitOf = createClients({
    rate_limit: 20,
    rate_limit_cidr: [
      { cidr: block('10.0.0.0/8'), limit: 100 },
      { cidr: block('10.1.0.0/16'), limit: 0 },
      { cidr: block('2001:db8::/32'), limit: 7 },
    ],
    rate_limit_network: 0,
    trusted_proxy: [],
  });
  const limits = ['10.2.3.4', '::ffff:10.1.3.4', '192.0.2.1', '2001:db8::5'].map((ip) => limitOf(ip, NO_HEADERS).limit);
  expect(limits).toEqual([100, 0, 20, 7]);
});

test('a limit for less than a /64 does not share the window of the rest of the /64', () => {
  const clientOf = createClients({
    rate_limit: 20,
    rate_limit_cidr: [{ cidr: block('2001:db8::5/128'), limit: 500 }],
    rate_limit_network: 0,
    trusted_proxy: [],
  });
  const [one, other, third] = ['2001:db8::5', '2001:db8::6', '2001:db8::7'].map((ip) => clientOf(ip, NO_HEADERS));
  expect(one?.key).not.toBe(other?.key);
  expect(third).toEqual(other);
});

test('requests of a client over its limit do not use up the ceiling', () => {
  const limiter = createRateLimiter({ keys: 10, total: 3 });
  const refusals = Array.from({ length: 10 }, () => limiter.admit(client('greedy', 1), 0).refusedBy);
  expect(refusals).toEqual([null, ...Array.from({ length: 9 }, () => 'client' as const)]);
  expect(limiter.reserve(client('greedy', 1), 0, 5).places).toBe(0);
  expect(limiter.admit(client('other', 5), 0).refusedBy).toBeNull();
  expect(limiter.admit(client('other', 5), 0).refusedBy).toBeNull();
  expect(limiter.admit(client('other', 5), 0).refusedBy).toBe('ceiling');
});

function block(text: string) {
  const cidr = parseCidr(text);
  if (typeof cidr === 'string') throw new Error(cidr);
  return cidr;
}
