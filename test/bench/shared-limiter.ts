/**
 * `bun test/bench/shared-limiter.ts`: what a Redis takes to count a million clients, in memory and processor time, and what one
 * call takes of it at large limits. Leaves the
 * figures beside itself, from where `bun .ci/readme.ts` takes them.
 */
import { RedisClient } from 'bun';
import { systemClock } from '#src/core/base/clock.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { EXACT_LIMIT } from '#src/parts/fleet/limiter/redis-link.ts';
import { openRedisWindows } from '#src/parts/fleet/limiter/redis-windows.ts';
import { createSharedLimiter, type SharedWindows } from '#src/parts/fleet/limiter/shared-limiter.ts';
import SCRIPT from '#src/parts/fleet/limiter/window.lua' with { type: 'text' };
import { clientNames } from '#src/service/server/limiter/client.ts';
import { limiterAddress } from '#src/service/server/limiter/limiter-address.ts';
import { createRateLimiter } from '#src/service/server/limiter/local-limiter.ts';
import { type RedisServer, startRedis } from '#test/support/redis-server.ts';
import { type SharedLimiterFigures, sharedLimiterText } from './shared-limiter-figures.ts';

const CLIENTS = 1_000_000;
/** Clients whose places are taken by one run of the script, which knows no bound of its keys. */
const AT_A_TIME = 500;
const PLACES = [1, 20];
const DECISIONS = 50_000;
const IN_FLIGHT = 64;
/** Limits at which a call is measured, on both sides of the largest exact one. */
const LIMITS = [20, EXACT_LIMIT, EXACT_LIMIT + 1, 6000, 60_000, 600_000];

await using redis = await startRedis();
const admin = new RedisClient(redis.url);
const before = await infoOf('memory', 'used_memory_rss');
const heldBytes: { places: number; bytes: number }[] = [];
const sha = String(await admin.send('SCRIPT', ['LOAD', SCRIPT]));
let held = 0;
for (const places of PLACES) {
  for (let first = 0; first < CLIENTS; first += AT_A_TIME) {
    const keys = Array.from({ length: AT_A_TIME }, (_, n) => `lure:${String(first + n).padStart(16, 'x')}`);
    // So long a window that nothing leaves it meanwhile.
    await admin.send('EVALSHA', [
      sha,
      String(AT_A_TIME),
      ...keys,
      '3600000',
      String(places - held),
      '600',
      ...keys.map(() => '100'),
    ]);
  }
  held = places;
  heldBytes.push({ places, bytes: (await infoOf('memory', 'used_memory_rss')) - before });
}
await admin.send('FLUSHALL', []);
const figures: SharedLimiterFigures = {
  measuredAt: new Date().toISOString(),
  redisVersion: await fieldOf('server', 'redis_version'),
  clients: CLIENTS,
  heldBytes,
  ...(await measureDecisions(redis)),
};
admin.close();
await Bun.write(new URL('shared-limiter.json', import.meta.url), `${JSON.stringify(figures, null, 2)}\n`);
process.stdout.write(`${sharedLimiterText(figures)}\n`);

async function fieldOf(section: string, field: string): Promise<string> {
  return new RegExp(`^${field}:(.*)$`, 'm').exec(String(await admin.send('INFO', [section])))?.[1]?.trim() ?? '';
}

async function infoOf(section: string, field: string): Promise<number> {
  return Number(await fieldOf(section, field));
}

async function serverMicroseconds(): Promise<number> {
  return 1e6 * ((await infoOf('cpu', 'used_cpu_user')) + (await infoOf('cpu', 'used_cpu_sys')));
}

async function measureDecisions({ url }: RedisServer) {
  const address = limiterAddress.read([url]);
  if (address === null) throw new Error(url);
  using windows = await openRedisWindows({
    servers: [{ address, authorities: [] }],
    timeoutMs: 60_000,
    logger: createLogger('error', () => {}),
  });
  const limiter = createSharedLimiter({
    windows,
    local: createRateLimiter({ keys: 100_000, total: 0 }),
    nameOf: clientNames(Buffer.alloc(32)),
    keys: 100_000,
    clock: systemClock,
  });
  const [server, node] = [await serverMicroseconds(), process.cpuUsage()];
  for (let n = 0; n < DECISIONS; n += IN_FLIGHT) {
    const asked = Array.from({ length: IN_FLIGHT }, (_, at) => ({
      key: `client ${(n + at) % 5000}`,
      limit: 20,
      network: null,
    }));
    await Promise.all(asked.map((asker) => limiter.admit(asker, systemClock.monotonicMs())));
  }
  const used = process.cpuUsage(node);
  return {
    serverMicroseconds: ((await serverMicroseconds()) - server) / DECISIONS,
    nodeMicroseconds: (used.user + used.system) / DECISIONS,
    byLimit: await measureLimits(windows),
  };
}

/** Processor time of the server for a call that takes a place of a window that is nearly full, which costs most, by limit. */
async function measureLimits(windows: SharedWindows) {
  const measured: { limit: number; serverMicroseconds: number }[] = [];
  for (const limit of LIMITS) {
    const places = Math.min(100, limit / 2);
    const clients = Array.from({ length: Math.ceil(10_000 / places) }, (_, at) => [{ name: `${limit} ${at}`, limit }]);
    for (const client of clients) await windows.take(client, Math.ceil(limit - places));
    const server = await serverMicroseconds();
    for (let n = 0; n < places; n++) {
      for (let first = 0; first < clients.length; first += IN_FLIGHT) {
        const asked = clients.slice(first, first + IN_FLIGHT);
        const said = await Promise.all(asked.map((client) => windows.take(client)));
        if (said.some((one) => one?.isAdmitted !== true)) throw new Error(`not admitted at a limit of ${limit}`);
      }
    }
    const calls = Math.floor(places) * clients.length;
    measured.push({ limit, serverMicroseconds: ((await serverMicroseconds()) - server) / calls });
  }
  return measured;
}
