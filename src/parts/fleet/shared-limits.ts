import { setTimeout as wait } from 'node:timers/promises';
import type { StoreSettings } from '#src/checks/store/settings.ts';
import { readClientKey } from '#src/checks/store/write/client-hash.ts';
import { systemClock } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { withAllProblems } from '#src/core/base/settings/setting-source.ts';
import { type Notice, notice } from '#src/core/base/text/condition.ts';
import { readCertificates } from '#src/network/egress/authorities.ts';
import { PUBLIC_AUTHORITIES } from '#src/network/egress/egress.ts';
import { type Endpoint, lookUpConfiguredHost } from '#src/network/egress/endpoint.ts';
import type { LimiterServer } from '#src/parts/fleet/limiter/redis-link.ts';
import type { RedisWindowsOptions } from '#src/parts/fleet/limiter/redis-windows.ts';
import { openShardedWindows } from '#src/parts/fleet/limiter/sharded-windows.ts';
import { createSharedLimiter } from '#src/parts/fleet/limiter/shared-limiter.ts';
import { clientNames } from '#src/service/server/limiter/client.ts';
import type { LimiterStatus, ShareLimiter } from '#src/service/server/limiter/quota.ts';
import type { ServerSettings } from '#src/service/server/settings.ts';
import { createRotation, type Rotation } from './rotation.ts';

type SharingSettings = Pick<ServerSettings, 'limiter' | 'limiter_timeout_seconds' | 'rate_limit_keys'> &
  Pick<StoreSettings, 'client_key_file'>;

/** Maximum wait for the addresses of a server whose former ones are known, in milliseconds. */
const LOOK_UP_MS = 300;

/** Dependencies of the limiter besides the settings. */
interface SharingParts {
  readonly logger: Logger;
  /** Keeps checks from reaching an address; one address may be passed repeatedly. */
  readonly deny: (endpoint: Endpoint) => void;
}

const UNAVAILABLE = notice(
  'limiter_unavailable',
  'The shared limiter is unavailable: this node counts its clients alone.',
);

const OUTDATED = notice(
  'limiter_outdated',
  'A former primary of the limiter accepts writes beside the server that replaced it: make it a replica.',
);

/** Limits that several nodes hold together. */
export interface SharedLimits extends LimiterStatus, Disposable {
  /** Public notices for readiness. */
  notices(): Notice[];
  readonly share: ShareLimiter;
  /** Replaces the servers, their credentials and authorities. */
  readonly rotation: Rotation<readonly LimiterServer[]>;
}

/** Time for which replaced servers are still waited for, beyond the timeout of a question. */
const CLOSING_MS = 1000;

/**
 * Opens the shared limiter; null if no setting names it. Unreachable servers are retried.
 *
 * @throws SettingsError if a file that the settings name is unusable
 */
export async function openSharedLimits(
  config: SharingSettings,
  { logger, deny }: SharingParts,
): Promise<SharedLimits | null> {
  const [key, servers] = await withAllProblems([readClientKey(config), readLimiterServers(config)]);
  if (servers.length === 0 || key === null) return null;
  const looked = new Set<string>();
  const timeoutMs = config.limiter_timeout_seconds * 1000;
  const options: Omit<RedisWindowsOptions, 'servers'> = {
    timeoutMs,
    logger,
    async onConnecting({ address: { host } }) {
      // Each time: the name of a server that was replaced may lead elsewhere.
      if (!host) return;
      const looking = lookUpConfiguredHost(host.name, host.port).then((endpoints) => {
        for (const endpoint of endpoints) deny(endpoint);
        looked.add(host.name);
      });
      // A slow name server must not delay the connection to a server reached before.
      await (looked.has(host.name) ? Promise.race([looking, wait(LOOK_UP_MS)]) : looking);
    },
  };
  let shards = await openShardedWindows({ ...options, servers });
  const before = { shared: 0, local: 0 };
  const rotation = createRotation<readonly LimiterServer[]>({
    setting: 'limiter',
    active: servers,
    async prepare(changed) {
      const opened = await openShardedWindows({ ...options, servers: changed });
      if (opened.status.isUnavailable) {
        opened[Symbol.dispose]();
        return 'A server of the limiter cannot be used: see limiter.local.';
      }
      return {
        use() {
          const former = shards;
          shards = opened;
          before.shared += former.status.turns.shared;
          before.local += former.status.turns.local;
          // What was asked is still answered.
          setTimeout(() => former[Symbol.dispose](), 2 * timeoutMs + CLOSING_MS).unref();
        },
        discard: () => opened[Symbol.dispose](),
      };
    },
    logger,
  });
  return {
    rotation,
    share: (local) =>
      createSharedLimiter({
        windows: {
          get isUnavailable() {
            return shards.windows.isUnavailable;
          },
          take: (wanted, places) => shards.windows.take(wanted, places),
        },
        local,
        nameOf: clientNames(key),
        keys: config.rate_limit_keys,
        clock: systemClock,
      }),
    notices() {
      const { isUnavailable, hasOutdated } = shards.status;
      return [...(isUnavailable ? [UNAVAILABLE] : []), ...(hasOutdated ? [OUTDATED] : [])];
    },
    get isUnavailable() {
      return shards.status.isUnavailable;
    },
    get hasOutdated() {
      return shards.status.hasOutdated;
    },
    get turns() {
      const { shared, local } = shards.status.turns;
      return { shared: before.shared + shared, local: before.local + local };
    },
    [Symbol.dispose]() {
      rotation[Symbol.dispose]();
      shards[Symbol.dispose]();
    },
  };
}

/**
 * Reads the trusted authorities of each limiter server: the operator's own, if it names a file of them. Throws
 * SettingsError.
 */
export async function readLimiterServers({
  limiter,
}: Pick<ServerSettings, 'limiter'>): Promise<readonly LimiterServer[]> {
  return await withAllProblems(
    limiter.map(async (address) => ({
      address,
      authorities: address.caFile === null ? PUBLIC_AUTHORITIES : await readCertificates('limiter', address.caFile),
    })),
  );
}
