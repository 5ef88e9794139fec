import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import type { Command } from '#src/interfaces/cli/command.ts';
import { addressOf, fetchReadiness, ownService, type Part } from '#src/parts/host/installation/readiness.ts';

/** `lurecheck healthcheck`: asks the service on this machine, for a container or a service manager. */
export const healthcheckCommand: Command<'healthcheck'> = {
  name: 'healthcheck',
  operands: '',
  summary: 'ask a service whether it is ready',
  options: {},
  examples: [
    { line: 'lurecheck doctor healthcheck', purpose: 'Ask the service at its usual address.' },
    { line: 'lurecheck doctor healthcheck --listen 127.0.0.1:9000', purpose: 'Ask a service at another address.' },
  ],
  async run({ config }, io) {
    const service = ownService(config);
    const { problem, parts } = await fetchReadiness(service);
    const faulty = parts.filter(({ state }) => state === 'degraded' || state === 'failed').map(describePart);
    if (problem === null) {
      await io.stdout.write('ready\n');
      await io.stderr.write(faulty.join(''));
      return 0;
    }
    await io.stderr.write(
      [`lurecheck: the service at ${addressOf(service, '/readyz')} ${problem}\n`, ...faulty].join(''),
    );
    return 1;
  },
};

function describePart({ name, state, detail }: Part): string {
  return `lurecheck: ${visibleInTerminal(`${name} is ${state}${detail === null ? '' : `: ${detail}`}`)}\n`;
}
