import type { CheckParts } from '#src/checks/check/check.ts';
import type { CheckRecord } from '#src/checks/record/check-record.ts';
import { decidingList, describeEvent } from '#src/checks/record/describe-event.ts';
import type { DatabaseAccess } from '#src/checks/store/database-access.ts';
import type { PictureStore } from '#src/checks/store/pictures/picture-store.ts';
import type { ScanLog } from '#src/checks/store/scan-log.ts';
import { systemClock } from '#src/core/base/clock.ts';
import type { LogFields, Logger } from '#src/core/base/logger.ts';
import { onceAborted } from '#src/core/base/timers.ts';
import { warmUpLinks } from '#src/core/knowledge/hosts/warm-up-links.ts';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';
import { observeLists } from '#src/network/probes/lists.ts';
import { skippedObservations } from '#src/network/probes/observations.ts';
import { type Background, startBackground } from './background.ts';
import type { ConfigFor } from './config.ts';
import { type DataFiles, openDataFiles } from './data-files.ts';
import { type Engine, openEngine, type StoreCheck } from './engine.ts';
import type { LiveSettings } from './live-settings.ts';
import type { OpenedLog } from './open-log.ts';
import { PROVIDED, type Provided } from './parts.ts';

/** Loggers of the process. */
export interface AppLoggers {
  readonly logger: Logger;
  /** Logs each finished check if `log_checks` is set. */
  readonly checkLog: Logger;
  /** Sends the same events to syslog; null if it is not configured. */
  readonly syslog: Provided<'openSyslog'>;
}

/** Dependencies of {@link openChecking}. */
export interface CheckingParts {
  readonly live: LiveSettings;
  readonly openedLog: OpenedLog;
  readonly pictures: Pick<PictureStore, 'store'>;
  readonly notifier: Provided<'openNotifier'>;
  /** Called with each check that was stored. */
  readonly onStored: (record: CheckRecord) => void;
  readonly databaseAccess: DatabaseAccess;
  readonly loggers: AppLoggers;
}

/** Everything that checks URLs: the engine, the data files it follows, background work and the shared limiter. */
export interface Checking extends AsyncDisposable {
  readonly engine: Engine;
  readonly dataFiles: DataFiles;
  readonly background: Background;
  /** Null if no limiter is configured. */
  readonly sharedLimits: Provided<'openSharedLimits'>;
  /** Counts checks in these metrics from now on. */
  measure(metrics: Provided<'openMetrics'>): void;
  /** Last pull of a feed by key name, in milliseconds since the Unix epoch. */
  readonly pulls: Map<string, number>;
  /** Returns the metrics in which checks are counted; null if there are none. */
  measured(): Provided<'openMetrics'> | null;
  /** Logs the event of a message, as those of checks. */
  logMessage(event: LogFields): void;
  /** Classifies a link of each unusual kind, whose tables are not loaded yet. */
  warmUp(): void;
}

/** Opens everything that checks URLs. Throws OperationError, ModelError. */
export async function openChecking({
  live,
  openedLog,
  pictures,
  notifier,
  onStored,
  databaseAccess,
  loggers,
}: CheckingParts): Promise<Checking> {
  const config = live.running;
  const { logger } = loggers;
  const { log, databases } = openedLog;
  await using opened = new AsyncDisposableStack();
  const running = () => live.running;
  let metrics: Provided<'openMetrics'> | null = null;
  const logEvent = eventLogger(running, loggers);
  const store = storeIn(
    log,
    () => metrics,
    (record) => {
      logEvent('check.done', (format) => ({
        ...describeEvent(record),
        ...(format === 'ecs' && { list: decidingList(record) }),
      }));
      const sha256 = record.result.analysis_details.render?.screenshot?.sha256;
      if (sha256 !== undefined) pictures.store(record.visibility, record.result.request_id, sha256);
      onStored(record);
      if (record.result.decision === 'block') notifier.blocked(record);
    },
  );
  const dataFiles = opened.use(openDataFiles(config.data_dir, logger));
  const onProbed: CheckParts['onProbed'] = (observations) => metrics?.looked(observations);
  const engine = opened.use(await openEngine(config, { store, logger, onProbed, runsOn: true }));
  dataFiles.follow(engine);
  const [ordinary = '', ...otherKinds] = warmUpLinks(1);
  const classify = (url: string) => {
    const target = parseTarget(url);
    if (isTargetProblem(target)) return;
    engine.assess(target, skippedObservations('disabled', observeLists(engine.lists, target, systemClock.now())));
  };
  // The first check would wait for tables to load.
  classify(ordinary);
  const pulls = new Map<string, number>();
  const rest = { pulls, pair: () => live.pair, notifier, databaseAccess, logger, local: openedLog.local };
  const background = opened.use(await startBackground({ running, engine, log, databases, dataFiles, ...rest }));
  const sharedLimits = opened.use(await openLimiter(config, engine, logger));
  const closing = opened.move();
  return {
    engine,
    dataFiles,
    background,
    sharedLimits,
    measure(opened) {
      metrics = opened;
    },
    pulls,
    measured: () => metrics,
    logMessage: (event) => logEvent('message.done', () => event),
    warmUp: () => otherKinds.forEach(classify),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

/** Returns a function that logs a check or a message, to the process log and to syslog, as the active settings say. */
function eventLogger(
  running: () => Pick<ConfigFor<'serve'>, 'log_checks' | 'log_format' | 'syslog_checks'>,
  { checkLog, syslog }: AppLoggers,
): (name: 'check.done' | 'message.done', describe: (format: ConfigFor<'serve'>['log_format']) => LogFields) => void {
  const syslogChecks = syslog?.logger(() => 'info');
  return (name, describe) => {
    const { log_checks, log_format, syslog_checks } = running();
    if (!log_checks && !syslog_checks) return;
    const event = describe(log_format);
    if (log_checks) checkLog.info(name, event);
    if (syslog_checks) syslogChecks?.info(name, event);
  };
}

/** Opens the limiter that nodes share; null, and nothing of it is loaded, if none is configured. */
async function openLimiter(
  config: ConfigFor<'serve'>,
  engine: Engine,
  logger: Logger,
): Promise<Provided<'openSharedLimits'>> {
  if (config.limiter.length === 0) return null;
  return await (await PROVIDED.openSharedLimits())(config, { logger, deny: engine.denySelf });
}

/** Stores each check in the log, measures it, and passes the stored record on. */
function storeIn(
  log: ScanLog,
  metrics: () => Provided<'openMetrics'> | null,
  onStored: (record: CheckRecord) => void,
): StoreCheck {
  return async (record, left) => {
    const beganMs = systemClock.monotonicMs();
    await log.append(record);
    metrics()?.checked({ ...record, logSeconds: (systemClock.monotonicMs() - beganMs) / 1000 });
    onceAborted(left, () => {
      log.markUndelivered(record.visibility, record.result.request_id);
      metrics()?.undelivered();
    });
    onStored(record);
  };
}
