import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import type { Command } from '../command.ts';
import { askReadiness, ownService, type Part, whereIs } from '#src/admin/installation/readiness.ts';

/** `lurecheck healthcheck`: asks the service on this machine, for a container or a service manager. */
export const healthcheckCommand: Command<'healthcheck'> = {
  name: 'healthcheck',
  operands: '',
  summary: 'asks the service where it listens whether it is ready',
  options: {},
  examples: [
    { line: 'lurecheck healthcheck', purpose: 'Ask the service at its usual address.' },
    { line: 'lurecheck healthcheck --listen 127.0.0.1:9000', purpose: 'Ask it elsewhere.' },
  ],
  async run({ config }, io) {
    const service = ownService(config);
    const { problem, parts } = await askReadiness(service);
    const told = parts.filter(({ state }) => state === 'degraded' || state === 'failed').map(describePart);
    if (problem === null) {
      await io.stdout.write('ready\n');
      await io.stderr.write(told.join(''));
      return 0;
    }
    await io.stderr.write([`lurecheck: the service at ${whereIs(service, '/readyz')} ${problem}\n`, ...told].join(''));
    return 1;
  },
};

function describePart({ name, state, detail }: Part): string {
  return `lurecheck: ${visibleInTerminal(`${name} is ${state}${detail === null ? '' : `: ${detail}`}`)}\n`;
}
