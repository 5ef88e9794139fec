import { createLiveChecks, watchedLog } from '#src/checks/check/live-checks.ts';
import { openClientKey } from '#src/checks/store/write/client-hash.ts';
import { systemClock } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { createTurns } from '#src/core/base/turns.ts';
import { openChecking } from './checking.ts';
import type { Changed, ConfigFor } from './config.ts';
import { createNamedHosts } from './listen/named-hosts.ts';
import { type LiveSettings, reloadSettings } from './live-settings.ts';
import { openLog, openPictures, startUpkeep } from './open-log.ts';
import type { AppTools, OpenedService } from './opened-service.ts';
import { openParts } from './parts/open-parts.ts';
import { PROVIDED, type Provided } from './parts.ts';
import { openServing } from './serving.ts';
import { readStartFiles } from './start-files.ts';
import { openWatching } from './watching.ts';

/** A running service. Disposing of it completes in-flight requests, flushes the logs and closes everything else. */
export interface RunningApp extends AsyncDisposable {
  /** Addresses of the service in the order of `listen`; at least one. */
  readonly urls: readonly string[];
  /** Addresses for MISP alone, in the order of `misp_listen`. */
  readonly mispUrls: readonly string[];
  /** Addresses of the parts; see {@link OpenedPart.addresses}. */
  readonly partAddresses: Readonly<Record<string, readonly string[]>>;
  /** Address of the admin listener; null without `admin_listen`. */
  readonly adminUrl: string | null;
  /** See `Checking.warmUp`. */
  warmUp(): void;
  /** See {@link reloadSettings}. */
  reload(next: ConfigFor<'serve'>): Promise<Changed<ConfigFor<'serve'>>>;
}

/**
 * Opens the parts of the service in the order of their dependencies, and starts to serve. They are closed in reverse order.
 *
 * @throws StoreError if the data directory cannot be used; ListenError if an address cannot; OperationError; ModelError
 */
export async function openApp(config: ConfigFor<'serve'>, tools: AppTools): Promise<RunningApp> {
  await using opened = new AsyncDisposableStack();
  const { logger } = tools;
  const { pair, clientKey, logServers } = await readStartFiles(config);
  const live: LiveSettings = { running: config, pair, clientKey };
  if (logServers !== null) (await PROVIDED.replaceLogServers())(config, logServers);
  const hosts = createNamedHosts(() => operatorsServices(config));
  // All work beside checks and reads uses one connection, so that a node opens six at most.
  const databaseAccess = { resolve: hosts.resolve, turns: createTurns() };

  const pictures = opened.use(await openPictures(config, logger));
  const openedLog = opened.use(await openLog(config, 'serve', logger, databaseAccess, pictures.remove));
  const upkeep = opened.use(await startUpkeep(config, openedLog, logger, databaseAccess));
  opened.use(await pictures.startUpkeep(openedLog.log));
  const notifier = opened.use(await openNotifier(config, logger));
  const liveChecks = createLiveChecks(systemClock);
  const onStored = liveChecks.stored;
  const checking = opened.use(
    await openChecking({ live, openedLog, pictures, notifier, onStored, databaseAccess, loggers: tools }),
  );
  const { engine, background } = checking;
  const key = openClientKey(config.data_dir, clientKey);
  const log = watchedLog(openedLog.log, liveChecks);
  const running = () => live.running;
  const parts = opened.use(await openParts({ running, engine, log, pictures, key, pair: live.pair, logger }));
  const rotations = opened.use(
    await openRotations(config, {
      databases: openedLog.databases,
      sharedLimits: checking.sharedLimits,
      databaseAccess,
      logger,
    }),
  );

  const stop = { leaving: new AbortController(), stopping: new AbortController() };
  const service: OpenedService = {
    ...{ live, openedLog, pictures, upkeep, notifier, checking, liveChecks },
    ...{ parts, rotations, databaseAccess, key, stop, tools },
  };
  const watching = opened.use(await openWatching(service));
  const serving = opened.use(await openServing(service, watching));
  for (const endpoint of [...serving.endpoints, ...parts.endpoints()]) engine.denySelf(endpoint);
  opened.use(await hosts.keepFrom(engine.denySelf));

  const closing = opened.move();
  const reloaded = {
    ...{ listeners: [serving.listeners, ...serving.apart], limits: serving.limits, parts, engine, logger },
    ...{ rotate: rotations.rotate, refreshSources: background.refreshSources },
  };
  return {
    urls: serving.listeners.urls,
    mispUrls: serving.apart.flatMap(({ urls }) => urls),
    partAddresses: parts.addresses(),
    adminUrl: serving.adminUrl,
    warmUp: checking.warmUp,
    reload: (next) => reloadSettings(live, reloaded, next),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

/** Services of the operator that are configured by host name. */
function operatorsServices(config: ConfigFor<'serve'>) {
  const { log_database, log_database_private, syslog } = config;
  return [...log_database, ...log_database_private, ...(syslog ? [syslog] : []), ...webhookHosts(config)];
}

const NO_ROTATIONS: Provided<'rotationsOf'> = {
  rotate: async () => async () => {},
  notices: () => [],
  [Symbol.dispose]() {},
};

/** Opens the rotations of servers and credentials. Nothing is loaded for a node without databases and a shared limiter. */
async function openRotations(
  ...[config, parts]: Parameters<Awaited<ReturnType<typeof PROVIDED.rotationsOf>>>
): Promise<Provided<'rotationsOf'>> {
  if (config.log_database.length + config.limiter.length === 0) return NO_ROTATIONS;
  return (await PROVIDED.rotationsOf())(config, parts);
}

/** The notifications of a service without any channel. */
const NO_NOTIFIER: Provided<'openNotifier'> = {
  channels: new Map(),
  blocked() {},
  feedback() {},
  alert() {},
  notices: () => [],
  async [Symbol.asyncDispose]() {},
};

/** The host of the webhook, which checks must not reach unless it is public. */
function webhookHosts({ webhook_url }: Pick<ConfigFor<'serve'>, 'webhook_url'>) {
  const url = webhook_url === null ? null : new URL(webhook_url);
  if (url === null) return [];
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  return [{ host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port, mayBePublic: true }];
}

/** Starts the notifications that the settings configure; nothing of them is loaded without any. Throws OperationError. */
async function openNotifier(config: ConfigFor<'serve'>, logger: Logger): Promise<Provided<'openNotifier'>> {
  if (config.webhook_url === null && config.mail_to.length === 0) return NO_NOTIFIER;
  return (await PROVIDED.openNotifier())(config, logger);
}
