import { createLogger } from '#src/base/logger.ts';
import { onceAborted } from '#src/base/once-aborted.ts';
import { openApp } from '#src/program/app.ts';
import { batchOutput } from '../batched-output.ts';
import { type Command, UsageError } from '../command.ts';

/** `lurecheck serve` */
export const serveCommand: Command<'serve'> = {
  name: 'serve',
  operands: '',
  summary: 'serves the API and the web page until it is told to stop',
  options: {},
  async run({ positionals, config, settings }, io) {
    if (positionals.length > 0) throw new UsageError(`serve takes no operand: ${positionals.join(' ')}`);
    const stop = io.serve();
    const logger = createLogger(config.log_level, (line) => void io.stderr.write(line));
    if (settings.foreign.length > 0) logger.debug('settings.foreign_variables', { names: settings.foreign });
    const lines = batchOutput(io.stdout);
    // Opened before the service, so that it ends after the last check was printed.
    await using _ending = { [Symbol.asyncDispose]: lines.flush };
    await using app = await openApp(config, { logger, print: (line) => void lines.write(line) });
    await io.stdout.write(`${JSON.stringify(listening(app.urls))}
`);
    await new Promise<void>((resolve) => onceAborted(stop, resolve));
    logger.info('server.stopping');
    return 0;
  },
};

/** The line that says it is ready; where there are several addresses, it has them all. */
function listening(urls: readonly string[]): object {
  return { event: 'server.listening', url: urls[0], ...(urls.length > 1 && { urls }) };
}
