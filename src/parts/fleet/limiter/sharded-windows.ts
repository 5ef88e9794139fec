import { fnvHash, mixHash } from '#src/core/base/fnv.ts';
import type { LimiterStatus } from '#src/service/server/limiter/quota.ts';
import { openRedisWindows, type RedisWindowsOptions } from './redis-windows.ts';
import type { SharedWindows } from './shared-limiter.ts';

/** Windows that several groups of servers share, each group with one primary. */
export interface ShardedWindows extends Disposable {
  readonly windows: SharedWindows;
  /** Unavailable while any of the groups is. */
  readonly status: LimiterStatus;
}

/** A group of servers by its name in their URLs. */
interface Shard {
  readonly name: string;
  readonly windows: SharedWindows & LimiterStatus & Disposable;
}

/**
 * Opens the windows of all servers. Each client belongs to one shard, together with its network: the one whose name and the
 * client's have the highest hash (rendezvous hashing), so that a further shard takes its share of clients and moves no other.
 * While a shard is unavailable, its clients alone are counted by this node.
 */
export async function openShardedWindows(options: RedisWindowsOptions): Promise<ShardedWindows> {
  const groups = [...Map.groupBy(options.servers, ({ address }) => address.shard)];
  const shards: readonly Shard[] = await Promise.all(
    groups.map(async ([name, servers]) => ({ name, windows: await openRedisWindows({ ...options, servers }) })),
  );
  const names = shards.map(({ name }) => name);
  const sumOf = (turn: 'shared' | 'local') => shards.reduce((sum, { windows }) => sum + windows.turns[turn], 0);
  return {
    windows: {
      get isUnavailable() {
        return shards.every(({ windows }) => windows.isUnavailable);
      },
      // The network comes last.
      take: async (wanted, places) =>
        (await shards[shardOf(names, wanted.at(-1)?.name ?? '')]?.windows.take(wanted, places)) ?? null,
    },
    status: {
      get isUnavailable() {
        return shards.some(({ windows }) => windows.isUnavailable);
      },
      get hasOutdated() {
        return shards.some(({ windows }) => windows.hasOutdated);
      },
      get turns() {
        return { shared: sumOf('shared'), local: sumOf('local') };
      },
    },
    [Symbol.dispose]() {
      for (const { windows } of shards) windows[Symbol.dispose]();
    },
  };
}

/** Returns the index of the shard of a client. */
export function shardOf(shards: readonly string[], client: string): number {
  let best = 0;
  let highest = -1;
  for (const [at, shard] of shards.entries()) {
    const hash = shards.length === 1 ? 0 : mixHash(fnvHash(`${shard} ${client}`));
    if (hash > highest) [best, highest] = [at, hash];
  }
  return best;
}
