import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { appendAudit } from '#src/admin/audit/audit-log.ts';
import { latestEntries } from '#src/admin/audit/latest-entries.ts';
import { openPictureStore, type PictureStore } from '#src/checks/store/pictures/picture-store.ts';
import { startPictureUpkeep } from '#src/checks/store/pictures/picture-upkeep.ts';
import type { ScanLog } from '#src/checks/store/scan-log.ts';
import { openClientHash, openClientKey, readClientKey } from '#src/checks/store/write/client-hash.ts';
import type { PeerOf } from '#src/core/base/addresses/peer.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { type Lazy, openLazily } from '#src/core/base/lazily.ts';
import type { Logger } from '#src/core/base/logger.ts';
import type { Notice } from '#src/core/base/text/notice.ts';
import { createTurns } from '#src/core/base/turns.ts';
import { readTlsPair } from '#src/network/certificate/tls-pair.ts';
import type { DatabaseAccess } from '#src/parts/fleet/postgres/session/public-primary.ts';
import type { Rotations } from '#src/parts/fleet/rotations.ts';
import { createFirstSeen } from '#src/parts/monitoring/alerts/condition.ts';
import type { Metrics } from '#src/parts/monitoring/metrics/metrics.ts';
import type { Notifier } from '#src/parts/monitoring/notifications/notifier.ts';
import { openNotifier, webhookHosts } from '#src/parts/monitoring/open-notifier.ts';
import { createServer } from '#src/service/server/app.ts';
import { type FeedbackIntake, openFeedbackIntake } from '#src/service/server/feedback/intake.ts';
import type { Readiness } from '#src/service/server/health-routes.ts';
import { createLimits, type Limits } from '#src/service/server/limiter/quota.ts';
import { createMispServer } from '#src/service/server/misp-app.ts';
import { pageFiles } from '#src/service/server/page/page-files.ts';
import { PAGE_POLICY } from '#src/service/server/page/page-policy.ts';
import { createPictureLinks } from '#src/service/server/pictures/picture-links.ts';
import { withPictureLinks } from '#src/service/server/pictures/with-picture-links.ts';
import { createResultSigner } from '#src/service/server/results/result-signer.ts';
import { aboutService } from './about.ts';
import { openAdminListener, openEngineMetrics } from './admin.ts';
import { type AppLoggers, type Checking, openChecking } from './checking.ts';
import type { Changed, ConfigFor } from './config.ts';
import { createLiveChecks, type LiveChecks, watchedLog } from './console/live-checks.ts';
import { openConsole } from './console/open-console.ts';
import { openControlSocket } from './control/control-socket.ts';
import { openAccess } from './data-files.ts';
import { type Listeners, openListeners } from './listen/listeners.ts';
import { createNamedHosts } from './listen/named-hosts.ts';
import { type LiveSettings, reloadSettings } from './live-settings.ts';
import { logRoutes } from './log-routes.ts';
import type { MailReader } from './message/open-mail-reader.ts';
import { type LogUpkeep, type OpenedLog, openLog, startUpkeep } from './open-log.ts';
import { type OpenedParts, openParts } from './parts/open-parts.ts';
import { readinessOf } from './readiness.ts';
import type { ShownOrigins } from './settings-shown.ts';
import { todaysVerdict } from './todays-verdict.ts';

/**
 * Time beyond the deadline of a check in which a client may still receive its answer while the service stops, and for
 * which work beside checks may wait for a database.
 */
const STOP_GRACE_SECONDS = 2;

