import { setTimeout as wait } from 'node:timers/promises';
import type { StoreSettings } from '#src/checks/store/settings.ts';
import { readClientKey } from '#src/checks/store/write/client-hash.ts';
import { systemClock } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { withAllProblems } from '#src/core/base/settings/settings-error.ts';
import type { Endpoint } from '#src/network/egress/endpoint.ts';
import { lookUpConfiguredHost } from '#src/network/egress/look-up-configured-host.ts';
import { clientNames } from '#src/service/server/limiter/client-name.ts';
import type { ShareLimiter } from '#src/service/server/limiter/quota.ts';
import { type LimiterStatus, openRedisWindows } from '#src/service/server/limiter/redis-windows.ts';
import { createSharedLimiter } from '#src/service/server/limiter/shared-limiter.ts';
import type { ServerSettings } from '#src/service/server/settings.ts';
import { readLimiterServers } from './service-authorities.ts';

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

/** Limits that several nodes hold together. */
export interface SharedLimits extends LimiterStatus, Disposable {
  readonly share: ShareLimiter;
}

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
  const windows = await openRedisWindows({
    servers,
    timeoutMs: config.limiter_timeout_seconds * 1000,
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
  });
  return {
    share: (local) =>
      createSharedLimiter({
        windows,
        local,
        nameOf: clientNames(key),
        keys: config.rate_limit_keys,
        clock: systemClock,
      }),
    get isUnavailable() {
      return windows.isUnavailable;
    },
    get hasOutdated() {
      return windows.hasOutdated;
    },
    turns: windows.turns,
    [Symbol.dispose]: () => windows[Symbol.dispose](),
  };
}
