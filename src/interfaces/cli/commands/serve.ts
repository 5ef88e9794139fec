import { openApp, type RunningApp } from '#src/app/app.ts';
import type { ConfigFor } from '#src/app/config.ts';
import { givenDescriptors } from '#src/app/listen/listeners.ts';
import { PROVIDED } from '#src/app/parts.ts';
import { connectServiceManager } from '#src/app/service-manager.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import type { Output } from '#src/core/base/io.ts';
import { type LogFormat, membersIn } from '#src/core/base/log/log-format.ts';
import { createLogger, type LogFields, type Logger, type LogLevel, teeLogger } from '#src/core/base/logger.ts';
import { notice } from '#src/core/base/text/condition.ts';
import { onceAborted } from '#src/core/base/timers.ts';
import { batchOutput } from '../batched-output.ts';
import type { Command, Invocation } from '../command.ts';
import { diagnosticsOf } from '../diagnostics.ts';

/** Message of the event `log.apart`. */
const LOGS_APART =
  'Each process that shares the port has its own logs: history and statistics are those of the process that answers. Configure log_database for shared logs.';

/** Public notice; the event has the problems, which may name what is confidential. */
const RELOAD_REFUSED = notice(
  'settings_refused',
  'The settings were changed and are invalid: the service keeps the former ones. See settings.kept in its log, and lurecheck config check.',
);

/** `lurecheck serve` */
export const serveCommand: Command<'serve'> = {
  name: 'serve',
  operands: '',
  summary: 'start the service: web page and HTTP API',
  options: {},
  examples: [
    { line: 'lurecheck serve', purpose: 'Serve on http://127.0.0.1:8080, with the data in ./data.' },
    {
      line: 'lurecheck serve --listen 0.0.0.0:8080 --host links.example --data-dir /var/lib/lurecheck',
      purpose: 'Serve a network.',
    },
  ],
  async run(invocation, io) {
    const { config, settings } = invocation;
    let { log_level: level, log_format: format } = config;
    let { origins } = settings;
    let isReloadRefused = false;
    // Opened before the service, so that it closes after the last check is logged.
    await using log = openServiceLog(
      invocation,
      io.stdout,
      () => level,
      () => format,
    );
    // Events about the log server itself are not sent to it.
    await using syslog = config.syslog && (await (await PROVIDED.openSyslog())(config, log.logger, () => format));
    const logger = syslog
      ? teeLogger(
          log.logger,
          syslog.logger(() => level),
        )
      : log.logger;
    const opening = Promise.withResolvers<RunningApp>();
    const reload = async () => {
      const app = await opening.promise;
      manager.reloading();
      try {
        const next = await invocation.reload();
        const { active, needRestart } = await app.reload(next.values);
        origins = next.origins;
        ({ log_level: level, log_format: format } = active);
        if (needRestart.length > 0) logger.warn('settings.need_restart', { settings: needRestart });
        isReloadRefused = false;
        logger.info('settings.reread');
      } catch (error) {
        isReloadRefused = true;
        logger.error('settings.kept', error instanceof OperationError ? { problems: error.problems } : { error });
      }
      manager.ready();
    };
    // Reloads run one after the other; one before the service is open waits for it.
    let reloading = Promise.resolve();
    const stop = io.serve(() => {
      reloading = reloading.then(reload);
    });
    using manager = await connectServiceManager(io.environment, logger);
    if (settings.foreign.length > 0) logger.debug('settings.foreign_variables', { names: settings.foreign });
    const inheritedSockets = givenDescriptors(io.environment);
    await using app = await openApp(config, {
      ...{ logger, checkLog: log.checkLog, syslog, inheritedSockets },
      origins: () => origins,
      reloadNotices: () => (isReloadRefused ? [RELOAD_REFUSED] : []),
    });
    await log.ready(listening(app));
    // The first answers are part of the start and would wait for this. It begins once as long again has passed.
    const settled = setTimeout(() => {
      // What runs from now on is worth compiling.
      Bun.unsafe.setJITPolicy(1);
      app.warmUp();
    }, performance.now());
    syslog?.logger(() => 'info').info('server.listening', listening(app));
    // A database has its own bounds, which are logged once they are read.
    if (config.log_database.length === 0) logger.info('log.bounds', boundsOf(config));
    if (config.reuse_port && config.log_database.length === 0) logger.warn('log.apart', { message: LOGS_APART });
    manager.ready();
    opening.resolve(app);
    await new Promise<void>((resolve) => onceAborted(stop, resolve));
    clearTimeout(settled);
    await reloading;
    manager.stopping();
    logger.info('server.stopping');
    return 0;
  },
};

/** Returns the retention settings of logs in files. */
function boundsOf(config: ConfigFor<'serve'>): LogFields {
  const { retention_days, retention_bytes, retention_rows, disk_floor_percent } = config;
  return { retention_days, retention_bytes, retention_rows, disk_floor_percent };
}

/** Returns the addresses of the service: the first one, and all if there are several. */
function listening({
  urls,
  mispUrls,
  partAddresses,
  adminUrl,
}: Pick<RunningApp, 'urls' | 'mispUrls' | 'partAddresses' | 'adminUrl'>): LogFields {
  return {
    url: urls[0],
    ...(urls.length > 1 && { urls }),
    ...(mispUrls.length > 0 && { misp_urls: mispUrls }),
    ...Object.fromEntries(Object.entries(partAddresses).filter(([, addresses]) => addresses.length > 0)),
    ...(adminUrl && { admin_url: adminUrl }),
  };
}

/** Events of a service on one output: one JSON line per event, in order. */
interface ServiceLog extends AsyncDisposable {
  /** Writes events of `log_level` or above, without buffering. */
  readonly logger: Logger;
  /**
   * Writes the line of each check regardless of `log_level`: it has its own setting. Buffered, since there are many.
   */
  readonly checkLog: Logger;
  /** Logs that the service is ready, at any level: the caller of the service waits for it. */
  ready(fields: LogFields): Promise<void>;
}

/** The log of a service. Disposing of it writes what is left. */
function openServiceLog(
  invocation: Invocation<{ readonly log_level: LogLevel; readonly log_format: LogFormat }>,
  stdout: Output,
  level: () => LogLevel,
  format: () => LogFormat,
): ServiceLog {
  const lines = batchOutput(stdout);
  const writeAtOnce = (line: string) => {
    void lines.write(line);
    return lines.flush();
  };
  return {
    logger: diagnosticsOf(invocation, { write: writeAtOnce }, level, format),
    checkLog: diagnosticsOf(invocation, lines, () => 'info', format),
    async ready(fields) {
      const logger = createLogger(
        'info',
        (line) => void lines.write(line),
        Date.now,
        (logged) => membersIn(format(), logged),
      );
      logger.info('server.listening', fields);
      await lines.flush();
    },
    [Symbol.asyncDispose]: lines.flush,
  };
}