/** Dependencies of the service that the process provides. */
export interface AppTools extends AppLoggers {
  /** Source of each setting. */
  readonly origins: () => ShownOrigins;
  /** Notices on a reload that was refused. */
  readonly reloadNotices: () => readonly Notice[];
  /** Descriptors of listening sockets that the service manager passed on. */
  readonly inheritedSockets: readonly number[];
}

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
  const clientKey = await readClientKey(config);
  const live: LiveSettings = { running: config, pair: await readTlsPair(config), clientKey };
  if (config.log_database.length > 0) {
    const { readLogServers, replaceLogServers } = await import('#src/parts/fleet/rotate-databases.ts');
    replaceLogServers(config, await readLogServers(config));
  }
  const hosts = createNamedHosts(() => operatorsServices(config));
  // All work beside checks and reads uses one connection, so that a node opens six at most.
  const databaseAccess = { resolve: hosts.resolve, turns: createTurns() };
  const logs = opened.use(await openLogs(config, tools, databaseAccess));
  const { openedLog, pictures, notifier } = logs;
  const liveChecks = createLiveChecks(systemClock);
  const onStored = liveChecks.stored;
  const checking = opened.use(
    await openChecking({ live, openedLog, pictures, notifier, onStored, databaseAccess, loggers: tools }),
  );
  const stop: StopSignals = { leaving: new AbortController(), stopping: new AbortController() };
  const key = openClientKey(config.data_dir, clientKey);
  const watched = watchedLog(openedLog.log, liveChecks);
  const { engine, background } = checking;
  const { logger } = tools;
  const running = () => live.running;
  const parts = opened.use(await openParts({ running, engine, log: watched, pictures, key, pair: live.pair, logger }));
  const rotations = opened.use(await openRotations(config, { logs, checking, databaseAccess, logger }));
  const earlier = { logs, checking, parts, rotations, stop, tools };
  const watching = opened.use(await openWatching(live, earlier));
  const serving = opened.use(
    await openServing(live, { ...earlier, liveChecks, key, databaseAccess, watched: watching }),
  );
  for (const endpoint of [...serving.endpoints, ...parts.endpoints()]) engine.denySelf(endpoint);
  opened.use(await hosts.keepFrom(engine.denySelf));
  const closing = opened.move();
  const listeners = [serving.listeners, serving.misp];
  const { limits } = serving;
  const { rotate } = rotations;
  const targets = { listeners, parts, limits, rotate, engine, refreshSources: background.refreshSources, logger };
  return {
    urls: serving.listeners.urls,
    mispUrls: serving.misp.urls,
    partAddresses: parts.addresses(),
    adminUrl: serving.adminUrl,
    warmUp: checking.warmUp,
    reload: (next) => reloadSettings(live, targets, next),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

/** Phases of a stop: load balancers drain the node once `leaving` is aborted, waiting requests end with `stopping`. */
interface StopSignals {
  readonly leaving: AbortController;
  readonly stopping: AbortController;
}

/** The logs, their retention, and notifications. */
interface Logs extends AsyncDisposable {
  readonly openedLog: OpenedLog;
  readonly pictures: PictureStore;
  readonly upkeep: LogUpkeep;
  readonly notifier: Notifier;
}

async function openLogs(
  config: ConfigFor<'serve'>,
  { logger }: AppTools,
  databaseAccess: DatabaseAccess,
): Promise<Logs> {
  await using opened = new AsyncDisposableStack();
  const { data_dir: dataDir, screenshot_days: days, screenshot_bytes: bytes } = config;
  const pictures = opened.use(openPictureStore({ dataDir, bounds: { days, bytes }, clock: systemClock, logger }));
  const openedLog = opened.use(await openLog(config, 'serve', logger, databaseAccess, pictures.remove));
  const upkeep = opened.use(await startUpkeep(config, openedLog, logger, databaseAccess));
  opened.use(startPictureUpkeep(pictures, openedLog.log, logger));
  const notifier = opened.use(await openNotifier(config, logger));
  const closing = opened.move();
  return { openedLog, pictures, upkeep, notifier, [Symbol.asyncDispose]: () => closing.disposeAsync() };
}

/** Readiness and metrics of a service. */
interface Watched extends AsyncDisposable {
  readonly readiness: () => Promise<Readiness>;
  readonly metrics: Lazy<Metrics>;
}

/** Parts that earlier steps of {@link openApp} opened. */
interface EarlierParts {
  readonly logs: Logs;
  readonly checking: Checking;
  readonly parts: OpenedParts;
  readonly rotations: Rotations;
  readonly stop: StopSignals;
  readonly tools: AppTools;
}

/** Opens readiness, and metrics when they are first read: at once with `admin_listen`, otherwise by a key's first scrape. */
async function openWatching(
  live: LiveSettings,
  { logs: { openedLog, notifier }, checking, parts, rotations, stop, tools }: EarlierParts,
): Promise<Watched> {
  const { syslog, reloadNotices } = tools;
  const config = live.running;
  const { engine, background, dataFiles, sharedLimits: limiter } = checking;
  const sources = { config, log: openedLog.log, leaving: stop.leaving.signal, limiter, engine, background, notifier };
  const firstSeen = createFirstSeen(systemClock.now);
  const pulled = () => ({
    isOn: live.running.feeds || live.running.zone_listen.length > 0,
    notices: parts.get('feeds')?.feedNotices() ?? [],
  });
  const readiness = () =>
    readinessOf({
      ...sources,
      firstSeen,
      faults: dataFiles.faults,
      feeds: pulled,
      gateNotices: () => [...reloadNotices(), ...rotations.notices(), ...parts.notices()],
    });
  const isReady = async () => (await readiness()).problem === null;
  const { local: logs, databases } = openedLog;
  const metrics = openLazily(async () => {
    const measured = {
      logs,
      databases,
      syslog,
      notifier,
      engine,
      background,
      isReady,
      limiter,
      parts,
    };
    const opened = await openEngineMetrics(measured);
    checking.measure(opened);
    return opened;
  });
  if (config.admin_listen) await metrics.get();
  return { readiness, metrics, [Symbol.asyncDispose]: () => metrics[Symbol.asyncDispose]() };
}

/** The servers of a service. Disposing of them completes in-flight requests. */
interface Serving extends AsyncDisposable {
  readonly listeners: Listeners;
  readonly misp: Listeners;
  readonly limits: Limits;
  readonly adminUrl: string | null;
  /** Addresses of the service itself, which no check may reach. */
  readonly endpoints: Listeners['endpoints'];
}

async function openServing(
  live: LiveSettings,
  {
    logs: { openedLog, pictures, upkeep, notifier },
    checking,
    parts,
    liveChecks,
    key,
    databaseAccess,
    watched,
    stop,
    tools,
  }: EarlierParts & {
    readonly watched: Watched;
    readonly liveChecks: LiveChecks;
    readonly key: () => Buffer;
    readonly databaseAccess: DatabaseAccess;
  },
): Promise<Serving> {
  const running = () => live.running;
  const config = live.running;
  const { logger } = tools;
  const { log } = openedLog;
  const { engine, background, dataFiles, sharedLimits } = checking;
  const { readiness, metrics } = watched;
  const stopping = stop.stopping.signal;
  await using opened = new AsyncDisposableStack();
  const results = createResultSigner(key);
  const pictureLinks = createPictureLinks(key, systemClock);
  const feedback = opened.use(await openFeedbackOf(config, { log, notifier, logger }));
  const limits = createLimits(config, systemClock, sharedLimits?.share);
  const shown = { readiness, machineNames: machineNames(), logger };
  const { apiKeys, sessions, keyUsedMs, noteUse } = openAccess(config, dataFiles, key, background.syncFleet);
  // Loaded for the first mail that a client sends.
  const mails = opened.use(
    openLazily(async () => (await import('./message/open-mail-reader.ts')).openMailReader(engine, running)),
  );
  const check = withPictureLinks(engine.check, pictures, pictureLinks, config.base_path);
  const common = {
    ...{ ...shown, settings: config, limits, check, clock: systemClock },
    onAnswered: () => metrics.opened?.answered ?? null,
    readMail: async (...mail: Parameters<MailReader['readMail']>) => (await mails.get()).readMail(...mail),
    keys: {
      find: dataFiles.keys.find,
      onUse({ name }: { name: string }) {
        noteUse(name);
        metrics.opened?.keyUsed(name);
      },
    },
  };
  const about = () => aboutService(running(), engine, background.packs(), results, upkeep);
  const watching = { readiness, about, origins: tools.origins, openedLog, upkeep, background };
  const operations = openConsole({ ...watching, running, engine, dataFiles, parts, liveChecks, stopping });
  const isStale = () => (parts.get('feeds')?.feedNotices() ?? []).length > 0;
  const createServerFor = (peerOf: PeerOf, isSecure: boolean) =>
    createServer({
      ...{ ...common, peerOf, isSecure },
      onMessage: checking.logMessage,
      metrics: metrics.get,
      ...logRoutes(config.data_dir, openedLog, { upkeep, nights: background.nights, stopping }),
      takeFeedback: feedback.take,
      feeds: {
        isOn: () => running().feeds,
        pull: async (name) => (await parts.get('feeds')?.pull(name)) ?? null,
        onPulled(name, status, keyName) {
          if (keyName !== null) checking.pulls.set(keyName, systemClock.now());
          metrics.opened?.feedPulled(name, status, keyName, status === 503 || isStale());
        },
      },
      feedPeers: () => running().feed_peers,
      misp: { isOn: () => running().misp },
      hasNoKeys: dataFiles.keys.isEmpty,
      about,
      ...{ pictures, pictureLinks },
      ...{ results, todaysVerdict: (url) => todaysVerdict(engine, url) },
      stopping,
      page: { files: pageFiles(config, engine.thresholds), policy: PAGE_POLICY },
      sessions,
      authUsers: () => running().auth_users,
      audit: (by, what) => appendAudit(config.data_dir, by, what),
      auditEntries: (limit, before) => latestEntries(config.data_dir, limit, before),
      apiKeys,
      keyUsedMs,
      operations,
    });
  const listening = { pair: live.pair, isPortShared: config.reuse_port, patienceMs: patienceMs(config) };
  const listeners = opened.use(
    await openListeners(config.listen, {
      ...listening,
      createServer: createServerFor,
      inheritedSockets: tools.inheritedSockets,
    }),
  );
  const misp = opened.use(
    await openListeners(config.misp_listen, {
      ...{ ...listening, inheritedSockets: [] },
      createServer: (peerOf, isSecure) => createMispServer({ ...common, peerOf, isSecure }),
    }),
  );
  const adminParts = config.admin_listen && { ...shown, metrics: await metrics.get() };
  const admin = adminParts && opened.use(await openAdminListener(config.admin_listen, adminParts));
  opened.use(await openControlSocket(config.data_dir, { files: dataFiles.followed(), readiness, logger }));
  // Requests in flight may wait for work beside checks, so that this ends first.
  opened.defer(() => void setTimeout(() => databaseAccess.turns?.end(), STOP_GRACE_SECONDS * 1000).unref());
  opened.defer(() => leave(stop, config.stop_delay_seconds));
  const closing = opened.move();
  return {
    listeners,
    misp,
    limits,
    adminUrl: admin?.url ?? null,
    endpoints: [...listeners.endpoints, ...misp.endpoints, ...(admin?.endpoint ? [admin.endpoint] : [])],
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

/** Lets load balancers drain the node, then ends waiting requests. */
async function leave({ leaving, stopping }: StopSignals, delaySeconds: number): Promise<void> {
  leaving.abort();
  await wait(delaySeconds * 1000);
  stopping.abort();
}

/** Opens the queue of feedback, beside the logs. */
async function openFeedbackOf(
  config: ConfigFor<'serve'>,
  { log, notifier, logger }: { readonly log: ScanLog; readonly notifier: Notifier; readonly logger: Logger },
): Promise<FeedbackIntake> {
  const { data_dir: dataDir, retention_days: retentionDays } = config;
  const hashOf = openClientHash(dataDir, await readClientKey(config));
  return openFeedbackIntake({
    log,
    dataDir,
    retentionDays,
    hashOf,
    onStored: notifier.feedback,
    clock: systemClock,
    logger,
  });
}

/** Returns how long in-flight requests may take while the service stops, in milliseconds. */
function patienceMs({ deadline_seconds }: ConfigFor<'serve'>): number {
  return (deadline_seconds + STOP_GRACE_SECONDS) * 1000;
}

/** Services of the operator that are configured by host name. */
function operatorsServices(config: ConfigFor<'serve'>) {
  const { log_database, log_database_private, syslog } = config;
  return [...log_database, ...log_database_private, ...(syslog ? [syslog] : []), ...webhookHosts(config)];
}

/** Names of this host, with and without domain. */
function machineNames(): string[] {
  const name = hostname().toLowerCase();
  return [name, name.split('.', 1)[0] ?? name];
}

const NO_ROTATIONS: Rotations = { rotate: async () => async () => {}, notices: () => [], [Symbol.dispose]() {} };

/** Opens the rotations of servers and credentials. Nothing is loaded for a node without databases and a shared limiter. */
async function openRotations(
  ...[config, parts]: Parameters<typeof import('#src/parts/fleet/rotations.ts').rotationsOf>
): Promise<Rotations> {
  if (config.log_database.length + config.limiter.length === 0) return NO_ROTATIONS;
  return (await import('#src/parts/fleet/rotations.ts')).rotationsOf(config, parts);
}
