import { onceAborted } from '#src/base/once-aborted.ts';
import { SettingsError } from '#src/base/settings-error.ts';
import { openApp, type RunningApp } from '#src/program/app.ts';
import { connectServiceManager } from '#src/program/service-manager.ts';
import { batchOutput } from '../batched-output.ts';
import type { Command } from '../command.ts';
import { diagnosticsOf } from '../diagnostics.ts';

/** `lurecheck serve` */
export const serveCommand: Command<'serve'> = {
  name: 'serve',
  operands: '',
  summary: 'serves the API and the web page until it is told to stop',
  options: {},
  examples: [
    { line: 'lurecheck serve', purpose: 'Serve on http://127.0.0.1:8080, with the data in ./data.' },
    {
      line: 'lurecheck serve --listen 0.0.0.0:8080 --data-dir /var/lib/lurecheck --rate-limit 60',
      purpose: 'Serve a network.',
    },
  ],
  async run(invocation, io) {
    const { config, settings } = invocation;
    let level = config.log_level;
    const logger = diagnosticsOf(invocation, io, () => level);
    const opening = Promise.withResolvers<RunningApp>();
    const reload = async () => {
      const app = await opening.promise;
      manager.reloading();
      try {
        const { inForce, needRestart } = await app.reload((await invocation.readAgain()).values);
        level = inForce.log_level;
        logger.info('settings.reread');
        if (needRestart.length > 0) logger.warn('settings.need_restart', { settings: needRestart });
      } catch (error) {
        logger.error('settings.kept', error instanceof SettingsError ? { problems: error.problems } : { error });
      }
      manager.ready();
    };
    // One after the other; what comes before the service is open waits for it.
    let reloading = Promise.resolve();
    const stop = io.serve(() => {
      reloading = reloading.then(reload);
    });
    using manager = await connectServiceManager(io.environment, logger);
    if (settings.foreign.length > 0) logger.debug('settings.foreign_variables', { names: settings.foreign });
    const lines = batchOutput(io.stdout);
    // Opened before the service, so that it ends after the last check was printed.
    await using _ending = { [Symbol.asyncDispose]: lines.flush };
    await using app = await openApp(config, { logger, print: (line) => void lines.write(line) });
    await io.stdout.write(`${JSON.stringify(listening(app.urls))}\n`);
    manager.ready();
    opening.resolve(app);
    await new Promise<void>((resolve) => onceAborted(stop, resolve));
    await reloading;
    manager.stopping();
    logger.info('server.stopping');
    return 0;
  },
};

/** The line that says it is ready; where there are several addresses, it has them all. */
function listening(urls: readonly string[]): object {
  return { event: 'server.listening', url: urls[0], ...(urls.length > 1 && { urls }) };
}
