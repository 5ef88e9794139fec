import { systemClock } from '#src/base/clock.ts';
import { createLogger, type Logger } from '#src/base/logger.ts';
import { UnavailableError } from '#src/base/refusal.ts';
import { createRequestId } from '#src/base/request-id.ts';
import type { CheckService } from '#src/check/check.ts';
import { type Config, SETTING_KEYS } from '#src/config.ts';
import { type CheckSink, NO_LOG, openEngine } from '#src/engine.ts';
import type { Visibility } from '#src/record/check-record.ts';
import { openScanLog } from '#src/store/scan-log.ts';
import { createFormatter, FORMATS, type Format } from './check-format.ts';
import { type CheckInput, inputsOfOperands, inputsOfStream } from './check-input.ts';
import { type CheckOutcome, exitCode, type LineProblem, type Tally } from './check-outcome.ts';
import { type Command, choice, type Invocation, UsageError } from './command.ts';
import type { Io } from './io.ts';
import { mapInOrder } from './ordered.ts';
import { startProgress } from './progress.ts';

/** Text that is written at once; a line at a time would cost a system call each. */
const WRITE_CHARACTERS = 32 * 1024;

/** Checks under way at a time where nothing has to be waited for but the log. */
const OFFLINE_WINDOW = 1024;

/** What concerns a server alone means nothing here. */
const OF_SERVER: ReadonlySet<string> = new Set([
  'listen',
  'rate_limit',
  'rate_limit_cidr',
  'rate_limit_total',
  'rate_limit_keys',
  'trusted_proxy',
  'host',
  'base_path',
  'contact',
  'public_history',
  'default_private',
]);
const OWN_SETTINGS = SETTING_KEYS.filter((key) => !OF_SERVER.has(key));

/** `lurecheck check` */
export const checkCommand: Command = {
  name: 'check',
  operands: 'URL… | -',
  summary: 'checks URLs, without a server',
  options: {
    format: { type: 'string', value: FORMATS.join('|'), description: 'How to write the answers; text by default.' },
    record: { type: 'string', value: 'public|private', description: 'Log the checks; they are not logged otherwise.' },
    'fail-on': {
      type: 'string',
      value: 'warn|block',
      description: 'Exit with 10 where the worst decision is warn, with 20 where it is block.',
    },
  },
  settings: OWN_SETTINGS,
  async run(invocation, io) {
    const format = choice(invocation, 'format', FORMATS) ?? 'text';
    const failOn = choice(invocation, 'fail-on', ['warn', 'block']);
    const visibility = choice(invocation, 'record', ['public', 'private']);
    const inputs = inputsOf(invocation, io);
    await using opened = new AsyncDisposableStack();
    const logger = createLogger(invocation.config.log_level, (line) => void io.stderr.write(line));
    const sink = visibility ? await openRecorder(invocation.config, logger, opened) : NO_LOG;
    const engine = opened.use(await openEngine(invocation.config, sink, logger));
    const limit = invocation.config.network === 'none' ? OFFLINE_WINDOW : invocation.config.check_concurrency;
    const outcomes = mapInOrder(inputs, limit, (input) => checkOne(input, engine.check, visibility ?? 'private'));
    return exitCode(await writeOutcomes(outcomes, format, io), failOn);
  },
};

function inputsOf({ positionals }: Invocation, io: Io): AsyncIterable<readonly CheckInput[]> {
  if (positionals.length === 0) throw new UsageError('name a URL to check, or - to read them from standard input');
  if (!positionals.includes('-')) return once(inputsOfOperands(positionals));
  if (positionals.length > 1) throw new UsageError('- stands alone: URLs come from standard input or as operands');
  return inputsOfStream(io.stdin);
}

async function* once<T>(value: T): AsyncGenerator<T> {
  yield value;
}

async function openRecorder(config: Config, logger: Logger, opened: AsyncDisposableStack): Promise<CheckSink> {
  const log = await openScanLog({ dataDir: config.data_dir, access: 'append', clock: systemClock, logger });
  return { ...NO_LOG, append: opened.use(log).append };
}

async function checkOne(input: CheckInput, service: CheckService, visibility: Visibility): Promise<CheckOutcome> {
  if ('problem' in input.target) return { problem: lineProblem(input, 400, input.target.problem) };
  const startedAtMs = systemClock.now();
  const requestId = createRequestId(startedAtMs);
  try {
    return { result: await service.check({ target: input.target, visibility, client: null, requestId, startedAtMs }) };
  } catch (error) {
    if (error instanceof UnavailableError) return { problem: lineProblem(input, 503, error.message) };
    throw error;
  }
}

function lineProblem({ text, line }: CheckInput, status: 400 | 503, detail: string): LineProblem {
  const title = status === 400 ? 'Bad Request' : 'Service Unavailable';
  return { type: 'about:blank', title, status, detail, url: text, line };
}

async function writeOutcomes(outcomes: AsyncIterable<CheckOutcome>, format: Format, io: Io): Promise<Tally> {
  const colour = io.stdout.isTerminal && !io.environment['NO_COLOR'];
  const formatter = createFormatter(format, { colour, columns: io.stdout.columns });
  const tally: Tally = { counts: { allow: 0, warn: 0, block: 0, failed: 0 } };
  using _progress = startProgress(tally, io);
  let pending = '';
  for await (const outcome of outcomes) {
    tally.counts['result' in outcome ? outcome.result.decision : 'failed']++;
    pending += formatter.next(outcome);
    if (pending.length < WRITE_CHARACTERS) continue;
    await io.stdout.write(pending);
    pending = '';
  }
  await io.stdout.write(pending + formatter.end());
  return tally;
}
