import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { CheckParts } from '#src/checks/check/check.ts';
import type { CheckRecord } from '#src/checks/record/check-record.ts';
import { describeEvent } from '#src/checks/record/describe-event.ts';
import type { HistoryQuery, ScanLog } from '#src/checks/store/scan-log.ts';
import { openClientHash, openClientKey, readClientKey } from '#src/checks/store/write/client-hash.ts';
import type { PeerOf } from '#src/core/base/addresses/peer.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { type Lazy, openLazily } from '#src/core/base/lazily.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { onceAborted } from '#src/core/base/once-aborted.ts';
import { withAllProblems } from '#src/core/base/settings/settings-error.ts';
import { readTlsPair, type TlsPair } from '#src/network/certificate/tls-pair.ts';
import type { Metrics } from '#src/service/metrics/metrics.ts';
import type { Notifier } from '#src/service/notifications/notifier.ts';
import { createServer } from '#src/service/server/app.ts';
import { type FeedbackIntake, openFeedbackIntake } from '#src/service/server/feedback/intake.ts';
import { createWalker } from '#src/service/server/history/walk-to-end.ts';
import { createLimits } from '#src/service/server/limiter/quota.ts';
import type { LimiterStatus } from '#src/service/server/limiter/redis-windows.ts';
import { pageFiles } from '#src/service/server/page/page-files.ts';
import { PAGE_POLICY } from '#src/service/server/page/page-policy.ts';
import { createResultSigner } from '#src/service/server/results/result-signer.ts';
import type { SyslogSender } from '#src/service/syslog/sender.ts';
import { aboutService } from './about.ts';
import { openAdminListener, openEngineMetrics } from './admin.ts';
import { type Background, startBackground } from './background.ts';
import { type Changed, type ConfigFor, changeRunning } from './config.ts';
import { openControlSocket } from './control/control-socket.ts';
import { openDataFiles } from './data-files.ts';
import { type Engine, openEngine, type StoreCheck } from './engine.ts';
import { openListeners } from './listen/listeners.ts';
import { createNamedHosts } from './listen/named-hosts.ts';
import { type LogUpkeep, type OpenedLog, openLog, startUpkeep } from './open-log.ts';
import { openNotifier, webhookHosts } from './open-notifier.ts';
import { openPrivateHistory } from './private-history.ts';
import { readinessOf } from './readiness.ts';
import { todaysVerdict } from './todays-verdict.ts';

/** Time beyond a check's deadline in which a client may take its answer while the service stops. */
const STOP_GRACE_SECONDS = 2;

/** Dependencies of the service that the process provides. */
export interface AppTools {
  readonly logger: Logger;
  /** Logs each finished check if `log_checks` is set. */
  readonly checkLog: Logger;
  /** Sends the same events to syslog; null if it is not configured. */
  readonly syslog: SyslogSender | null;
  /** Descriptors of listening sockets that the service manager passed on. */
  readonly given: readonly number[];
}

/** A running service. Disposing of it completes in-flight requests, flushes the logs and closes everything else. */
export interface RunningApp extends AsyncDisposable {
  /** Addresses of the service in the order of `listen`; at least one. */
  readonly urls: readonly string[];
  /** Address of the admin listener; null without `admin_listen`. */
  readonly adminUrl: string | null;
  /**
   * Takes over what it may of settings that were read again, and reads the files anew that they name. Where anything is
   * wrong, all stays as it was. Throws SettingsError.
   */
  reload(next: ConfigFor<'serve'>): Promise<Changed<ConfigFor<'serve'>>>;
}

/**
 * Opens everything and starts to serve; what is opened last is closed first.
 *
 * @throws StoreError where the data directory cannot be used; ListenError where an address cannot.
 */
