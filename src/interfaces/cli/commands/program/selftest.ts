import { CANARIES } from '#src/app/canaries.ts';
import type { ConfigFor } from '#src/app/config.ts';
import { openEngine, STORE_NONE } from '#src/app/engine.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { inputsOfOperands } from '../../check/check-input.ts';
import { type CheckOutcome, checkOne } from '../../check/check-one.ts';
import { type Command, UsageError } from '../../command.ts';

/** Maximum difference between the sum of the reasons and the probability, in nats (`INTERFACE.md`). */
const MAX_ERROR_NATS = 1e-6;

/** `lurecheck selftest` */
export const selftestCommand: Command<'selftest'> = {
  name: 'selftest',
  operands: '',
  summary: 'check canary URLs with known verdicts, locally or at a service; nothing is logged',
  options: {
    server: { type: 'string', value: 'URL', description: 'Ask the service at this URL, as check --server does.' },
    key: { type: 'string', value: 'FILE', description: 'File with an API key of that service, with the scope batch.' },
  },
  examples: [
    {
      line: 'lurecheck doctor selftest',
      purpose: 'Verify that this executable classifies with these settings, models and lists.',
    },
    {
      line: 'lurecheck doctor selftest --server https://lurecheck.example',
      purpose: 'Do the same with a running service.',
    },
  ],
  async run(invocation, io) {
    const [server, keyFile] = [invocation.text('server'), invocation.text('key')];
    if (server === undefined && keyFile !== undefined) throw new UsageError('--key requires --server');
    const outcomes =
      server === undefined
        ? await checkedHere(invocation.config)
        : await checkedAt({ server, keyFile }, invocation.config);
    const faults = CANARIES.map((canary, at) => faultOf(outcomes[at], canary.decision));
    const lines = CANARIES.map(({ url, decision }, at) =>
      faults[at] === null ? `ok     ${decision}  ${url}\n` : `wrong  ${decision}  ${url}: ${faults[at]}\n`,
    );
    await io.stdout.write(lines.join(''));
    return faults.every((fault) => fault === null) ? 0 : 1;
  },
};

const inputs = () =>
  inputsOfOperands(
    CANARIES.map(({ url }) => url),
    null,
  );

async function checkedHere(config: ConfigFor<'selftest'>): Promise<readonly CheckOutcome[]> {
  const logger = createLogger('error', () => {});
  await using engine = await openEngine(config, { store: STORE_NONE, logger });
  const options = { visibility: 'private', withObservations: false, withTrace: false } as const;
  return await Promise.all(inputs().map((input) => checkOne(input, engine, options)));
}

async function checkedAt(
  service: { readonly server: string; readonly keyFile: string | undefined },
  config: ConfigFor<'selftest'>,
): Promise<readonly CheckOutcome[]> {
  const { checkAtService } = await import('../../remote/check-at-service.ts');
  async function* all() {
    yield inputs();
  }
  const silent = { stderr: { write: async () => {}, isTerminal: false, columns: 0 } };
  return await Array.fromAsync(checkAtService(all(), { service, isPrivate: true }, { config, isQuiet: true }, silent));
}

/** Returns what is wrong with an answer; null if it is correct. */
function faultOf(outcome: CheckOutcome | undefined, expected: string): string | null {
  if (outcome === undefined) return 'no answer';
  if ('problem' in outcome) return outcome.problem.detail;
  const { decision, malicious_probability: p, analysis_details: details } = outcome.result;
  if (decision !== expected) return `the verdict is ${decision}`;
  const sum = details.reasons.reduce((total, { weight }) => total + weight, details.base_log_odds);
  const isRight = Math.abs(sum - Math.log(p / (1 - p))) <= MAX_ERROR_NATS;
  return isRight ? null : 'its reasons do not add up to its probability';
}
