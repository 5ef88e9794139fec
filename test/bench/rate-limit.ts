/** `bun test/bench/rate-limit.ts`: what the limiter does in a second on one thread, and what a client costs in memory. */
import { parseCidr } from '#src/core/base/addresses/ip.ts';
import { createClients } from '#src/service/server/limiter/client.ts';
import { createRateLimiter } from '#src/service/server/limiter/local-limiter.ts';

const ADMITS = 2_000_000;

function report(what: string, count: number, startedAt: number): void {
  const perSecond = count / ((performance.now() - startedAt) / 1000);
  process.stdout.write(`${what.padEnd(44)} ${(perSecond / 1e6).toFixed(2).padStart(6)} M/s\n`);
}

function measureAdmits(what: string, clients: number, limit: number): void {
  const limiter = createRateLimiter({ keys: 100_000, total: 0 });
  const keys = Array.from({ length: clients }, (_, n) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`);
  const startedAt = performance.now();
  for (let n = 0; n < ADMITS; n++) limiter.admit({ key: keys[n % clients] ?? '', limit, network: null }, n / 10);
  report(what, ADMITS, startedAt);
}

function measureMemory(clients: number, visits: number): void {
  Bun.gc(true);
  const before = process.memoryUsage.rss();
  const limiter = createRateLimiter({ keys: clients, total: 0 });
  for (let n = 0; n < clients * visits; n++)
    limiter.admit({ key: `2001:db8:${n % clients}::/64`, limit: 20, network: null }, 1000);
  Bun.gc(true);
  const bytes = (process.memoryUsage.rss() - before) / limiter.size;
  process.stdout.write(
    `${`memory a client, ${visits} requests each`.padEnd(44)} ${bytes.toFixed(0).padStart(6)} bytes\n`,
  );
}

function measureClients(what: string, peer: string, headers: Headers): void {
  const proxy = parseCidr('127.0.0.1/32');
  if (typeof proxy === 'string') throw new Error(proxy);
  const clientOf = createClients({
    rate_limit: 20,
    rate_limit_cidr: [],
    rate_limit_network: null,
    trusted_proxy: [proxy],
  });
  const startedAt = performance.now();
  for (let n = 0; n < ADMITS / 10; n++) clientOf(peer, headers);
  report(what, ADMITS / 10, startedAt);
}

measureMemory(100_000, 1);
measureMemory(100_000, 20);
measureAdmits('admit, one client, refused nearly always', 1, 20);
measureAdmits('admit, 1,000 clients', 1000, 20);
measureAdmits('admit, 100,000 clients', 100_000, 20);
measureClients('client of an IPv4 peer', '192.0.2.7', new Headers());
measureClients('client of an IPv6 peer', '2001:db8::7', new Headers());
measureClients('client behind a proxy', '127.0.0.1', new Headers({ 'x-forwarded-for': '6.6.6.6, 192.0.2.7' }));