export async function openApp(config: ConfigFor<'serve'>, tools: AppTools): Promise<RunningApp> {
  const { logger, syslog } = tools;
  await using opened = new AsyncDisposableStack();
  const live: LiveSettings = { running: config, pair: await readTlsPair(config) };
  const running = () => live.running;
  const hosts = createNamedHosts(operatorsServices(config));
  const openedLog = opened.use(await openLog(config, 'serve', logger, hosts.resolve));
  const { log, local, databases } = openedLog;
  const upkeep = opened.use(await startUpkeep(config, openedLog, logger, hosts.resolve));
  // Who balances load is report first, and is given time to notice.
  const [leaving, stopping] = [new AbortController(), new AbortController()];
  const limiter = (): LimiterStatus | null => shared;
  const judging = (): Engine => engine;
  const beside = (): Background => background;
  const notifier = opened.use(await openNotifier(config, logger));
  const parts = { config, log, leaving: leaving.signal, limiter, judging, beside, notifier };
  const readiness = () => readinessOf({ ...parts, faults: dataFiles.faults });
  const isReady = async () => (await readiness()).problem === null;
  // Measured from when somebody may ask for it: on the operator's own listener, or by a key for that.
  const measured = { logs: local, databases, syslog, notifier, beside, isReady, limiter };
  const metrics = opened.use(openLazily(() => openEngineMetrics(judging, measured)));
  if (config.admin_listen) await metrics.get();
  const tell = tellChecks(running, tools);
  const store = storeIn(log, metrics, (record) => {
    tell(record);
    if (record.result.decision === 'block') notifier.blocked(record);
  });
  const dataFiles = opened.use(openDataFiles(config.data_dir, logger));
  const onProbed: CheckParts['onProbed'] = (seen) => metrics.opened?.looked(seen);
  const engine = opened.use(await openEngine(config, { store, logger, onProbed, runsOn: true }));
  dataFiles.follow(engine);
  const rest = { pair: () => live.pair, notifier, resolve: hosts.resolve, logger };
  const background = opened.use(await startBackground({ running, engine, log, databases, dataFiles, ...rest }));
  const shared = opened.use(await openLimiter(config, engine, logger));
  const results = createResultSigner(openClientKey(config.data_dir, await readClientKey(config)));
  const feedback = opened.use(await openFeedbackOf(config, { log, notifier, logger }));
  const limits = createLimits(config, systemClock, shared?.share);
  const shown = { readiness, machineNames: machineNames(), logger };
  const createServerFor = (peerOf: PeerOf, isSecure: boolean) =>
    createServer({
      settings: config,
      limits,
      peerOf,
      isSecure,
      onAnswered: () => metrics.opened?.answered ?? null,
      metrics: metrics.get,
      keys: { find: dataFiles.keys.find, onUse: ({ name }) => metrics.opened?.keyUsed(name) },
      check: engine.check,
      ...logRoutes(config.data_dir, openedLog, { upkeep, nights: background.nights, stopping: stopping.signal }),
      takeFeedback: feedback.take,
      about: () => aboutService(running(), engine, background.packs(), results, upkeep),
      ...{ results, todaysVerdict: (url) => todaysVerdict(engine, url) },
      ...shown,
      stopping: stopping.signal,
      page: { files: pageFiles(config, engine.thresholds), policy: PAGE_POLICY },
      clock: systemClock,
    });
  const listeners = opened.use(
    await openListeners(config.listen, {
      createServer: createServerFor,
      pair: live.pair,
      isPortShared: config.reuse_port,
      patienceMs: patienceMs(config),
      given: tools.given,
    }),
  );
  const adminParts = config.admin_listen && { ...shown, metrics: await metrics.get() };
  const admin = adminParts && opened.use(await openAdminListener(config.admin_listen, adminParts));
  opened.use(await openControlSocket(config.data_dir, { files: dataFiles.followed(), readiness, logger }));
  opened.defer(() => leave(leaving, stopping, config.stop_delay_seconds));
  for (const own of [...listeners.endpoints, ...(admin?.endpoint ? [admin.endpoint] : [])]) engine.denySelf(own);
  opened.use(await hosts.keepFrom(engine.denySelf));
  const closing = opened.move();
  return {
    urls: listeners.urls,
    adminUrl: admin?.url ?? null,
    reload: (next) => reload(live, { engine, listeners, limits, look: background.look, logger }, next),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

/** What a reload changes. */
interface LiveSettings {
  running: ConfigFor<'serve'>;
  pair: TlsPair | null;
}

/** What takes changed settings up. */
interface Reloaded {
  readonly engine: Engine;
  readonly listeners: Pick<Awaited<ReturnType<typeof openListeners>>, 'renew'>;
  readonly limits: Pick<ReturnType<typeof createLimits>, 'change'>;
  /** Looks for packs and list sources at once. */
  readonly look: () => Promise<unknown>;
  readonly logger: Logger;
}

/** See {@link RunningApp.reload}. */
async function reload(
  live: LiveSettings,
  { engine, listeners, limits, look, logger }: Reloaded,
  next: ConfigFor<'serve'>,
): Promise<Changed<ConfigFor<'serve'>>> {
  const changed = withTls(live.running, changeRunning(live.running, next));
  const [{ use, hasOtherAuthorities }, nextPair] = await withAllProblems([
    engine.readAgain(changed.inForce),
    readTlsPair(changed.inForce),
  ]);
  if (nextPair !== null && !Bun.deepEquals(nextPair, live.pair)) {
    listeners.renew(nextPair);
    live.pair = nextPair;
    logger.info('tls.certificate_renewed');
  }
  use();
  limits.change(changed.inForce);
  live.running = changed.inForce;
  await look();
  return hasOtherAuthorities ? { ...changed, needRestart: [...changed.needRestart, 'egress_ca'] } : changed;
}

/** Lets load balancers drain the node, then ends waiting requests. */
async function leave(leaving: AbortController, stopping: AbortController, delaySeconds: number): Promise<void> {
  leaving.abort();
  await wait(delaySeconds * 1000);
  stopping.abort();
}

/** Takes feedback in, beside the logs. */
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

/** What clients may read of the logs. */
function logRoutes(
  dataDir: string,
  { log, databases }: Pick<OpenedLog, 'log' | 'databases'>,
  {
    upkeep,
    nights,
    stopping,
  }: {
    readonly upkeep: LogUpkeep;
    readonly nights: Pick<Background['nights'], 'report'>;
    readonly stopping: AbortSignal;
  },
) {
  const stats = async () => {
    const [counts, rescored] = await Promise.all([log.stats(), nights.report()]);
    return { ...counts, retention: upkeep.retention(), ...(rescored && { rescored }) };
  };
  return {
    history: (query: HistoryQuery) => log.page(query),
    historySummary: log.summary,
    privateHistory: databases ? null : openPrivateHistory(dataDir, log),
    walk: createWalker({ walk: log.walk, stopping, clock: systemClock }),
    stats,
  };
}

/** Requests under way are answered; a client that does not take its answer is not waited for. */
function patienceMs({ deadline_seconds }: ConfigFor<'serve'>): number {
  return (deadline_seconds + STOP_GRACE_SECONDS) * 1000;
}

/** Tells of each check that is kept where the settings in force say so. */
function tellChecks(
  running: () => Pick<ConfigFor<'serve'>, 'log_checks' | 'syslog_checks'>,
  { checkLog, syslog }: AppTools,
): (record: CheckRecord) => void {
  const syslogChecks = syslog?.logger(() => 'info');
  return (record) => {
    if (running().log_checks) checkLog.info('check.done', describeEvent(record));
    if (running().syslog_checks) syslogChecks?.info('check.done', describeEvent(record));
  };
}

/** Services of the operator that are configured by host name. */
function operatorsServices(config: ConfigFor<'serve'>) {
  const { log_database, log_database_private, syslog } = config;
  return [...log_database, ...log_database_private, ...(syslog ? [syslog] : []), ...webhookHosts(config)];
}

/** What nodes count in together; null, and nothing of it loaded, where no setting names it. */
async function openLimiter(config: ConfigFor<'serve'>, engine: Engine, logger: Logger) {
  if (config.limiter.length === 0) return null;
  const { openSharedLimits } = await import('./fleet/shared-limits.ts');
  return await openSharedLimits(config, { logger, deny: engine.denySelf });
}

/** Logs each check, measures that, and hands on what was logged. */
function storeIn(log: ScanLog, metrics: Lazy<Metrics>, onKept: (record: CheckRecord) => void): StoreCheck {
  return async (record, left) => {
    const beganMs = systemClock.monotonicMs();
    await log.append(record);
    metrics.opened?.checked({ ...record, logSeconds: (systemClock.monotonicMs() - beganMs) / 1000 });
    onceAborted(left, () => {
      log.markUndelivered(record.visibility, record.result.request_id);
      metrics.opened?.undelivered();
    });
    onKept(record);
  };
}

/** A certificate may change, but whether there is one takes a restart. */
function withTls<Values extends ConfigFor<'serve'>>(running: Values, changed: Changed<Values>): Changed<Values> {
  const { tls_certificate, tls_key } = running;
  if ((tls_certificate === null) === (changed.inForce.tls_certificate === null)) return changed;
  return {
    inForce: { ...changed.inForce, tls_certificate, tls_key },
    needRestart: [...changed.needRestart, 'tls_certificate', 'tls_key'],
  };
}

/** Names of this host, with and without domain. */
function machineNames(): string[] {
  const name = hostname().toLowerCase();
  return [name, name.split('.', 1)[0] ?? name];
}
